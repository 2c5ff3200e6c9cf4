#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/program.h"

namespace ambit::cuda {

/// The uses of a block's barrier that a fixed number of arrivals completes. No jump skips or repeats a barrier on
/// hardware (BarrierMapping).
struct CountedBarrier {
  std::map<std::size_t, int> uses;     ///< by thread
  std::set<std::size_t> without_wait;  ///< threads that arrive without waiting
  std::set<Value> counts;              ///< arrivals that complete it, according to its uses
  std::size_t arrivals = 0;            ///< in one run of the test
  std::optional<std::pair<std::size_t, std::size_t>> first_without_wait;  ///< thread and instruction

  /// Returns whether arrivals of different instances in a block can complete it where those of one instance would not:
  /// more threads use it than complete it, or a thread that does not always wait uses it again.
  bool may_mix_instances() const;
  /// Returns whether a run can end with an arrival for which no thread waits. It would count in the next run.
  bool may_leave_arrivals() const;
};

/// Returns the barriers of all blocks whose uses give a count. BarrierMapping rejects a count or an instance in a
/// register.
std::vector<CountedBarrier> counted_barriers(const Program& program);

}  // namespace ambit::cuda
