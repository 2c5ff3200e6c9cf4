#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/program.h"

namespace ambit::cuda {

/// A barrier of a block that a number of arrivals completes, as the code of the test uses it. No jump skips or repeats
/// a barrier on hardware (BarrierMapping).
struct CountedBarrier {
  std::map<std::size_t, int> uses;     ///< by thread
  std::set<std::size_t> without_wait;  ///< threads that arrive without waiting
  std::set<Value> counts;              ///< arrivals that complete it, as its uses say
  std::size_t arrivals = 0;            ///< in one run of the test
  std::optional<std::pair<std::size_t, std::size_t>> first_without_wait;  ///< thread and instruction

  /// Whether arrivals of different instances in a block can complete it where those of one instance would not: more
  /// threads use it than complete it, or one that does not always wait uses it again.
  bool may_mix_instances() const;
  /// Whether a run can end with an arrival for which nobody waits. It would count in the next run.
  bool may_leave_arrivals() const;
};

/// The barriers of all blocks whose uses give a count. BarrierMapping refuses a count or an instance in a register.
std::vector<CountedBarrier> counted_barriers(const Program& program);

}  // namespace ambit::cuda
