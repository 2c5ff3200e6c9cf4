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

/// A position in the code that jumps may refer to before it is bound.
using Label = std::size_t;

/// Builds the flat code of one thread. Emits no instruction that cannot be reached.
class CodeBuilder {
 public:
  RegisterId add_register(std::string name, ScalarType type, bool is_opaque = false);
  /// Adds a register without a name in the source.
  RegisterId temporary(ScalarType type);
  const std::vector<Register>& registers() const { return registers_; }

  void emit(Operation operation, SourceSpan span);
  /// Gives all instructions this place during the lifetime of the result: the place of a call whose body has none.
  auto at_place(std::optional<SourceSpan> span) {
    return AtExit([this, outer = std::exchange(place_, place_ ? place_ : span)] { place_ = outer; });
  }
  /// Makes the instructions from number `first` on steps of this machine instruction.
  void attach(std::size_t first, const std::shared_ptr<const MachineInstruction>& machine);
  /// Marks the instructions from number `first` on as bindings of operands: the program does not access registers by
  /// them (Instruction::is_binding).
  void mark_bindings(std::size_t first);
  Label new_label();
  void bind(Label label);
  void jump(Label label, SourceSpan span);
  /// Jumps where `condition` is not 0. A constant condition makes a jump or nothing.
  void branch(Expr condition, Label label, SourceSpan span);
  bool has_jumps_to(Label label) const { return labels_[label].used; }

  /// Returns whether a jump may lead past the current position, so that some executions do not reach it.
  bool is_guarded() const { return open_jumps_ > 0; }
  /// Returns false after a jump, until a label with a jump to it. Always true while muted.
  bool reachable() const { return reachable_ || muted_ > 0; }
  std::size_t size() const { return code_.size(); }

  /// If the last instruction reads into the temporary `value`, makes it read into `target` and removes the temporary:
  /// `int r0 = x` is then one instruction.
  bool retarget(const Expr& value, RegisterId target);

  /// Returns the value of `expr` here, which later assignments do not change.
  Expr stable(Expr expr, SourceSpan span);

  /// During the lifetime of the result, emits nothing: the code is only checked. Registers added meanwhile are removed
  /// at its end.
  auto mute() {
    ++muted_;
    return AtExit([this, registers = registers_.size()] { registers_.resize(registers), --muted_; });
  }
  bool is_muted() const { return muted_ > 0; }

  /// Returns the finished code. Its jumps name instructions. It has no jump to the next instruction and no branch over
  /// a jump. `has_errors`: an error may have left a label without a place, which is then the end.
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
  std::size_t open_jumps_ = 0;  ///< labels that are used and not bound yet
  bool reachable_ = true;
  int muted_ = 0;
};

}  // namespace ambit::parser::litmus
