#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/trace.h"

namespace ambit::detector {

using MarkId = std::uint32_t;
using FenceSetId = std::uint32_t;

/// The mark of a seq_cst fence. One mark can denote several seq_cst fences of the same scope by threads of one block.
struct KnownFence {
  MarkId mark = kNoName;
  std::uint32_t marker = kNoName;  ///< the mark's thread; kNoName if the mark joins marks of several threads
  std::uint32_t thread = 0;        ///< one of the threads that executed the fences
  Scope scope = Scope::Device;
  bool is_inside = false;  ///< the fence was executed in a critical section
  /// If true, the mark represents one fence of each lane of the warp whose first thread is `marker`.
  bool is_of_warp = false;
  /// The thread that owns the set has only observed a write after the fence (fence_inference.cpp).
  bool is_observed = false;
  std::uint64_t since = 0;  ///< the fence's event; for a chain, the chain's number of fences; 0 for joined fences
  /// The number of the chain of writes to which the fences belong; 0 without a chain. Several blocks made these writes.
  std::uint64_t chain = 0;
  bool operator==(const KnownFence&) const = default;
};

/// The seq_cst fences that come before a thread's next seq_cst fence (docs/detectors/order.md). Threads that passed a
/// barrier together share one set. Each fence holds one reference to its mark.
struct FenceSet {
  /// The effect of a thread's fence on the set: the fence comes after the marks in `edges` (pairs of mark and marker),
  /// and the set becomes `rest`. The effect is the same for all threads of a block.
  struct Passed {
    std::uint32_t thread = kNoName;  ///< a thread of the block; kNoName before the first fence
    Scope scope = Scope::Device;
    /// True if the fence adds no edges and leaves the set unchanged. In this case, `rest` is not used.
    bool keeps_all = false;
    std::vector<std::pair<MarkId, std::uint32_t>> edges;  ///< each pair holds one reference to its mark
    FenceSetId rest = kNoName;
  };

  std::vector<KnownFence> fences;
  std::vector<KnownFence> unobserved;  ///< the unobserved fences among `fences`, if has_unobserved
  bool has_unobserved = false;
  std::uint32_t uses = 0;
  bool is_compact = false;  ///< has at most one fence for each block, scope, is_inside and is_observed
  Passed passed;
};

/// The last result of add_observed(). Holds one reference to each set.
struct ObservedFences {
  FenceSetId before = kNoName;  ///< the thread's set before the call
  FenceSetId found = kNoName;   ///< the fences that the thread observed
  FenceSetId made = kNoName;    ///< the thread's set after the call
};

}  // namespace ambit::detector
