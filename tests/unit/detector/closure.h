#pragma once

#include <cstdint>
#include <set>

#include "core/trace.h"
#include "detector/inference/lock_groups.h"
#include "detector/inference/sync_inference.h"

namespace ambit::detector {

/// Selects the relation that a closure computes.
struct ClosureOptions {
  enum class Relation : std::uint8_t { HappensBefore, Causal } relation = Relation::Causal;
  Overlap overlap = Overlap::Mutual;
  bool hard_barriers = true;
  bool polling_acquires = true;
  SyncInference::Rules rules = SyncInference::Rules::Papers;
};

/// Unordered, conflicting accesses. Each pair: the thread of the earlier access, the event number of the later access.
using RacePairs = std::set<std::pair<std::uint32_t, std::uint64_t>>;

/// Returns the races of a small trace by definition (definitions 4.1, 4.3). Computes least fixpoints over pairs of
/// events, without clocks. This code and the detectors share only SyncInference, which infers the synchronisation of a
/// trace.
RacePairs races_by_closure(const Trace& trace, const ClosureOptions& options);

}  // namespace ambit::detector
