#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/trace.h"

namespace ambit::detector {

using MarkId = std::uint32_t;
using FenceSetId = std::uint32_t;

/// A fence of order seq_cst, or several of one scope by threads of one block, as one mark.
struct KnownFence {
  MarkId mark = kNoName;
  std::uint32_t marker = kNoName;  ///< thread that the mark is of; kNoName: several
  std::uint32_t thread = 0;        ///< one of those that fenced
  Scope scope = Scope::Device;
  bool is_inside = false;    ///< of a critical section
  bool is_of_warp = false;   ///< one of each lane of the warp whose first thread is `marker`, by one mark
  bool is_observed = false;  ///< an access after it was observed; otherwise the fence itself comes before
  std::uint64_t since = 0;   ///< its event, if it is one; of a chain, how many messages it includes
  std::uint64_t chain = 0;   ///< number of the chain of writes whose fences these are, of several blocks; 0: of none
  bool operator==(const KnownFence&) const = default;
};

/// Fences of order seq_cst that the next such fence of a thread comes after (docs/detectors/order.md). Threads that
/// have passed a barrier share one set. Each fence holds one use of its mark.
struct FenceSet {
  /// The effect of a fence on the set, the same for all threads of a block: the fence comes after the marks in `edges`,
  /// each with its marker, and the set `rest` remains.
  struct Passed {
    std::uint32_t thread = kNoName;  ///< one of the block; kNoName: no fence yet
    Scope scope = Scope::Device;
    bool keeps_all = false;                               ///< no edges, and the same set remains; `rest` is not used
    std::vector<std::pair<MarkId, std::uint32_t>> edges;  ///< each holds one use of its mark
    FenceSetId rest = kNoName;
  };

  std::vector<KnownFence> fences;
  std::vector<KnownFence> unobserved;  ///< the unobserved ones of `fences`, if has_unobserved
  bool has_unobserved = false;
  std::uint32_t uses = 0;
  bool is_compact = false;  ///< one entry for each block, scope, is_inside and is_observed
  Passed passed;
};

/// The last result of add_observed(). It keeps one use of each set.
struct ObservedFences {
  FenceSetId before = kNoName;  ///< the set that the thread had
  FenceSetId found = kNoName;   ///< the fences that it observed
  FenceSetId made = kNoName;    ///< the set that it has now
};

}  // namespace ambit::detector
