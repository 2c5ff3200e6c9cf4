#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/program.h"

namespace ambit::events {

/// A set of a thread's registers. The index is the register's number.
using RegisterSet = std::vector<bool>;

/// The instructions begin..end of a thread between the target of a backward jump and the last jump to it.
struct Loop {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< inclusive
  /// The instruction at which iterations are compared. It follows the test at the loop's begin if the test reads only
  /// registers, or one value that threads exchange; otherwise it is `begin`. Therefore `while (s == 0) s = *flag;`
  /// compares iterations where `s` is dead.
  std::size_t cut = 0;
  /// The loop begins with a value that threads exchange, and in other threads this exchange is the test before their
  /// iterations. In this case the first iteration is executed unchanged.
  bool begins_with_exchange = false;
  /// Iterations may be omitted (spin.cpp): the loop reads memory or exchanges values, and contains no transaction.
  bool may_spin = false;
  /// Registers that an iteration may pass to the next iteration, in ascending order: live at `begin`, and at `cut`.
  std::vector<RegisterId> carried = {};
  std::vector<RegisterId> carried_at_cut = {};
};

/// The loops of one thread.
struct ControlFlow {
  std::vector<Loop> loops;                         ///< in increasing order of begin; nested or disjoint
  std::vector<std::optional<std::size_t>> header;  ///< for each instruction, the index of the loop that begins there
  /// Registers live before each instruction, and at the end of the code; empty if there are no loops. An assignment to
  /// a register that is not live uses no register, and neither does a branch around only such assignments. Therefore a
  /// register that is used only to count or to delay is never live.
  std::vector<RegisterSet> live;
};

/// Finds the loops. Returns an error if a jump from outside a loop leads into its middle.
Result<ControlFlow> analyse_control_flow(const Program& program, const Thread& thread,
                                         const std::vector<RegisterId>& observed);

/// Adds the registers that an operation reads.
void add_used_registers(const Operation& operation, RegisterSet& used);

}  // namespace ambit::events
