#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/trace.h"
#include "detector/inference/lock_groups.h"

namespace ambit::detector {

/// Selects the correct reorderings.
struct BruteForceOptions {
  Overlap overlap = Overlap::Mutual;
  bool by_value = false;             ///< reads must return the same value; otherwise they must read from the same write
  bool keeps_section_order = false;  ///< enumerate only sync-preserving reorderings
  bool frees_atomic_reads = false;   ///< atomic reads may read from any write
};

/// Numbers of two events, the earlier event first.
using EventPair = std::pair<std::uint64_t, std::uint64_t>;

struct BruteForceResult {
  std::set<EventPair> races;
  bool has_deadlock = false;  ///< some correct reordering ends in threads that wait for each other
};

/// Enumerates all correct reorderings of a small sequentially consistent trace, by the definition (definitions 5.1) and
/// from the events alone. Supports accesses, explicit locks, barriers of blocks and warps, exits, forks and joins. All
/// other events can run at any time.
BruteForceResult reorder_by_brute_force(const Trace& trace, const BruteForceOptions& options);

/// Runs a witness by the same rules. Returns the error of the witness, or nothing if both events of the pair are next
/// after the witness.
std::optional<std::string> judge_witness(const Trace& trace, const BruteForceOptions& options,
                                         const std::vector<std::uint64_t>& witness, EventPair pair);

}  // namespace ambit::detector
