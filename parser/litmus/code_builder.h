#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "core/expr.h"
#include "core/program.h"
#include "parser/litmus/at_exit.h"

namespace ambit::parser::litmus {

/// A position in the code. Jumps may refer to a label before the label is bound.
using Label = std::size_t;

/// Builds the flat code of one thread. Does not emit unreachable instructions.
class CodeBuilder {
 public:
  RegisterId add_register(std::string name, ScalarType type, bool is_opaque = false);
  /// Adds a register for a value that has no name in the source.
  RegisterId temporary(ScalarType type);
  const std::vector<Register>& registers() const { return registers_; }

  void emit(Operation operation, SourceSpan span);
  /// Gives all instructions the source place `span`, until the returned object is destroyed. While a function that is
  /// not in the file is inlined, `span` is the place of the call.
  auto at_place(std::optional<SourceSpan> span) {
    return AtExit([this, outer = std::exchange(place_, place_ ? place_ : span)] { place_ = outer; });
  }
  /// Records that the instructions from number `first` to the end are the steps of the instruction `machine`.
  void attach(std::size_t first, const std::shared_ptr<const MachineInstruction>& machine);
  /// Marks the instructions from number `first` to the end as bindings of operands. The user's program does not contain
  /// bindings (Instruction::is_binding).
  void mark_bindings(std::size_t first);
  Label new_label();
  void bind(Label label);
  void jump(Label label, SourceSpan span);
  /// Emits a jump that is taken if `condition` is not 0. If the condition is constant, emits an unconditional jump or
  /// nothing.
  void branch(Expr condition, Label label, SourceSpan span);
  bool has_jumps_to(Label label) const { return labels_[label].used; }

  /// Returns whether a jump may skip the current position, so that some executions never reach this position.
  bool is_guarded() const { return open_jumps_ > 0; }
  /// Returns whether the current position is reachable. Code after a jump is unreachable, until the next label that a
  /// jump targets. Always returns true in muted code.
  bool reachable() const { return reachable_ || muted_ > 0; }
  std::size_t size() const { return code_.size(); }

  /// If the last instruction reads memory into the temporary `value`, makes the instruction read into `target`, and
  /// removes the temporary. For example, `int r0 = x` becomes a single read into r0.
  bool retarget(const Expr& value, RegisterId target);

  /// Returns an expression that has the current value of `expr` and is independent of later assignments.
  Expr stable(Expr expr, SourceSpan span);

  /// Mutes the builder until the returned object is destroyed. Muted code is only checked; the builder emits nothing,
  /// and at the end removes the registers that the muted code has added.
  auto mute() {
    ++muted_;
    return AtExit([this, registers = registers_.size()] { registers_.resize(registers), --muted_; });
  }
  bool is_muted() const { return muted_ > 0; }

  /// Returns the finished code. The targets of jumps are instruction numbers. The code has no jump to the next
  /// instruction, and no branch that skips only a jump. If `has_errors` is set, an unbound label means the end of the
  /// code.
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
  std::size_t open_jumps_ = 0;  ///< number of unbound labels that jumps use
  bool reachable_ = true;
  int muted_ = 0;
};

}  // namespace ambit::parser::litmus
