#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/program.h"

namespace ambit::cuda {

/// Describes how a test uses one block barrier that completes after a fixed number of arrivals. BarrierMapping rejects
/// jumps that skip or repeat a barrier, so a thread uses the barrier equally often in each run.
struct CountedBarrier {
  std::map<std::size_t, int> uses;     ///< for each thread, how often the thread uses the barrier
  std::set<std::size_t> without_wait;  ///< threads that arrive without waiting
  std::set<Value> counts;              ///< the numbers of arrivals that the instructions specify
  std::size_t arrivals = 0;            ///< arrivals in one run of the test
  /// The first thread that arrives without waiting, and the number of its instruction.
  std::optional<std::pair<std::size_t, std::size_t>> first_without_wait;

  /// Returns whether arrivals of several instances in a block can complete one phase of the barrier. Instances mix if
  /// more threads use the barrier than one phase needs, or if a thread arrives twice without a wait.
  bool may_mix_instances() const;
  /// Returns whether a run can end with arrivals in an incomplete phase. The next run would count these arrivals.
  bool may_leave_arrivals() const;
};

/// Returns all block barriers whose uses specify a count. BarrierMapping rejects a barrier whose count or resource is
/// in a register.
std::vector<CountedBarrier> counted_barriers(const Program& program);

}  // namespace ambit::cuda
