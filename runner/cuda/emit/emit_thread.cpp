#include "runner/cuda/emit/emit_thread.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "core/asynchronous.h"
#include "core/ptx_mapping.h"
#include "core/wide_value.h"
#include "runner/cuda/emit/access_text.h"
#include "runner/cuda/emit/atomic_text.h"
#include "runner/cuda/emit/emit_flow.h"
#include "runner/cuda/emit/emit_group.h"
#include "runner/cuda/emit/emit_names.h"
#include "runner/cuda/emit/emit_tensor.h"
#include "runner/cuda/emit/emit_transactions.h"
#include "runner/cuda/emit/instruction_names.h"
#include "runner/cuda/emit/jump_targets.h"
#include "runner/cuda/emit/machine_text.h"
#include "runner/cuda/emit/object_addresses.h"
#include "runner/cuda/emit/warpgroups.h"
#include "runner/sim/trace_maker.h"

namespace ambit::cuda {
namespace {

class ThreadEmitter {
 public:
  ThreadEmitter(const Program& program, std::size_t number, const Layout& layout, const SharedCells& shared,
                BarrierMapping& barriers, const InGpuTest* in_gpu, Diagnostics& errors)
      : program_(program),
        thread_(program.threads[number]),
        number_(number),
        layout_(layout),
        shared_(shared),
        barriers_(barriers),
        in_gpu_(in_gpu),
        errors_(errors),
        names_(register_names(thread_)),
        flow_(program, number),
        objects_(program, layout, shared, number),
        transactions_(thread_, names_),
        states_(layout.is_asynchronous ? state_registers(thread_) : std::set<RegisterId>()) {
    if (layout.group_warps > 1) group_.emplace(thread_);
  }

  EmittedThread emit() {
    find_labels();
    std::string body;
    for (index_ = 0; index_ < thread_.code.size(); ++index_) {
      if (group_) body += group_->before(index_);
      body += label(index_);
      body += source_comment(program_, thread_.code[index_].span, last_line_);
      text_.clear();
      write_instruction();
      has_jumped_ = has_jumped_ || may_jump(thread_.code[index_]) || transactions_.exist();
      body += text_;
    }
    if (group_) body += group_->end();
    body += drains();
    result_.text = head() + body + label(thread_.code.size()) + results() + "}\n";
    const auto followers = flow_.followers(owners_);
    for (std::size_t i = 0; i < followers.size(); ++i) result_.instructions[i].next = followers[i];
    return std::move(result_);
  }

 private:
  template <typename... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += (is_in_turn_ ? "    " : "  ") + fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }
  void fail(std::string message, std::string hint = {}) {
    errors_.push_back({program_.source, thread_.code[index_].span, std::move(message), std::move(hint)});
  }

  // ---- frame ----

  void find_labels() {
    JumpTargets found = jump_targets(thread_, transactions_.exist());
    targets_ = std::move(found.instructions);
    loops_ = found.loops;
    flags_ = transactions_.exist();
    result_.is_straight = found.is_straight;
  }

  std::string label(std::size_t instruction) const {
    if (!targets_.contains(instruction)) return {};
    return fmt::format("L{}:{}\n", instruction, instruction == thread_.code.size() ? ";" : "");
  }

  std::string head() const {
    const ThreadPlace& at = thread_.place;
    std::string text = fmt::format("/// {}: block {}, warp {}, lane {}.\n", thread_.name, at.block, at.warp, at.lane);
    text += fmt::format("__device__ __forceinline__ void play_{}(const Instance& at) {{\n", number_);
    for (RegisterId r = 0; r < names_.size(); ++r) {
      text += fmt::format("  {} {} = 0;\n", type_name(thread_.registers[r].type), names_[r]);
    }
    if (transactions_.exist()) text += transactions_.declarations(*layout_.shape.stm, number_);
    for (std::size_t i = 0; i < temporaries_.size(); ++i) {
      text += fmt::format("  {} t{} = 0;\n", temporaries_[i], i);
    }
    for (const RegisterId r : states_) text += fmt::format("  unsigned long long state_{} = 0;\n", r);
    if (flags_) text += "  unsigned flags = 0;\n";
    if (layout_.shape.records) text += "  unsigned ticket = 0;\n  Log logged;\n";
    if (loops_) text += "  unsigned steps = 0;\n";
    if (group_) text += group_->declarations();
    const std::string maps = thread_maps_text(program_, thread_, objects_);
    return text + (group_ && !maps.empty() ? "  if (is_leader) {\n" + maps + "  }\n" : maps);
  }

  std::string results() {
    text_.clear();
    if (layout_.is_asynchronous) line("end_groups();");
    for (std::size_t i = 0; i < program_.observables.size(); ++i) {
      const Observable& observable = program_.observables[i];
      if (observable.kind != Observable::Kind::Register || observable.thread != number_) continue;
      line("*at.result{}({}) = {};  // {}", observable.type.bits >= 64 ? 64 : 32, i, names_[observable.reg],
           observable.name);
    }
    if (flags_) line("at.flag(flags);");
    if (layout_.shape.records) {
      line("at.end_log({}, logged, {});", number_, flags_ ? "(flags & kStepBound) != 0" : "false");
    }
    // If threads share the warp, the detector must know that this thread has ended and executes no more instructions.
    if (in_gpu_ != nullptr && layout_.lanes > 1) line("observe_alone(at, {});", in_gpu_->exit_number(number_));
    result_.has_flags = flags_;
    return group_ ? group_->results(text_) : text_;
  }

  // ---- instructions ----

  void write_instruction() {
    const Instruction& instruction = thread_.code[index_];
    if (const MemoryAccess* access = access_of(instruction.operation); access && transactions_.contains(index_)) {
      return write_in_transaction(*access);
    }
    if (!layout_.is_asynchronous || instruction.machine == nullptr) {
      return std::visit([this](const auto& operation) { write(operation); }, instruction.operation);
    }
    const bool has_begun = index_ > 0 && thread_.code[index_ - 1].machine == instruction.machine;
    if (!has_begun && is_executed(*instruction.machine)) write_machine(*instruction.machine);
  }

  void write_in_transaction(const MemoryAccess& access) {
    const std::optional<Address> cell = address(access);
    if (!cell) return;
    text_ += transactions_.access(index_, cell->pointer);
    end_access(*cell);
  }

  /// Writes an mbarrier operation or an asynchronous operation.
  void write_machine(const MachineInstruction& machine) {
    std::string missing = missing_machine(machine);
    if (missing.empty()) missing = tensor_objection(program_, thread_, machine);
    if (missing.empty() && layout_.cluster_blocks == 1) missing = missing_without_clusters(machine);
    if (!missing.empty()) return errors_.empty() ? fail(missing) : void();  // reports only the first error
    need_sm_90();
    MachineNames names;
    names.product = accumulators_name(thread_, machine);
    if (machine.target) {
      names.result = returns_number(machine) ? temporary({32, false}) : fmt::format("state_{}", *machine.target);
    }
    names.address = [this, &machine](const Expr& address) {
      const auto location = address.is_constant() ? program_.location_at(address.constant) : std::nullopt;
      if (!location) fail("on hardware, the address of an asynchronous operation cannot be in a register");
      return location ? reached(objects_.of_operand(*location, machine), needs_own_block(machine)) : ObjectAddress{};
    };
    names.value = [this](const Expr& value) { return written(value); };
    names.tensor_map = [this](std::size_t map) { return tensor_map_text(program_, map, objects_); };
    names.state = [this](RegisterId reg) {
      if (!states_.contains(reg)) fail("a state that no arrival of this thread returned is opaque on hardware");
      return fmt::format("state_{}", reg);
    };
    const bool is_launch_dependents = machine.name == "griddepcontrol.launch_dependents";
    if (is_launch_dependents && has_jumped_) line("__syncwarp();");  // the first lane acts for the whole warp
    if (needs_whole_warp(machine)) return write_by_warp(machine, names);
    result_.is_specific = result_.is_specific || replaces_in_map(machine);
    const MachineText text =
        replaces_in_map(machine) ? replace_text(program_, machine, names) : machine_text(machine, names);
    assembly(full_name(machine), text.operands, text.constraints, text.before, text.after);
    if (is_launch_dependents) line("delay_after_launch(at);");
    if (machine.target && returns_number(machine)) line("{} = {};", names_[*machine.target], names.result);
  }

  /// Writes an instruction that all lanes execute together, once for each lane's instance.
  void write_by_warp(const MachineInstruction& machine, const MachineNames& names) {
    if (layout_.lanes > 1 || has_jumped_ || group_) return fail(kWholeWarpObjection);
    const MachineText text = machine_text(machine, names_of_lane(names));
    text_ += kForEachLane;
    assembly(machine.name, text.operands, text.constraints);
    line("}}");
  }

  ObjectAddress reached(const ObjectAddress& address, bool needs_own = false) {
    if (const std::string reason = objection_to(address, needs_own); !reason.empty()) fail(reason);
    return address;
  }

  /// Returns the code for a thread that gives up an endless wait. The thread still arrives at the later barriers, so
  /// that it does not block other instances.
  std::string drains() {
    if (drained_.empty()) return {};
    std::string text = fmt::format("  goto L{};\n", thread_.code.size());
    has_jumped_ = true;
    std::size_t barriers = 0;
    for (index_ = 0; index_ < thread_.code.size(); ++index_) {
      const auto* barrier = std::get_if<Barrier>(&thread_.code[index_].operation);
      if (barrier == nullptr) continue;
      if (drained_.contains(barriers)) text += fmt::format("D{}:\n", barriers);
      if (barriers++ < *drained_.begin()) continue;
      text_.clear();
      write(*barrier);
      text += group_ ? group_->barrier(*barrier, text_) : text_;
    }
    if (drained_.contains(barriers)) text += fmt::format("D{}:;\n", barriers);
    return text;
  }

  /// Writes one PTX instruction. `operands` is the text after the name, `constraints` the text ` : outputs : inputs`.
  void assembly(const std::string& name, const std::string& operands, const std::string& constraints,
                const std::string& before = {}, const std::string& after = {}) {
    const std::string mark = fmt::format("P{}.{}", number_, result_.instructions.size());
    result_.instructions.push_back(
        {.mark = mark, .text = name, .is_certain = !has_jumped_, .is_weak = name.find(".weak") != std::string::npos});
    owners_.push_back(index_);
    const std::string space = operands.empty() ? "" : " ";
    line("asm volatile(\"{}{}{}{}; // ambit {}{}\"{} : \"memory\");", before, name, space, operands, mark, after,
         constraints.empty() ? std::string(" ::") : constraints);
  }

  /// Begins an access or a fence. A recording kernel first takes a ticket, and records the read value later. If the
  /// kernel contains a detector, each thread waits for its turn and reports the access before the next turn.
  void begin_access() {
    if (layout_.shape.records) line("ticket = at.ticket();");
    if (in_gpu_ == nullptr) return;
    line("for (Turn turn(at); turn.goes_on();) {{");
    is_in_turn_ = true;
    line("if (!turn.has_come()) continue;");
  }

  /// The record of an access in a recording kernel, as C++ expressions.
  struct Logged {
    std::string value = "0";         ///< the value read
    std::string is_quiet = "false";  ///< true if memory is unchanged
  };
  void keep_log(const Logged& logged) {
    if (!layout_.shape.records) return;
    line("at.log({}, logged, ticket, {}, {}, {});", number_, index_, logged.value, logged.is_quiet);
  }

  /// The report of an access to the detector, as C++ expressions.
  struct Observed {
    std::string location = "kNone";
    std::string is_failed = "false";  ///< true if a compare-exchange failed
    std::string value = "0";          ///< the value written
    std::string old_value = "0";      ///< the value before a read-modify-write
  };
  void end_turn(const Observed& seen) {
    if (in_gpu_ == nullptr) return;
    line("observe(at, {}, {}, {}, {}, {});", in_gpu_->event_number(number_, index_), seen.location, seen.is_failed,
         seen.value, seen.old_value);
    line("turn.end();");
    is_in_turn_ = false;
    line("}}");
  }
  void observe_alone() {
    if (in_gpu_ != nullptr) line("observe_alone(at, {});", in_gpu_->event_number(number_, index_));
  }

  void assembly(const std::string& name, const AccessText& text, const ReadNames& read = {}) {
    assembly(name, text.operands, text.constraints, text.before, text.after);
    if (!read.upper.empty()) line("{0} = whole({0}, {1});", read.value, read.upper);
  }

  ReadNames names_of_read(ScalarType type) {
    const std::string value = temporary(in_register(type));
    return {.value = value, .upper = is_wide(type) ? temporary(kLongLong) : std::string()};
  }

  std::string temporary(ScalarType type) {
    temporaries_.push_back(type_name(type));
    return fmt::format("t{}", temporaries_.size() - 1);
  }

  std::string written(const Expr& expr) const { return expression(expr, thread_, names_); }

  std::string value(const Expr& expr, ScalarType type) const { return operand_text(expr, type, thread_, names_); }

  struct Address {
    std::string pointer;
    std::string space = {};    ///< ".global" or empty
    bool is_computed = false;  ///< a separate block encloses the access
    std::string location;      ///< number of the location, if the kernel contains a detector
  };

  /// Returns the address of an access. The kernel checks a computed address, and skips the access if no cell has this
  /// address.
  std::optional<Address> address(const MemoryAccess& access) {
    if (access.proxy != Proxy::Generic) {
      fail(fmt::format("accesses by the {} proxy are not run on hardware", to_string(access.proxy)),
           "the models support this test");
      return std::nullopt;
    }
    if (!access.address.is_constant() && layout_.is_asynchronous) {
      fail("on hardware, a test with asynchronous operations cannot have an address in a register");
      return std::nullopt;
    }
    if (!access.address.is_constant()) {
      temporaries_.emplace_back("char*");
      const std::string pointer = fmt::format("t{}", temporaries_.size() - 1);
      line("{} = locate(at, {});", pointer, written(access.address));
      line("if ({} == nullptr) flags |= kOutOfBounds;", pointer);
      line("if ({} != nullptr) {{", pointer);
      flags_ = true;
      std::string where;
      if (in_gpu_ != nullptr) {
        where = temporary({32, false});
        line("{} = location_of({});", where, written(access.address));
      }
      return Address{.pointer = apart(pointer), .is_computed = true, .location = where};
    }
    const std::optional<LocationId> location = program_.location_at(access.address.constant);
    if (!location) {
      line("flags |= kOutOfBounds;");
      flags_ = true;
      return std::nullopt;
    }
    Address result{.pointer = "", .space = ".global", .location = fmt::format("{}", *location)};
    const std::string& name = program_.locations[*location].name;
    if (layout_.is_asynchronous) {
      if (shared_.number.contains(*location)) result.space.clear();
      result.pointer = reached(objects_.generic(*location)).text;
    } else if (const auto shared = shared_.number.find(*location); shared != shared_.number.end()) {
      result.pointer = fmt::format("at.shared_cell({} /* {} */)", shared->second, name);
      result.space.clear();
    } else if (const std::uint32_t alias =
                   alias_number(program_, static_cast<ObjectId>(object_of(access.address.constant)))) {
      const std::string alias_name = program_.name_at(access.address.constant).value_or(name);
      result.pointer = fmt::format("at.alias({} /* {} */, {})", *location, alias_name, alias);
    } else {
      result.pointer = fmt::format("at.cell({} /* {} */)", *location, name);
    }
    result.pointer = apart(result.pointer);
    return result;
  }

  /// Returns the address of a load or store in a form that the assembler cannot compare with the addresses of earlier
  /// accesses.
  std::string apart(const std::string& pointer) const {
    if (std::holds_alternative<Rmw>(thread_.code[index_].operation) || transactions_.contains(index_)) return pointer;
    const std::uint32_t before = flow_.accesses_before(index_);
    if (before == 0 && !loops_) return pointer;
    return fmt::format("at.apart({}, {}{})", pointer, before, loops_ ? " + steps" : "");
  }

  /// Returns the modifiers of an access: ".relaxed.gpu". Also writes the fence that precedes a seq_cst access.
  std::optional<std::string> strength(const MemoryAccess& access, PtxAccessKind kind) {
    need(access.order == Order::Weak || access.is_volatile ? Scope::System : access.scope);
    if (kind == PtxAccessKind::Rmw && access.is_volatile) return ".relaxed.sys";
    if (kind == PtxAccessKind::Rmw && access.order == Order::Weak) {
      fail("PTX has no atomic read-modify-write without an order");
      return std::nullopt;
    }
    const std::optional<PtxStrength> strong = ptx_strength(access, kind);
    if (!strong) {
      fail("PTX has no thread scope: an atomic operation at thread scope has no documented translation");
      return std::nullopt;
    }
    if (!strong->fence.empty()) assembly(strong->fence, "", "");
    return strong->modifiers;
  }

  void need_sm_90() { result_.lowest_arch = std::max(result_.lowest_arch, 90U); }
  void need(Scope scope) {
    if (scope == Scope::Cluster) need_sm_90();
  }

  void write(const Assign& assign) {
    const ScalarType type = thread_.registers[assign.target].type;
    const std::string cast = assign.value.result_type() == type ? "" : fmt::format("({})", type_name(type));
    line("{} = {}{}{}{};", names_[assign.target], cast, cast.empty() ? "" : "(", written(assign.value),
         cast.empty() ? "" : ")");
    const auto copied = copied_register(assign);
    if (copied && states_.contains(*copied)) line("state_{} = state_{};", assign.target, *copied);
  }

  void write(const Load& load) {
    const std::optional<std::string> strong = strength(load.access, PtxAccessKind::Load);
    if (!strong) return;
    const ScalarType type = load.access.type;
    const ReadNames result = names_of_read(type);
    const std::optional<Address> from = address(load.access);
    if (!from) return;
    begin_access();
    assembly(fmt::format("ld{}{}.{}", *strong, from->space, ptx_type(type)), load_text(type, result, from->pointer),
             result);
    end_turn({.location = from->location});
    keep_result(load.target, type, result.value);
    result_.instructions.back().may_go = !flow_.is_result_read(index_);
    keep_log({.value = fmt::format("({}){}", type_name(type), result.value), .is_quiet = "true"});
    end_access(*from);
  }

  void keep_result(RegisterId target, ScalarType type, const std::string& result) {
    line("{} = {}{};", names_[target], result_cast(type, thread_.registers[target].type), result);
  }

  void end_access(const Address& at) {
    if (at.is_computed) line("}}");
  }

  void write(const Store& store) {
    const std::optional<std::string> strong = strength(store.access, PtxAccessKind::Store);
    if (!strong) return;
    const ScalarType type = store.access.type;
    const std::optional<Address> to = address(store.access);
    if (!to) return;
    begin_access();
    const std::string stored = map_word(program_, store.access).value_or(value(store.value, type));
    assembly(fmt::format("st{}{}.{}", *strong, to->space, ptx_type(type)), store_text(type, to->pointer, stored));
    end_turn({.location = to->location, .value = stored});
    keep_log({});
    end_access(*to);
  }

  void write(const Rmw& rmw) {
    if (rmw.op == RmwOp::Update) return fail("mbarrier operations with transaction counts are not run on hardware");
    if (const std::string missing = missing_atomic(rmw); !missing.empty()) return fail(missing);
    const ScalarType type = rmw.access.type;
    const std::optional<std::string> strong = strength(rmw.access, PtxAccessKind::Rmw);
    if (!strong) return;
    if (is_wide(type)) need_sm_90();
    const ReadNames result = rmw.is_reduction ? ReadNames{} : names_of_read(type);
    const std::string cast = type.bits == 16 ? "(unsigned short)" : "";  // only cas.b16 has registers of 16 bits
    if (!cast.empty()) temporaries_.back() = "unsigned short";
    const std::optional<Address> at = address(rmw.access);
    if (!at) return;
    std::string operand = cast + value(rmw.operand, type);
    if (rmw.op == RmwOp::Subtract) operand = fmt::format("({})(0 - {})", type_name({type.bits, false}), operand);
    const std::string name =
        fmt::format("{}{}{}.{}", rmw.is_reduction ? "red" : "atom", *strong, at->space, atomic_operation(rmw));
    begin_access();
    if (rmw.is_reduction) {
      assembly(name, store_text(type, at->pointer, operand));
      end_turn({.location = at->location, .value = operand});
      keep_log({});
    } else {
      write_atomic(rmw, name, *at, operand, cast + value(rmw.compare, type), result);
    }
    end_access(*at);
  }

  /// Writes a read-modify-write that returns the old value.
  void write_atomic(const Rmw& rmw, const std::string& name, const Address& at, const std::string& operand,
                    const std::string& compare, const ReadNames& names) {
    const ScalarType type = rmw.access.type;
    assembly(name,
             rmw.op == RmwOp::CompareExchange ? compare_exchange_text(type, names, at.pointer, compare, operand)
                                              : atomic_text(type, names, at.pointer, operand),
             names);
    const std::string& result = names.value;
    // The report and the log precede the write to the target register, because the target may also be an operand.
    const std::string old_value = fmt::format("({}){}", type_name(type), result);
    end_turn({.location = at.location,
              .is_failed = failed_text(rmw, result, written(rmw.compare)),
              .value = operand,
              .old_value = old_value});
    keep_log({.value = old_value, .is_quiet = quiet_text(rmw, result, operand, written(rmw.compare))});
    if (rmw.target) {
      keep_result(*rmw.target, type, result);
    } else {
      line("at.keep({});", result);
    }
  }

  void write(const Fence& fence) {
    need(fence.scope);
    // Acquire fences and release fences need a newer architecture.
    if (fence.order == Order::Acquire || fence.order == Order::Release) need_sm_90();
    begin_access();
    if (const std::string text = ptx_fence(fence); !text.empty()) assembly(text, "", "");
    end_turn({});
    keep_log({.is_quiet = "true"});
  }

  void write(const TransactionBegin& /*begin*/) { text_ += transactions_.begin(index_); }
  void write(const TransactionEnd& /*end*/) { text_ += transactions_.end(index_); }

  void write(const ProxyFence& fence) {
    if (fence.is_alias) return assembly(ptx_proxy_fence(fence), "", "");
    if (fence.is_mbarrier_init || fence.proxy == Proxy::Async) {
      need_sm_90();
      return assembly(ptx_proxy_fence(fence), "", "");
    }
    fail(fmt::format("hardware has no instruction 'fence.proxy.{}'", to_string(fence.proxy)),
         "the fence represents the end of a kernel or a re-read texture; the models support this test");
  }

  void write(const Barrier& barrier) {
    if (barrier.exchange) {
      return fail("the lanes of a test's instances do not exchange values on a GPU",
                  "the models and --backend sim support this test");
    }
    if (!sim::is_exchange(barrier)) observe_alone();
    if (barrier.kind == BarrierKind::Warp) {
      const std::uint32_t mask = barriers_.warp_mask(number_, barrier);
      return assembly(
          "bar.warp.sync", "%0",
          fmt::format(" :: \"r\"({:#x}u << (threadIdx.x % 32 / {} * {}))", mask, layout_.lanes, layout_.lanes));
    }
    if (barrier.kind == BarrierKind::Cluster) need_sm_90();
    // A barrier counts whole warps. Therefore the lanes of a warp, which run different instances, must arrive together.
    const bool has_parted = has_jumped_ || in_gpu_ != nullptr;
    if (barrier.kind == BarrierKind::Block && layout_.lanes == 1 && has_parted) line("__syncwarp();");
    for (const std::string& text : barriers_.instructions(number_, index_, barrier)) {
      const std::size_t space = text.find(' ');
      const bool has_operands = space != std::string::npos;
      assembly(text.substr(0, space), has_operands ? text.substr(space + 1) : std::string(), "");
    }
  }

  /// Writes a jump. Counts backward jumps, so that an endless loop does not block the device.
  void jump(std::size_t target, const std::string& condition) {
    if (target > index_) return line("{}{}", condition, go(target));
    flags_ = true;
    line("{}{{", condition);
    line("  if (++steps < at.parameters.max_steps) {}", go(target));
    line("  flags |= kStepBound;");
    if (layout_.is_asynchronous) {
      const std::size_t barriers = barriers_before(thread_, index_);
      drained_.insert(barriers);
      line("  {}", go(GroupText::kOutside, fmt::format("D{}", barriers)));
    } else {
      line("  {}", go(thread_.code.size()));
    }
    line("}}");
  }
  std::string go(std::size_t target) { return go(target, fmt::format("L{}", target)); }
  std::string go(std::size_t target, const std::string& label) {
    return group_ ? group_->jump(index_, target, label) : fmt::format("goto {};", label);
  }
  void write(const Branch& branch) {
    jump(branch.target, fmt::format("if ({}) ", condition(branch.condition, thread_, names_)));
  }
  void write(const Jump& go) { jump(go.target, ""); }
  void write(const Assume& assume) {
    flags_ = true;
    line("if (!({})) {{", condition(assume.condition, thread_, names_));
    line("  flags |= kDropped;");
    line("  {}", go(thread_.code.size()));
    line("}}");
  }
  void write(const AsyncStep& step) {
    fail(missing_step(step), "copy arrays of numbers, by a map that is not in an array; the models support this test");
  }
  void write(const Assert& assertion) {
    if (!assertion.misuse.empty()) return;
    flags_ = true;
    line("if (!({})) flags |= kAsserted;", condition(assertion.condition, thread_, names_));
  }

  const Program& program_;
  const Thread& thread_;
  std::size_t number_;
  const Layout& layout_;
  const SharedCells& shared_;
  BarrierMapping& barriers_;
  const InGpuTest* in_gpu_;  ///< null if the kernel contains no detector
  Diagnostics& errors_;
  std::vector<std::string> names_;
  ThreadFlow flow_;
  ObjectAddresses objects_;
  TransactionText transactions_;
  std::optional<GroupText> group_;   ///< present in a test with wgmma
  std::set<RegisterId> states_;      ///< registers that hold states of mbarriers
  std::vector<std::size_t> owners_;  ///< for each PTX instruction, the number of the thread's instruction
  std::set<std::size_t> targets_;
  std::vector<std::string> temporaries_;  ///< types of the temporary variables
  std::set<std::size_t> drained_;         ///< numbers of the barriers where a thread continues if it gives up a wait
  std::string text_;
  std::size_t index_ = 0;
  std::uint32_t last_line_ = 0;
  bool is_in_turn_ = false;
  bool has_jumped_ = false;
  bool flags_ = false;
  bool loops_ = false;
  EmittedThread result_;
};

}  // namespace

EmittedThread emit_thread(const Program& program, std::size_t thread, const Layout& layout, const SharedCells& shared,
                          BarrierMapping& barriers, const InGpuTest* in_gpu, Diagnostics& errors) {
  return ThreadEmitter(program, thread, layout, shared, barriers, in_gpu, errors).emit();
}

}  // namespace ambit::cuda
