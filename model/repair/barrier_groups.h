#pragma once

#include <vector>

#include "model/events/event_graph.h"
#include "model/explain/repair.h"

namespace ambit::repair {

/// Barriers in the source that belong together, because arrivals at these barriers can complete the same phase. If only
/// some of these barriers are removed, a thread waits for arrivals that are no longer in the program.
struct BarrierGroup {
  std::vector<explain::Site> sites;  ///< in order of places
  /// True if every execution of the program passes all barriers of this kind and number, and each thread that uses such
  /// barriers passes equally many. Then the removal of the group does not change any other phase.
  bool is_uniform = false;
};

/// Returns the groups of the barriers among the sites of find_sites(), in order of places. The boundaries of kernels
/// are not barriers in the source.
///
/// Two threads that share a barrier meet in order: the first barrier of one thread belongs with the first barrier of
/// the other thread. If the threads have different numbers of barriers, all their barriers belong together.
std::vector<BarrierGroup> find_barrier_groups(const events::EventGraph& graph, const std::vector<explain::Site>& sites);

}  // namespace ambit::repair
