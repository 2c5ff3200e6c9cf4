#pragma once

#include <cstdint>
#include <set>

#include "core/trace.h"
#include "detector/lock_groups.h"
#include "detector/sync_inference.h"

namespace ambit::detector {

/// The relation that a closure computes.
struct ClosureOptions {
  enum class Relation : std::uint8_t { HappensBefore, Causal } relation = Relation::Causal;
  Overlap overlap = Overlap::Mutual;
  bool hard_barriers = true;
  bool polling_acquires = true;
  SyncInference::Rules rules = SyncInference::Rules::Papers;
};

/// (thread of the earlier access, event number of the later one): nothing orders them and they conflict.
using RacePairs = std::set<std::pair<std::uint32_t, std::uint64_t>>;

/// The races of a small trace by the definitions (definitions 4.1, 4.3): least fixpoints over pairs of events, without
/// any clock. Only what the trace means (SyncInference) is shared with the detectors.
RacePairs races_by_closure(const Trace& trace, const ClosureOptions& options);

}  // namespace ambit::detector
