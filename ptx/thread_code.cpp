// Translates the instructions of a program into PTX instructions (definitions 2.1).

#include "ptx/thread_code.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <utility>
#include <variant>

#include "base/assert.h"
#include "core/asynchronous.h"
#include "core/ptx_mapping.h"

namespace ambit::ptx {
namespace {

/// Returns the name of the instruction that makes an access through a proxy, for example "tld" for a read through the
/// texture proxy. Returns an empty string if the proxy does not have this kind of access.
std::string_view by_proxy(Opcode generic, Proxy proxy) {
  static const std::map<std::pair<Opcode, Proxy>, std::string_view> kNames = {
      {{Opcode::Ld, Proxy::Constant}, "cold"},  {{Opcode::Ld, Proxy::Texture}, "tld"},
      {{Opcode::Ld, Proxy::Surface}, "suld"},   {{Opcode::St, Proxy::Surface}, "sust"},
      {{Opcode::Red, Proxy::Surface}, "sured"}, {{Opcode::Atom, Proxy::Surface}, "suatom"}};
  if (proxy == Proxy::Generic) return to_string(generic);
  const auto found = kNames.find({generic, proxy});
  return found == kNames.end() ? std::string_view() : found->second;
}

class ThreadWriter {
 public:
  ThreadWriter(const Program& program, std::size_t thread, Names& names, const Style& style, Diagnostics& errors)
      : thread_(program.threads[thread]),
        code_(program, thread, names, style, errors),
        is_asynchronous_(is_asynchronous(program)) {}

  Column write() {
    for (const ambit::Instruction& instruction : thread_.code) {
      if (const auto* branch = std::get_if<Branch>(&instruction.operation)) label_of(branch->target);
      if (const auto* jump = std::get_if<Jump>(&instruction.operation)) label_of(jump->target);
    }
    for (std::size_t i = 0; i < thread_.code.size(); ++i) {
      bind(i);
      code_.at(thread_.code[i].span);
      const auto& machine = thread_.code[i].machine;
      if (!is_asynchronous_ || machine == nullptr) {
        std::visit([this](const auto& operation) { write(operation); }, thread_.code[i].operation);
      } else if (i == 0 || thread_.code[i - 1].machine != machine) {
        write(*machine);
      }
    }
    bind(thread_.code.size());
    Column column;
    column.zeros = code_.unwritten();
    column.cells = std::move(code_).take();
    return column;
  }

 private:
  const std::string& label_of(std::size_t instruction) {
    const auto found = labels_.find(instruction);
    return found != labels_.end() ? found->second : labels_.emplace(instruction, code_.new_label()).first->second;
  }
  void bind(std::size_t instruction) {
    const auto label = labels_.find(instruction);
    if (label != labels_.end()) code_.bind(label->second);
  }

  /// Returns the modifiers for the order and scope of an access, for example ".relaxed.gpu", ".weak" or ".volatile". If
  /// the access is seq_cst, emits a fence.sc with the scope of the access.
  std::string strength(const MemoryAccess& access, PtxAccessKind kind) {
    const std::optional<PtxStrength> strong = ptx_strength(access, kind);
    if (!strong) {
      code_.fail("PTX has no thread scope: an atomic operation at thread scope has no documented translation");
      return {};
    }
    if (!strong->fence.empty()) code_.emit(strong->fence);
    return strong->modifiers;
  }

  std::string_view opcode(Opcode generic, const MemoryAccess& access) {
    const std::string_view name = by_proxy(generic, access.proxy);
    if (!name.empty()) return name;
    code_.fail(fmt::format("the PTX litmus format has no '{}' by the {} proxy", to_string(generic),
                           ambit::to_string(access.proxy)));
    return to_string(generic);
  }

  /// Returns the register into which an access reads a value of type `type`: `target` if `target` has this type,
  /// otherwise a new register.
  OperandText destination(RegisterId target, ScalarType type) {
    const bool direct = code_.type_of(target) == type;
    return {direct ? code_.target(target) : code_.fresh(), type, std::nullopt};
  }

  /// Writes the original instruction of an mbarrier operation or an asynchronous operation.
  void write(const MachineInstruction& machine) {
    if (machine.name == "exit") return code_.fail("the exit of a cta is not printed");
    if (machine.uses_tensor_map()) return fail_for_tensor_map();
    std::vector<std::string> operands;
    for (const MachineInstruction::Operand& operand : machine.operands) {
      switch (operand.kind) {
        case MachineInstruction::Operand::Kind::Tensor:
          AMBIT_ASSERT(false && "an instruction with a tensor map");
          break;
        case MachineInstruction::Operand::Kind::Sink: operands.emplace_back("_"); break;
        case MachineInstruction::Operand::Kind::Address: {
          const std::string address = code_.address(operand.value);
          operands.push_back(address.starts_with('[') ? address : "[" + address + "]");
          break;
        }
        case MachineInstruction::Operand::Kind::Value:
        case MachineInstruction::Operand::Kind::State: operands.push_back(code_.value(operand.value).text); break;
      }
    }
    operands = with_vector(machine, std::move(operands));
    if (machine.target) operands.insert(operands.begin(), code_.target(*machine.target));
    code_.repeat(operands.empty() ? machine.name : fmt::format("{} {}", machine.name, fmt::join(operands, ", ")));
  }

  void fail_for_tensor_map() {
    code_.fail("printing tensor maps is not supported", "Ambit can read PTX litmus files with tensor maps");
  }

  void write(const Assign& assign) {
    // The value may be computed directly into the target register only if the expression does not read this register
    // (see Code::value).
    const bool direct = assign.value.result_type() == code_.type_of(assign.target);
    const bool computes = assign.value.op != Op::Register && assign.value.op != Op::Const;
    const OperandText value =
        code_.value(assign.value, direct && computes ? code_.target(assign.target) : std::string());
    code_.move(assign.target, value);
  }

  void write(const Load& load) {
    const std::string address = code_.address(load.access.address);
    const std::string strong = strength(load.access, PtxAccessKind::Load);
    const OperandText result = destination(load.target, load.access.type);
    code_.emit(fmt::format("{}{}{} {}, {}", opcode(Opcode::Ld, load.access), strong, code_.suffix(load.access.type),
                           result.text, address));
    code_.move(load.target, result);
  }

  void write(const Store& store) {
    const std::string address = code_.address(store.access.address);
    const OperandText value = code_.convert(code_.value(store.value), store.access.type);
    const std::string strong = strength(store.access, PtxAccessKind::Store);
    code_.emit(fmt::format("{}{}{} {}, {}", opcode(Opcode::St, store.access), strong, code_.suffix(store.access.type),
                           address, value.text));
  }

  void write(const Rmw& rmw) {
    if (rmw.op == RmwOp::Update) return code_.fail("printing this mbarrier operation is not supported");
    const MemoryAccess& access = rmw.access;
    const std::string address = code_.address(access.address);
    std::string operands;
    if (rmw.op == RmwOp::CompareExchange) {
      operands = code_.convert(code_.value(rmw.compare), access.type).text + ", ";
    }
    operands += code_.convert(code_.value(rmw.operand), access.type).text;
    const std::string strong = strength(access, PtxAccessKind::Rmw);
    const std::string_view name = opcode(rmw.is_reduction ? Opcode::Red : Opcode::Atom, access);
    const std::string modifiers = fmt::format("{}{}.{}{}", name, strong, to_string(rmw.op), code_.suffix(access.type));
    if (rmw.is_reduction) return code_.emit(fmt::format("{} {}, {}", modifiers, address, operands));
    if (!rmw.target) return code_.emit(fmt::format("{} _, {}, {}", modifiers, address, operands));
    const OperandText result = destination(*rmw.target, access.type);
    code_.emit(fmt::format("{} {}, {}, {}", modifiers, result.text, address, operands));
    code_.move(*rmw.target, result);
  }

  void write(const Fence& fence) {
    if (const std::string text = ptx_fence(fence); !text.empty()) code_.emit(text);
  }

  void write(const TransactionBegin& /*begin*/) { AMBIT_ASSERT(false && "refused by ptx_text"); }
  void write(const TransactionEnd& /*end*/) {}

  void write(const ProxyFence& fence) {
    if (fence.address) {
      return fail_for_tensor_map();
    }
    code_.emit(ptx_proxy_fence(fence));
  }

  void write(const Barrier& barrier) {
    if (barrier.exchange) return code_.fail("the PTX litmus format has no exchange of values between threads");
    switch (barrier.kind) {
      case BarrierKind::Block: return block_barrier(barrier);
      case BarrierKind::Warp: return code_.emit(Opcode::BarrierWarpSync, "", {fmt::format("{:#x}", barrier.mask)});
      case BarrierKind::Cluster:
        if (!barrier.wait_only) code_.emit(Opcode::BarrierClusterArrive, barrier.is_relaxed ? ".relaxed" : "");
        if (!barrier.arrive_only) code_.emit(Opcode::BarrierClusterWait, "");
        return;
      case BarrierKind::Grid:
        return code_.fail("a barrier of the whole grid is not a PTX instruction",
                          "CUDA's library builds this barrier from atomics: write these atomics instead");
    }
  }

  void block_barrier(const Barrier& barrier) {
    std::string operands = fmt::format("{}", barrier.id);
    if (barrier.resource) operands += ", " + code_.convert(code_.value(*barrier.resource), kInt).text;
    if (barrier.count) operands += ", " + code_.convert(code_.value(*barrier.count), kInt).text;
    const std::string_view instance = barrier.resource ? ".cta" : "";
    code_.emit(fmt::format("bar{}.{} {}", instance, barrier.arrive_only ? "arrive" : "sync", operands));
  }

  void write(const Branch& branch) { code_.branch(branch.condition, true, label_of(branch.target)); }
  void write(const Jump& jump) { code_.jump(label_of(jump.target)); }
  void write(const Assume& /*assume*/) {
    code_.fail("'assume' is not an instruction", "write it as a condition on the final values: filter (...)");
  }
  void write(const AsyncStep& step) {
    code_.fail(fmt::format("printing '{}' of this language is not supported", step.name),
               "Ambit can read PTX litmus files with this operation");
  }
  void write(const Assert& /*assertion*/) {
    code_.fail("'assert' is not an instruction of the PTX litmus format", "write it in the condition");
  }

  const Thread& thread_;
  Code code_;
  bool is_asynchronous_;
  std::map<std::size_t, std::string> labels_;
};

}  // namespace

Column write_thread(const Program& program, std::size_t thread, Names& names, const Style& style, Diagnostics& errors) {
  return ThreadWriter(program, thread, names, style, errors).write();
}

}  // namespace ambit::ptx
