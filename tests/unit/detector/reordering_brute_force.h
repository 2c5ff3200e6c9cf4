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

/// Options that select the correct reorderings.
struct BruteForceOptions {
  Overlap overlap = Overlap::Mutual;
  bool by_value = false;             ///< reads must return the same value; if false, must read from the same write
  bool keeps_section_order = false;  ///< enumerate only sync-preserving reorderings
  bool frees_atomic_reads = false;   ///< atomic reads may read from any write
};

/// The numbers of two events. The first number belongs to the earlier event.
using EventPair = std::pair<std::uint64_t, std::uint64_t>;

struct BruteForceResult {
  std::set<EventPair> races;
  bool has_deadlock = false;  ///< some correct reordering ends in a deadlock
};

/// Enumerates all correct reorderings of a small sequentially consistent trace. Uses only the definition (definitions
/// 5.1) and the events. Supports accesses, explicit locks, barriers of blocks and warps, exits, forks and joins. Any
/// other event can run at any time.
BruteForceResult reorder_by_brute_force(const Trace& trace, const BruteForceOptions& options);

/// Runs a witness by the rules of reorder_by_brute_force(). Returns an error, or nothing if each event of the pair is
/// the next event of its thread after the witness.
std::optional<std::string> judge_witness(const Trace& trace, const BruteForceOptions& options,
                                         const std::vector<std::uint64_t>& witness, EventPair pair);

}  // namespace ambit::detector
