#pragma once

#include <vector>

#include "model/events/event_graph.h"
#include "model/explain/repair.h"

namespace ambit::repair {

/// Barriers of the source that belong together, because arrivals at them can complete the same phase. If only some of
/// them are removed, a thread waits for arrivals that are no longer in the program.
struct BarrierGroup {
  std::vector<explain::Site> sites;  ///< in order of places
  /// True if every execution of the program passes these barriers and all other barriers of this kind and number, and
  /// all threads that use them pass equally many. Removing the group then changes no other phase.
  bool is_uniform = false;
};

/// Returns the groups of the barriers among the sites of find_sites(), in order of places. Boundaries of kernels are
/// not barriers of the source.
///
/// Two threads of one barrier meet at their barriers in order: the first barrier of one thread belongs to the first
/// barrier of the other thread. If the threads have different numbers of barriers, all their barriers belong together.
std::vector<BarrierGroup> find_barrier_groups(const events::EventGraph& graph, const std::vector<explain::Site>& sites);

}  // namespace ambit::repair
