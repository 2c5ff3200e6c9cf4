#include "runner/standalone/thread_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "core/asynchronous.h"
#include "core/ptx_mapping.h"
#include "runner/cuda/emit/emit_names.h"
#include "runner/cuda/emit/machine_text.h"
#include "runner/cuda/emit/warpgroups.h"
#include "runner/standalone/barrier_text.h"
#include "runner/standalone/flow_tree.h"
#include "runner/standalone/group_flow.h"
#include "runner/standalone/launch_shape.h"
#include "runner/standalone/machine_parts.h"
#include "runner/standalone/values.h"

namespace ambit::standalone {
namespace {

using cuda::type_name;
using Kind = FlowNode::Kind;

std::string_view suffix_of(Scope scope) {
  return scope == Scope::Block ? "_block" : scope == Scope::System ? "_system" : "";
}

/// CUDA's function for a relaxed read-modify-write, and its operand type. The name is empty if CUDA has no such
/// function.
struct CudaAtomic {
  std::string name;
  ScalarType type;
};
std::optional<CudaAtomic> cuda_atomic(const Rmw& rmw) {
  const MemoryAccess& access = rmw.access;
  const bool is_known_scope =
      access.scope == Scope::Block || access.scope == Scope::Device || access.scope == Scope::System;
  const bool is_relaxed = access.order == Order::Relaxed || access.is_volatile;
  const unsigned bits = access.type.bits;
  if (!is_relaxed || !is_known_scope || bits < 32) return std::nullopt;
  const ScalarType same = access.type;
  const ScalarType unsigned_64{64, false};
  const auto made = [&](const char* name, ScalarType wide) {
    return CudaAtomic{fmt::format("{}{}", name, suffix_of(access.scope)), bits == 64 ? wide : same};
  };
  switch (rmw.op) {
    case RmwOp::Add: return made("atomicAdd", unsigned_64);
    case RmwOp::Subtract: return bits == 32 ? std::optional(made("atomicSub", same)) : std::nullopt;
    case RmwOp::Exchange: return made("atomicExch", unsigned_64);
    case RmwOp::Min: return made("atomicMin", same);
    case RmwOp::Max: return made("atomicMax", same);
    case RmwOp::And: return made("atomicAnd", unsigned_64);
    case RmwOp::Or: return made("atomicOr", unsigned_64);
    case RmwOp::Xor: return made("atomicXor", unsigned_64);
    case RmwOp::CompareExchange: return made("atomicCAS", unsigned_64);
    case RmwOp::Update: return std::nullopt;
    case RmwOp::IncrementWrap:
    case RmwOp::DecrementWrap: {
      if (bits != 32) return std::nullopt;
      CudaAtomic found = made(rmw.op == RmwOp::IncrementWrap ? "atomicInc" : "atomicDec", same);
      found.type = {32, false};
      return found;
    }
  }
  return std::nullopt;
}

/// Returns the name of the member function of cuda::atomic_ref; empty if there is no such function.
std::string_view member_of(RmwOp op) {
  switch (op) {
    case RmwOp::Add: return "fetch_add";
    case RmwOp::Subtract: return "fetch_sub";
    case RmwOp::Exchange: return "exchange";
    case RmwOp::Min: return "fetch_min";
    case RmwOp::Max: return "fetch_max";
    case RmwOp::And: return "fetch_and";
    case RmwOp::Or: return "fetch_or";
    case RmwOp::Xor: return "fetch_xor";
    default: return {};
  }
}

std::string order_text(Order order) { return fmt::format("cuda::memory_order_{}", to_string(order)); }
std::string scope_text(Scope scope) { return fmt::format("cuda::thread_scope_{}", to_string(scope)); }

/// The barriers with this number and larger numbers belong to the warpgroups (group_functions()).
constexpr Value kGroupBarriers = 8;

class ThreadWriter {
 public:
  ThreadWriter(const Program& program, std::size_t number, const Declarations& declarations, Diagnostics& errors)
      : program_(program),
        thread_(program.threads[number]),
        number_(number),
        declarations_(declarations),
        errors_(errors),
        names_(identifiers(thread_)),
        values_(program, thread_, names_) {}

  ThreadText write() {
    result_.name = thread_.name;
    const auto flow = flow_tree(thread_);
    if (!flow) {
      fail("these jumps do not form loops, branches or exits", "Ambit prints CUDA C++ without goto");
      return result_;
    }
    std::set<RegisterId> observed;
    for (const Observable& one : program_.observables) {
      if (one.kind == Observable::Kind::Register && one.thread == number_) observed.insert(one.reg);
    }
    if (is_group_ && returns_early(*flow)) fail("a thread with wgmma that ends early");
    block(*flow, 1);
    const std::string accumulators = is_group_ ? cuda::accumulators_text(thread_) : std::string();
    if (is_group_) text_ += end_of_products();
    std::vector<std::string> parameters;
    for (const RegisterId reg : observed) {
      parameters.push_back(fmt::format("{} &{}", type_name(thread_.registers[reg].type), names_[reg]));
      result_.observed.push_back(fmt::format("{} {}", type_name(thread_.registers[reg].type), names_[reg]));
    }
    std::string locals;
    for (const RegisterId reg : used_) {
      if (observed.contains(reg)) continue;
      locals += fmt::format("  {} {} = 0;\n", type_name(thread_.registers[reg].type), names_[reg]);
    }
    for (const RegisterId reg : states_) locals += fmt::format("  unsigned long long state_{} = 0;\n", reg);
    const ThreadPlace& at = thread_.place;
    result_.definition =
        fmt::format("// {}: block {}, warp {}, lane {}.\n__device__ void {}({}) {{\n{}{}}}\n", thread_.name, at.block,
                    at.warp, at.lane, result_.name, fmt::join(parameters, ", "), locals + accumulators, text_);
    return result_;
  }

 private:
  void fail(std::string message, std::string hint = {}) {
    const SourceSpan span = index_ < thread_.code.size() ? thread_.code[index_].span : thread_.span;
    errors_.push_back({program_.source, span, std::move(message), std::move(hint)});
  }
  template <typename... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += std::string(2 * depth_, ' ') + fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }

  // ---- control flow ----

  void block(const Flow& flow, std::size_t depth) {
    const std::size_t outer = std::exchange(depth_, depth);
    const bool is_divided = is_group_ && !leads_alone_;
    for (const FlowNode& node : flow) {
      if (is_divided) lead(is_of_leader(thread_, node));
      statement(node);
    }
    if (is_divided) lead(false);
    depth_ = outer;
  }

  /// Begins or ends a part that the leader of a warpgroup executes alone. The warps synchronise after this part.
  void lead(bool alone) {
    if (alone == std::exchange(leads_alone_, alone)) return;
    if (alone) {
      line("if (LEADS) {{");
      ++depth_;
    } else {
      --depth_;
      line("}}");
      line("MEET();");
    }
  }

  /// Returns code that waits for the thread's pending products, so that the products end before the thread.
  std::string end_of_products() const {
    std::string text =
        "#ifndef __AMBIT__\n"
        "  asm volatile(\"wgmma.fence.sync.aligned;\\nwgmma.commit_group.sync.aligned;\\n"
        "wgmma.wait_group.sync.aligned 0;\" : : : \"memory\");\n";
    for (std::size_t i = 0; i < cuda::products_of(thread_).size(); ++i) text += fmt::format("  keep(product{});\n", i);
    return text + "#endif\n";
  }

  void statement(const FlowNode& node) {
    index_ = node.instruction;
    switch (node.kind) {
      case Kind::Plain: return plain();
      case Kind::If:
      case Kind::IfJumps: return branch(node);
      case Kind::Forever:
        line("while (true) {{");
        block(node.then, depth_ + 1);
        return line("}}");
      case Kind::RepeatWhile: {
        line("do {{");
        block(node.then, depth_ + 1);
        index_ = node.instruction;
        return line("}} while ({});", test(node.instruction, false));
      }
      case Kind::Once:
        line("do {{");
        block(node.then, depth_ + 1);
        return line("}} while (0);");
      case Kind::Break: return line("break;");
      case Kind::Continue: return line("continue;");
      case Kind::Return: return line("return;");
    }
  }

  void plain() {
    const Instruction& instruction = thread_.code[index_];
    if (!is_asynchronous_ || instruction.machine == nullptr) {
      return std::visit([this](const auto& operation) { write(operation); }, instruction.operation);
    }
    const bool has_begun = index_ > 0 && thread_.code[index_ - 1].machine == instruction.machine;
    if (!has_begun) write_machine(*instruction.machine);
  }

  /// Writes an mbarrier operation or an asynchronous operation as an instruction of the machine.
  void write_machine(const MachineInstruction& machine) {
    cuda::MachineNames names;
    names.product = cuda::accumulators_name(thread_, machine);
    const bool is_product = machine.name.starts_with("wgmma.");
    result_.needs_sm_90a =
        result_.needs_sm_90a || is_product || machine.name.find(".multicast::cluster") != std::string::npos;
    const bool is_number = machine.target && cuda::returns_number(machine);
    if (machine.target) names.result = is_number ? fmt::format("m{}", machines_++) : state(*machine.target);
    names.address = [this, &machine, is_product](const Expr& address) {
      const auto text = values_.cell(address);
      const auto object = values_.object(address);
      if (!text || !object) return cuda::ObjectAddress{};
      const MemoryObject& found = program_.objects[*object];
      const bool is_narrow =
          found.space == MemorySpace::Shared && (is_product || machine.name.find(".shared") != std::string::npos);
      cuda::ObjectAddress result{.text = is_narrow ? shared_address(*text) : "&" + *text, .is_narrow = is_narrow};
      reach(found, result);
      if (const std::string why = cuda::objection_to(result, cuda::needs_own_block(machine)); !why.empty()) fail(why);
      return result;
    };
    names.value = [this](const Expr& expr) { return value(expr); };
    names.state = [this](RegisterId reg) { return state(reg); };
    const cuda::MachineText text = cuda::machine_text(machine, names);
    if (is_number) line("unsigned {};", names.result);
    line("asm volatile(\"{}{}{}{};{}\"{} : \"memory\");", text.before, cuda::full_name(machine),
         text.operands.empty() ? "" : " ", text.operands, text.after, text.constraints);
    if (is_number) assign(*machine.target, names.result, {32, false});
    if (cuda::completes_products(thread_.code[index_])) line("MEET();");
  }

  /// Returns the variable that holds the mbarrier state which an arrival returned.
  std::string state(RegisterId reg) {
    states_.insert(reg);
    return fmt::format("state_{}", reg);
  }

  /// If the object is in another block, converts its address in the thread's block to the address in the object's
  /// block. Otherwise, does nothing.
  void reach(const MemoryObject& object, cuda::ObjectAddress& address) {
    if (!object.home || object.home->block == thread_.place.block) return;
    address.is_own = false;
    const auto rank = rank_in_cluster(program_, thread_, object.home->block);
    address.is_reachable = rank.has_value();
    if (address.is_narrow) {
      result_.uses_clusters = true;
      address.text = shared_in_block(address.text, rank.value_or(0));
    } else {
      result_.uses_groups = true;
      address.text =
          fmt::format("cooperative_groups::this_cluster().map_shared_rank({}, {})", address.text, rank.value_or(0));
    }
  }

  std::string test(std::size_t instruction, bool negated) {
    const std::string text = condition_text(std::get<Branch>(thread_.code[instruction].operation).condition, negated);
    return is_group_ && !leads_alone_ ? fmt::format("LEADER_SAYS({})", text) : text;
  }

  void branch(const FlowNode& node) {
    const bool is_empty = node.then.empty() && !node.otherwise.empty();
    const Flow& first = is_empty ? node.otherwise : node.then;
    const std::string condition = test(node.instruction, node.kind == Kind::If && !is_empty);
    line("if ({}) {{", condition);
    block(first, depth_ + 1);
    if (!is_empty && !node.otherwise.empty()) {
      line("}} else {{");
      block(node.otherwise, depth_ + 1);
    }
    line("}}");
  }

  // ---- values ----

  void use(const Expr& expr) {
    if (expr.op == Op::Register) used_.insert(expr.reg);
    for (const Expr& argument : expr.arguments) use(argument);
  }
  std::string value(const Expr& expr) {
    use(expr);
    const auto text = values_.value(expr);
    if (!text) fail("this register has an address, but the test does not show the type of the memory there");
    return text.value_or("0");
  }
  std::string value_as(const Expr& expr, ScalarType type) {
    std::string text = value(expr);
    if (expr.is_constant()) return cuda::literal(expr.constant, type);
    if (expr.result_type() == type) return text;
    return fmt::format("({}){}", type_name(type), expr.arguments.size() < 2 ? text : "(" + text + ")");
  }
  std::string condition_text(const Expr& expr, bool negated) {
    use(expr);
    const auto text = values_.condition(expr, negated);
    if (!text) fail("this register has an address, but the test does not show the type of the memory there");
    return text.value_or("0");
  }

  struct Cell {
    std::string text;
    const MemoryObject* object = nullptr;
    bool is_volatile = false;  ///< the variable is declared volatile
  };
  std::optional<Cell> cell(const MemoryAccess& access) {
    use(access.address);
    if (access.proxy != Proxy::Generic) {
      fail(fmt::format("CUDA C++ has no plain access by the {} proxy", to_string(access.proxy)));
      return std::nullopt;
    }
    const auto text = values_.cell(access.address);
    const auto object = values_.object(access.address);
    if (!text || !object) {
      fail("this address is computed, but the test does not show the type of the memory there");
      return std::nullopt;
    }
    const MemoryObject& found = program_.objects[*object];
    if (found.alias_of) {
      fail("CUDA C++ cannot give a variable a second virtual address");
      return std::nullopt;
    }
    if (found.type.bits != access.type.bits) {
      fail("this access and its variable have different sizes");
      return std::nullopt;
    }
    cuda::ObjectAddress place{.text = "&" + *text};
    reach(found, place);
    if (!place.is_reachable) {
      fail(cuda::objection_to(place, false));
      return std::nullopt;
    }
    return Cell{place.is_own ? *text : fmt::format("(*{})", place.text), &found, declarations_.is_volatile[*object]};
  }

  /// Returns the cell as a non-volatile object of the given type.
  static std::string as_type(const Cell& cell, ScalarType type) {
    if (cell.object->type == type && !cell.is_volatile) return cell.text;
    return fmt::format("*({} *)&{}", type_name(type), cell.text);
  }
  static std::string address(const Cell& cell, ScalarType type) {
    if (cell.object->type == type && !cell.is_volatile) return "&" + cell.text;
    return fmt::format("({} *)&{}", type_name(type), cell.text);
  }

  /// Returns the cell as an object of the type of `access`, volatile if `access` is volatile.
  static std::string plain(const Cell& cell, const MemoryAccess& access) {
    if (cell.object->type == access.type && cell.is_volatile == access.is_volatile) return cell.text;
    return fmt::format("*({}{} *)&{}", access.is_volatile ? "volatile " : "", type_name(access.type), cell.text);
  }

  std::optional<std::string> atomic_ref(const Cell& cell, const MemoryAccess& access) {
    if (access.scope == Scope::Cluster) {
      fail("CUDA C++ has no cluster scope", "PTX has this scope: ambit map prints the test in PTX");
      return std::nullopt;
    }
    result_.uses_atomic_ref = true;
    return fmt::format("cuda::atomic_ref<{}, {}>({})", type_name(access.type), scope_text(access.scope),
                       as_type(cell, access.type));
  }

  void assign(RegisterId target, const std::string& value, ScalarType type) {
    used_.insert(target);
    const ScalarType to = thread_.registers[target].type;
    if (to == type) return line("{} = {};", names_[target], value);
    line("{} = ({}){};", names_[target], type_name(to), value);
  }

  // ---- instructions ----

  void write(const Assign& assignment) {
    used_.insert(assignment.target);
    line("{} = {};", names_[assignment.target], value_as(assignment.value, thread_.registers[assignment.target].type));
    const auto copied = copied_register(assignment);
    if (copied && states_.contains(*copied)) line("state_{} = state_{};", assignment.target, *copied);
  }

  void write(const Load& load) {
    const auto from = cell(load.access);
    if (!from) return;
    if (load.access.order == Order::Weak || load.access.is_volatile) {
      return assign(load.target, plain(*from, load.access), load.access.type);
    }
    if (const auto ref = atomic_ref(*from, load.access)) {
      assign(load.target, fmt::format("{}.load({})", *ref, order_text(load.access.order)), load.access.type);
    }
  }

  void write(const Store& store) {
    const auto to = cell(store.access);
    if (!to) return;
    const std::string written = value_as(store.value, store.access.type);
    if (store.access.order == Order::Weak || store.access.is_volatile) {
      return line("{} = {};", plain(*to, store.access), written);
    }
    if (const auto ref = atomic_ref(*to, store.access)) {
      line("{}.store({}, {});", *ref, written, order_text(store.access.order));
    }
  }

  void write(const Rmw& rmw) {
    const auto at = cell(rmw.access);
    if (!at) return;
    if (const auto function = cuda_atomic(rmw)) {
      std::string arguments = address(*at, function->type);
      if (rmw.op == RmwOp::CompareExchange) arguments += ", " + value_as(rmw.compare, function->type);
      arguments += ", " + value_as(rmw.operand, function->type);
      return keep(rmw, fmt::format("{}({})", function->name, arguments), function->type);
    }
    const auto ref = atomic_ref(*at, rmw.access);
    if (!ref) return;
    if (rmw.op == RmwOp::CompareExchange) return compare_exchange(rmw, *ref);
    const std::string_view member = member_of(rmw.op);
    if (member.empty()) return fail(fmt::format("cuda::atomic_ref has no '{}'", to_string(rmw.op)));
    keep(rmw,
         fmt::format("{}.{}({}, {})", *ref, member, value_as(rmw.operand, rmw.access.type),
                     order_text(rmw.access.order)),
         rmw.access.type);
  }

  void keep(const Rmw& rmw, const std::string& call, ScalarType type) {
    if (!rmw.target) return line("{};", call);
    assign(*rmw.target, call, type);
  }

  /// After the call, `expected` holds the old value, whether or not the exchange succeeded.
  void compare_exchange(const Rmw& rmw, const std::string& ref) {
    const std::string expected = fmt::format("expected{}", expected_++);
    const std::string type = type_name(rmw.access.type);
    line("{} {} = {};", type, expected, value_as(rmw.compare, rmw.access.type));
    line("{}.compare_exchange_strong({}, {}, {});", ref, expected, value_as(rmw.operand, rmw.access.type),
         order_text(rmw.access.order));
    if (rmw.target) assign(*rmw.target, expected, rmw.access.type);
  }

  void write(const Fence& fence) {
    if (is_asynchronous_ && (fence.scope == Scope::Cluster || fence.is_shared_only)) {
      return line("asm volatile(\"{};\" : : : \"memory\");", ptx_fence(fence));
    }
    if (fence.scope == Scope::Cluster) return fail("CUDA C++ has no fence at cluster scope");
    const bool is_cuda = fence.order == Order::SeqCst && fence.scope != Scope::Thread;
    if (is_cuda) return line("__threadfence{}();", suffix_of(fence.scope));
    result_.uses_atomic_ref = true;
    line("cuda::atomic_thread_fence({}, {});", order_text(fence.order), scope_text(fence.scope));
  }

  void write(const TransactionBegin& /*begin*/) {
    fail("CUDA C++ has no transactions", "kernels/stm is a library of transactions");
  }
  void write(const TransactionEnd& /*end*/) {}

  void write(const ProxyFence& fence) {
    if (is_asynchronous_ && !fence.is_alias && (fence.is_mbarrier_init || fence.proxy == Proxy::Async)) {
      return line("asm volatile(\"{};\" : : : \"memory\");", ptx_proxy_fence(fence));
    }
    fail(fmt::format("CUDA C++ has no fence.proxy.{}", fence.is_alias ? "alias" : to_string(fence.proxy)));
  }

  void write(const Barrier& barrier) {
    if (barrier.exchange) return fail("threads that exchange values: each thread has separate code here");
    switch (barrier.kind) {
      case BarrierKind::Warp: return warp_barrier(barrier);
      case BarrierKind::Cluster:
        if (!is_asynchronous_ && (barrier.arrive_only || barrier.wait_only || barrier.is_relaxed)) {
          return fail(
              "Ambit does not print separate arrivals and waits at a cluster barrier: CUDA C++ needs tokens for them");
        }
        result_.uses_groups = true;
        return line("{}", cluster_barrier(barrier));
      case BarrierKind::Grid:
        if (barrier.count) return fail("the boundary between two launches");
        result_.uses_groups = true;
        return line("cooperative_groups::this_grid().sync();");
      case BarrierKind::Block: return block_barrier(barrier);
    }
  }

  /// Writes a barrier for the lanes of the warp that are threads of the test.
  void warp_barrier(const Barrier& barrier) {
    std::uint32_t lanes = 0;
    for (const Thread& other : program_.threads) {
      const bool is_here =
          same_instance(other.place, thread_.place, Scope::Block) && other.place.warp == thread_.place.warp;
      if (is_here) lanes |= 1U << static_cast<unsigned>(other.place.lane);
    }
    line("__syncwarp({:#x});", barrier.mask & lanes);
  }

  void block_barrier(const Barrier& barrier) {
    const auto number = barrier_number(program_, barrier);
    if (!number) return fail("the number of a barrier is a constant in CUDA C++");
    if (barrier.arrive_only) return fail("CUDA C++ has no arrival at a barrier of the block without waiting");
    if (cuda::has_warpgroups(program_) && *number >= kGroupBarriers) {
      return fail(fmt::format("a barrier with a number above {} in a test with wgmma", kGroupBarriers - 1));
    }
    // A barrier with a count completes after this number of arrivals, from any threads. If all threads have the same
    // barriers, a count of all threads is equivalent to no count.
    const bool is_full = waits_for_all(program_, thread_.place, barrier) &&
                         (!barrier.count || block_barriers(program_, thread_.place.block));
    if (is_full) return line("{}", full_barrier(*number));
    if (cuda::has_warpgroups(program_)) return fail("a barrier of some threads in a test with wgmma");
    const bool is_whole = barrier.count->is_constant() && barrier.count->constant % 32 == 0;
    if (!is_whole) return fail("CUDA counts the arrivals at a barrier in whole warps of 32 threads");
    line("__barrier_sync_count({}, {});", *number, barrier.count->constant);
  }

  void write(const Branch& /*branch*/) {}
  void write(const Jump& /*jump*/) {}
  void write(const Assume& assumption) {
    result_.drops_runs = true;
    line("assume({});", condition_text(assumption.condition, false));
  }
  void write(const AsyncStep& step) { fail(fmt::format("'{}' is not printed as CUDA C++", step.name)); }
  void write(const Assert& assertion) { line("assert({});", condition_text(assertion.condition, false)); }

  const Program& program_;
  const Thread& thread_;
  std::size_t number_;
  const Declarations& declarations_;
  Diagnostics& errors_;
  std::vector<std::string> names_;
  ValueWriter values_;
  std::set<RegisterId> used_;
  std::string text_;
  std::size_t depth_ = 1;
  std::size_t index_ = 0;
  std::size_t expected_ = 0;
  bool is_asynchronous_ = is_asynchronous(program_);
  std::size_t machines_ = 0;
  std::set<RegisterId> states_ = is_asynchronous_ ? state_registers(thread_) : std::set<RegisterId>();
  bool is_group_ = cuda::warps_of(thread_) > 1;  ///< 128 lanes execute the thread
  bool leads_alone_ = false;                     ///< the leader alone executes the current statements
  ThreadText result_;
};

}  // namespace

Declarations find_declarations(const Program& program) {
  std::vector<bool> has_volatile(program.objects.size(), false);
  std::vector<bool> has_other(program.objects.size(), false);
  for (const Thread& thread : program.threads) {
    const std::vector<std::string> names = identifiers(thread);
    for (const Instruction& instruction : thread.code) {
      const MemoryAccess* access = access_of(instruction.operation);
      if (access == nullptr || std::holds_alternative<Rmw>(instruction.operation)) continue;
      const auto object = ValueWriter(program, thread, names).object(access->address);
      if (object) (access->is_volatile ? has_volatile : has_other)[*object] = true;
    }
  }
  Declarations found;
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    found.is_volatile.push_back(has_volatile[i] && !has_other[i]);
  }
  return found;
}

ThreadText thread_text(const Program& program, std::size_t thread, const Declarations& declarations,
                       Diagnostics& errors) {
  return ThreadWriter(program, thread, declarations, errors).write();
}

}  // namespace ambit::standalone
