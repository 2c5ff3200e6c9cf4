#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/expr.h"
#include "core/program.h"
#include "core/source.h"
#include "parser/litmus/at_exit.h"

namespace ambit::parser::litmus {

/// A position in the code. Jumps may refer to it before it is bound.
using Label = std::size_t;

/// Builds the flat code of one thread. Does not emit unreachable instructions.
class CodeBuilder {
 public:
  RegisterId add_register(std::string name, ScalarType type, bool is_opaque = false);
  /// Adds a register without a name in the source.
  RegisterId temporary(ScalarType type);
  const std::vector<Register>& registers() const { return registers_; }

  void emit(Operation operation, SourceSpan span);
  /// Gives all instructions this source place until the result is destroyed: the place of a call to a function that is
  /// not in the file.
  auto at_place(std::optional<SourceSpan> span) {
    return AtExit([this, outer = std::exchange(place_, place_ ? place_ : span)] { place_ = outer; });
  }
  /// Attaches this machine instruction to the instructions from number `first` to the end: they are its steps.
  void attach(std::size_t first, const std::shared_ptr<const MachineInstruction>& machine);
  /// Marks the instructions from number `first` to the end as bindings of operands: the program has no such access to
  /// registers (Instruction::is_binding).
  void mark_bindings(std::size_t first);
  Label new_label();
  void bind(Label label);
  void jump(Label label, SourceSpan span);
  /// Emits a jump that is taken if `condition` is not 0. A constant condition makes an unconditional jump or nothing.
  void branch(Expr condition, Label label, SourceSpan span);
  bool has_jumps_to(Label label) const { return labels_[label].used; }

  /// Returns whether a jump may lead past the current position, so that some executions do not reach it.
  bool is_guarded() const { return open_jumps_ > 0; }
  /// Returns false from a jump to the next label that a jump targets. Always true while muted.
  bool reachable() const { return reachable_ || muted_ > 0; }
  std::size_t size() const { return code_.size(); }

  /// Makes the last instruction read into `target`, if it reads into the temporary `value`, and removes the temporary.
  /// `int r0 = x` is then one instruction.
  bool retarget(const Expr& value, RegisterId target);

  /// Returns an expression with the current value of `expr`, which later assignments do not change.
  Expr stable(Expr expr, SourceSpan span);

  /// Until the result is destroyed, emits nothing: the code is only checked. At the end, removes the registers that
  /// this code has added.
  auto mute() {
    ++muted_;
    return AtExit([this, registers = registers_.size()] { registers_.resize(registers), --muted_; });
  }
  bool is_muted() const { return muted_ > 0; }

  /// Returns the finished code. Jumps contain numbers of instructions. No jump leads to the next instruction, and no
  /// branch skips only a jump. With `has_errors`, a label may be unbound; it is then the end of the code.
  std::vector<Instruction> finish(bool has_errors);
  std::vector<Register> take_registers() { return std::move(registers_); }

 private:
  struct Target {
    std::size_t position = 0;
    bool bound = false;
    bool used = false;
  };

  void use(Label label);

  std::vector<Instruction> code_;
  std::vector<Register> registers_;
  std::vector<Target> labels_;
  std::optional<SourceSpan> place_;
  std::size_t last_bound_ = 0;
  std::size_t temporaries_ = 0;
  std::size_t open_jumps_ = 0;  ///< number of labels that jumps use and that are not bound yet
  bool reachable_ = true;
  int muted_ = 0;
};

}  // namespace ambit::parser::litmus
