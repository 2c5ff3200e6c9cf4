#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/expr.h"
#include "core/program.h"
#include "core/source.h"
#include "parser/litmus/at_exit.h"

namespace ambit::parser::litmus {

/// A place in the code that jumps can name before it is known where it is.
using Label = std::size_t;

/// Builds the flat code of one thread. Knows what can be reached, and emits nothing that cannot.
class CodeBuilder {
 public:
  RegisterId add_register(std::string name, ScalarType type);
  /// A register without a source name.
  RegisterId temporary(ScalarType type);
  const std::vector<Register>& registers() const { return registers_; }

  void emit(Operation operation, SourceSpan span);
  Label new_label();
  void bind(Label label);
  void jump(Label label, SourceSpan span);
  /// Jumps where `condition` is not 0. A constant condition makes a jump or nothing.
  void branch(Expr condition, Label label, SourceSpan span);
  bool has_jumps_to(Label label) const { return labels_[label].used; }

  /// False after a jump until a label that something jumps to. True while muted.
  bool reachable() const { return reachable_ || muted_ > 0; }
  std::size_t size() const { return code_.size(); }

  /// Where the last instruction is a read into the temporary that `value` names, it reads into `target` instead and the
  /// temporary goes: `int r0 = x` is then one instruction.
  bool retarget(const Expr& value, RegisterId target);

  /// The value of `expr` now: later assignments do not change the result.
  Expr stable(Expr expr, SourceSpan span);

  /// As long as the result lives, nothing is emitted: the code is only checked. New registers go with it.
  auto mute() {
    ++muted_;
    return AtExit([this, registers = registers_.size()] { registers_.resize(registers), --muted_; });
  }
  bool is_muted() const { return muted_ > 0; }

  /// The finished code with jumps to instruction indices, tidied: no jumps to the next instruction, no branches over
  /// jumps.
  std::vector<Instruction> finish();
  std::vector<Register> take_registers() { return std::move(registers_); }

 private:
  struct Target {
    std::size_t position = 0;
    bool bound = false;
    bool used = false;
  };

  std::vector<Instruction> code_;
  std::vector<Register> registers_;
  std::vector<Target> labels_;
  std::size_t last_bound_ = 0;
  std::size_t temporaries_ = 0;
  bool reachable_ = true;
  int muted_ = 0;
};

}  // namespace ambit::parser::litmus
