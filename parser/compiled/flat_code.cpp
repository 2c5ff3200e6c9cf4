#include "parser/compiled/flat_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/demangled.h"
#include "parser/compiled/mangled_name.h"

namespace ambit::parser::compiled {
namespace {

using assembly::Function;
using assembly::Instruction;
using assembly::Module;
using assembly::Opcode;
using assembly::Operand;

constexpr std::size_t kMaximumCode = 100000;
constexpr std::size_t kMaximumCalls = 64;  ///< depth of nested calls

/// Inlines calls. Uses an explicit call stack instead of recursion.
class Inliner {
 public:
  Inliner(const Module& module, const Places& places, Reporter& reporter)
      : module_(module), places_(places), reporter_(reporter) {}

  std::optional<FlatCode> inline_all(const Function& kernel) {
    flat_.module = &module_;
    flat_.kernel = &kernel;
    enter(kernel, {}, {});
    while (!stack_.empty() && good_) {
      Call& call = stack_.back();
      if (call.next == call.function->instructions.size()) {
        leave();
      } else {
        call.positions.push_back(position());
        add(call.function->instructions[call.next++]);
      }
    }
    if (!good_) return std::nullopt;
    return std::move(flat_);
  }

 private:
  /// A jump whose target has no position yet: a label, or the end of the function.
  struct Pending {
    std::uint32_t instruction = 0;
    std::size_t target = 0;
    std::uint32_t label = assembly::kNone;  ///< label to jump to; kNone: the end of the function
  };
  struct Call {
    const Function* function = nullptr;
    std::uint32_t frame = 0;
    std::uint32_t first_register = 0;
    std::size_t next = 0;
    std::vector<std::uint32_t> positions;  ///< the position of each instruction in the flat code
    std::vector<Pending> pending;
    SourceSpan span;                         ///< place of the call in the source
    std::uint32_t source = assembly::kNone;  ///< place of the call, as an index in Module::places
  };

  std::uint32_t position() const { return static_cast<std::uint32_t>(flat_.code.size()); }

  void fail(const Instruction& instruction, std::string message, std::string hint = {}) {
    reporter_.error(span_of(instruction), std::move(message), std::move(hint));
    good_ = false;
  }

  /// Returns the numbers of the registers that the function's instructions name. The first call of registers_of() for a
  /// function assigns the numbers of the function's registers.
  const std::vector<std::uint32_t>& registers_of(const Function& function) {
    const auto [entry, is_new] = used_.try_emplace(&function);
    std::vector<std::uint32_t>& used = entry->second;
    if (!is_new) return used;
    std::vector<std::uint32_t>& numbers = flat_.numbers[&function];
    numbers.assign(function.registers.size(), assembly::kNone);
    const auto use = [&](std::uint32_t reg) {
      if (numbers[reg] != assembly::kNone) return;
      numbers[reg] = static_cast<std::uint32_t>(used.size());
      used.push_back(reg);
    };
    for (const Instruction& instruction : function.instructions) {
      if (instruction.guard.reg != assembly::kNone) use(instruction.guard.reg);
      for (const Operand& operand : instruction.operands) {
        const bool is_base = operand.kind == Operand::Kind::Address && operand.base == Operand::Base::Register;
        if (operand.kind == Operand::Kind::Register || is_base) use(operand.index);
      }
    }
    return used;
  }

  void enter(const Function& function, const std::vector<std::pair<FrameVariable, FrameVariable>>& aliases,
             const SourceSpan& span) {
    Call call;
    call.function = &function;
    call.frame = frames_++;
    call.first_register = static_cast<std::uint32_t>(flat_.registers.size());
    call.span = span;
    const std::string prefix = stack_.empty() ? "" : fmt::format("{}:", function.name);
    for (const std::uint32_t i : registers_of(function)) {
      flat_.registers.push_back({function.registers[i], prefix + function.register_name(i)});
    }
    for (const auto& [callee, caller] : aliases) {
      flat_.aliases.emplace(FrameVariable{call.frame, callee.variable}, flat_.resolved(caller));
    }
    stack_.push_back(std::move(call));
  }

  void leave() {
    Call& call = stack_.back();
    call.positions.push_back(position());
    for (const Pending& pending : call.pending) {
      const std::uint32_t at = pending.label == assembly::kNone
                                   ? position()
                                   : call.positions[call.function->labels[pending.label].instruction];
      flat_.code[pending.instruction].targets[pending.target] = at;
    }
    stack_.pop_back();
  }

  /// Returns the place of the instruction. In a function that is not user code, returns the place of the call.
  SourceSpan span_of(const Instruction& instruction) const {
    const SourceSpan span = places_.span(*stack_.back().function, instruction);
    return span.line == 0 ? stack_.back().span : span;
  }

  FlatInstruction made(const Instruction& instruction, FlatInstruction::Kind kind) {
    const Call& call = stack_.back();
    FlatInstruction flat;
    flat.kind = kind;
    flat.function = call.function;
    flat.instruction = &instruction;
    flat.first_register = call.first_register;
    flat.numbers = &flat_.numbers.at(call.function);
    flat.frame = call.frame;
    flat.span = span_of(instruction);
    return flat;
  }

  void add_jump(const Instruction& instruction, std::uint32_t label) {
    FlatInstruction flat = made(instruction, FlatInstruction::Kind::Jump);
    flat.targets.push_back(0);
    stack_.back().pending.push_back({position(), 0, label});
    flat_.code.push_back(std::move(flat));
  }

  void add(const Instruction& instruction) {
    if (flat_.code.size() > kMaximumCode) {
      return fail(instruction, fmt::format("the kernel has more than {} instructions after inlining", kMaximumCode));
    }
    switch (instruction.opcode) {
      case Opcode::Bra: return add_jump(instruction, instruction.operands[0].index);
      case Opcode::Ret: return add_jump(instruction, assembly::kNone);
      case Opcode::BrxIndex: return add_choice(instruction);
      case Opcode::Call: return add_call(instruction);
      default: flat_.code.push_back(made(instruction, FlatInstruction::Kind::Plain));
    }
  }

  void add_choice(const Instruction& instruction) {
    FlatInstruction flat = made(instruction, FlatInstruction::Kind::Choice);
    for (const std::uint32_t label : stack_.back().function->targets[instruction.operands[1].index].indexes) {
      stack_.back().pending.push_back({position(), flat.targets.size(), label});
      flat.targets.push_back(0);
    }
    flat_.code.push_back(std::move(flat));
  }

  /// Adds an unsupported instruction. If a thread reaches the instruction, an error is reported.
  void add_refused(const Instruction& instruction, std::string why, std::string hint) {
    if (instruction.guard.reg != assembly::kNone) {
      add_jump_around(instruction);
      flat_.code.back().targets[0] = position() + 1;
    }
    FlatInstruction flat = made(instruction, FlatInstruction::Kind::Refused);
    flat.refusal = std::move(why);
    flat.hint = std::move(hint);
    flat_.code.push_back(std::move(flat));
  }

  void add_call(const Instruction& instruction) {
    const Operand& callee = instruction.operands[1];
    if (callee.kind != Operand::Kind::Function) {
      return add_refused(instruction, "a call through a pointer is not supported",
                         "call the function by its name; a template argument can choose it");
    }
    const Function& function = module_.functions[callee.index];
    if (!function.has_body) return add_call_of_library(instruction, function);
    const auto is_same = [&](const Call& call) { return call.function == &function; };
    if (std::ranges::any_of(stack_, is_same)) {
      return add_refused(instruction, fmt::format("'{}' calls itself", demangled(function.name)),
                         "Ambit inlines all calls: write the recursion as a loop");
    }
    if (stack_.size() == kMaximumCalls) {
      return fail(instruction, fmt::format("calls are nested deeper than {}", kMaximumCalls));
    }
    std::vector<std::pair<FrameVariable, FrameVariable>> aliases;
    if (!bind(instruction, instruction.operands[0], function.returns, aliases) ||
        !bind(instruction, instruction.operands[2], function.parameters, aliases)) {
      return;
    }
    std::vector<Pending> pending;
    if (instruction.guard.reg != assembly::kNone) {
      pending.push_back({position(), 0, assembly::kNone});
      add_jump_around(instruction);
    }
    enter(function, aliases, span_of(instruction));
    stack_.back().source = instruction.source;
    stack_.back().pending = std::move(pending);
  }

  /// Adds a call of a function that has no body in the module.
  void add_call_of_library(const Instruction& instruction, const Function& function) {
    if (function.name == "vprintf") return;  // printing does not access memory; the arguments have been read
    if (function.name != "__assertfail") {
      return add_refused(instruction,
                         fmt::format("the function '{}' has no code in this module", demangled(function.name)),
                         "give a module that defines all functions that the kernel calls");
    }
    if (instruction.guard.reg != assembly::kNone) {
      add_jump_around(instruction);
      flat_.code.back().targets[0] = position() + 1;
    }
    flat_.code.push_back(made(instruction, FlatInstruction::Kind::AssertFail));
    flat_.code.back().is_of_library = is_of_library(instruction);
  }

  /// Returns whether the assertion is in a header of libcu++, cooperative groups, CUB or Thrust.
  bool is_of_library(const Instruction& instruction) const {
    constexpr std::array<std::string_view, 5> kFolders = {"/cuda/std/", "/cuda/__", "/cooperative_groups/", "/cub/",
                                                          "/thrust/"};
    // __assert_fail is a function of the CUDA toolkit; it calls __assertfail
    const bool is_inner = stack_.back().function->name == "__assert_fail";
    const std::uint32_t source = is_inner ? stack_.back().source : instruction.source;
    if (source == assembly::kNone) return false;
    const std::string& file = module_.files[module_.places[source].file];
    return std::ranges::any_of(kFolders, [&](std::string_view folder) { return file.find(folder) != file.npos; });
  }

  /// Adds a jump that skips a call if the predicate of the call is false.
  void add_jump_around(const Instruction& instruction) {
    FlatInstruction flat = made(instruction, FlatInstruction::Kind::Jump);
    flat.is_inverted = true;
    flat.targets.push_back(0);
    flat_.code.push_back(std::move(flat));
  }

  bool bind(const Instruction& instruction, const Operand& list, const std::vector<assembly::Parameter>& parameters,
            std::vector<std::pair<FrameVariable, FrameVariable>>& aliases) {
    const auto arguments = instruction.elements(list);
    if (arguments.size() != parameters.size()) {
      fail(instruction, fmt::format("the call has {} arguments, but the function has {} parameters", arguments.size(),
                                    parameters.size()));
      return false;
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (parameters[i].is_register || arguments[i].kind != Operand::Kind::Variable) {
        fail(instruction, "parameters in registers are not supported");
        return false;
      }
      aliases.push_back({{0, parameters[i].index}, {stack_.back().frame, arguments[i].index}});
    }
    return true;
  }

  const Module& module_;
  const Places& places_;
  Reporter& reporter_;
  FlatCode flat_;
  std::map<const Function*, std::vector<std::uint32_t>> used_;
  std::vector<Call> stack_;
  std::uint32_t frames_ = 0;
  bool good_ = true;
};

}  // namespace

std::optional<FlatCode> flatten(const Module& module, const Function& kernel, const Places& places,
                                Reporter& reporter) {
  return Inliner(module, places, reporter).inline_all(kernel);
}

}  // namespace ambit::parser::compiled
