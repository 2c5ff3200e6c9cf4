#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/program.h"

namespace ambit::events {

/// A set of a thread's registers, indexed by register number.
using RegisterSet = std::vector<bool>;

/// The instructions begin..end of a thread, from the target of a backward jump to the last jump to this target.
struct Loop {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< inclusive
  /// The instruction at which Ambit compares iterations. If the test at the loop's start reads only registers, or one
  /// value that threads exchange, the cut is after this test. Otherwise the cut is `begin`. So in `while (s == 0) s =
  /// *flag;`, register `s` is dead at the cut.
  std::size_t cut = 0;
  /// True if the loop begins with an exchange of a value, and in other threads this exchange is the test before the
  /// first iteration. In this case, the walker executes the first iteration unchanged.
  bool begins_with_exchange = false;
  /// True if iterations may be omitted (spin.cpp): the loop reads memory or exchanges values, and contains no
  /// transaction.
  bool may_spin = false;
  /// The registers through which an iteration may pass values to the next iteration: live at `begin`, or live at `cut`.
  /// In ascending order.
  std::vector<RegisterId> carried = {};
  std::vector<RegisterId> carried_at_cut = {};
};

/// The loops of one thread.
struct ControlFlow {
  std::vector<Loop> loops;                         ///< in increasing order of begin; nested or disjoint
  std::vector<std::optional<std::size_t>> header;  ///< for each instruction, the index of the loop that it begins
  /// The registers that are live before each instruction, and at the end of the code; empty without loops. An
  /// assignment to a dead register uses no registers. A branch that skips only assignments to dead registers also uses
  /// no registers. So a register that only serves as a counter or a delay is never live.
  std::vector<RegisterSet> live;
};

/// Finds the loops. Returns an error if a jump from outside a loop leads into the middle of the loop.
Result<ControlFlow> analyse_control_flow(const Program& program, const Thread& thread,
                                         const std::vector<RegisterId>& observed);

/// Adds the registers that an operation reads.
void add_used_registers(const Operation& operation, RegisterSet& used);

}  // namespace ambit::events
