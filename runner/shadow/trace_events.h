#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/trace.h"
#include "runner/shadow/shadow_memory.h"
#include "runner/shadow/site_numbers.h"
#include "runner/virtual/observer.h"

namespace ambit::shadow {

/// Converts the operations of warps in one launch to the events of a trace, lane by lane. The tables contain numbers
/// instead of names.
class TraceEvents {
 public:
  /// Receives each event. During the call, `tables()` contains everything that the event refers to.
  using Take = std::function<void(const TraceEvent& event)>;

  void begin_launch(const virtual_gpu::LaunchInfo& info);
  void access(const virtual_gpu::WarpAccess& access, const Take& take);
  void fence(std::uint32_t site, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes, Order order, Scope scope,
             const Take& take);
  void barrier(const virtual_gpu::BarrierArrival& arrival, const Take& take);
  /// Completes a barrier. When a barrier of the whole block completes, threads that did not arrive must have exited.
  void barrier_complete(std::uint32_t block, std::uint32_t barrier, const Take& take);
  void warp_barrier(std::uint32_t site, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes, const Take& take);
  /// Records that the block's threads have exited.
  void block_end(std::uint32_t block, const Take& take);

  const TraceTables& tables() const { return tables_; }

  /// Returns the block of a thread in the tables, and the thread's number in the block.
  std::pair<std::uint32_t, std::uint32_t> place_of(std::uint32_t thread) const;
  /// Returns the instruction of a site in the tables.
  std::uint32_t site_of(std::uint32_t site) const { return sites_.instruction(site); }
  /// Returns the space and the address (Shared: offset) of a location in the tables.
  std::pair<virtual_gpu::AccessSpace, std::uint64_t> address_of(std::uint32_t location) const;

 private:
  struct BlockState {
    /// For each thread of the block, 1 + its number in the tables; 0 if the thread has no number yet.
    std::vector<std::uint32_t> threads;
    std::vector<bool> has_exited;
    std::unordered_map<std::uint32_t, std::vector<bool>> arrived;  ///< for each barrier, the threads that have arrived
    std::uint32_t shared_object = kNoName;
  };

  BlockState& state_of(std::uint32_t block);
  std::uint32_t thread_of(BlockState& state, std::uint32_t block, std::uint32_t index);
  void exit(BlockState& state, std::uint32_t index, const Take& take);

  TraceTables tables_;
  std::uint32_t threads_of_block_ = 1;
  std::uint32_t cluster_ = 1;
  std::uint32_t global_object_ = 0;
  std::unordered_map<std::uint32_t, BlockState> blocks_;  ///< resident blocks
  std::uint32_t last_block_ = 0;
  BlockState* last_state_ = nullptr;
  SiteNumbers sites_;
  ShadowMemory<4> locations_;  ///< 1 + number of the location in the tables
  ShadowOfBlocks<4> shared_locations_;
};

}  // namespace ambit::shadow
