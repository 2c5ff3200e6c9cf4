#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runner/virtual/code.h"

namespace ambit::virtual_gpu {

struct Block;
class Machine;

/// A call of a function by some lanes of a warp. In memory, the frame's data (registers, constants, parameters) follow
/// the frame.
struct alignas(64) Frame {
  Frame* parent = nullptr;  ///< the caller's frame; null for the kernel
  const FunctionCode* function = nullptr;
  const Instruction* return_to = nullptr;
  const CallOperation* call = nullptr;
  std::uint64_t local_base = 0;  ///< offset of the function's local memory in the local memory of each lane
  std::uint32_t lanes = 0;       ///< lanes that have not returned
  std::uint32_t depth = 0;

  std::uint8_t* data() { return reinterpret_cast<std::uint8_t*>(this + 1); }
  const std::uint8_t* data() const { return reinterpret_cast<const std::uint8_t*>(this + 1); }
};

enum class GroupState : std::uint8_t {
  Runnable,
  Barrier,         ///< waits at bar.sync or bar.red
  ClusterBarrier,  ///< waits at barrier.cluster.wait
  Exchange,        ///< waits for the other lanes of its member mask
};

/// Lanes that are at one instruction of one call.
struct Group {
  const Instruction* at = nullptr;
  Frame* frame = nullptr;
  std::uint32_t lanes = 0;
  GroupState state = GroupState::Runnable;
  std::uint32_t member_mask = 0;  ///< Exchange: the instruction's member mask
  std::uint32_t barrier = 0;      ///< Barrier: number of the barrier; ClusterBarrier: the phase that must end
  std::uint64_t since = 0;        ///< value of Warp::choices when the first of the lanes began to wait for its turn
  /// Numbers of backward branches since the lanes were chosen to run. `polls` counts branches after synchronising
  /// accesses, `loops` other branches.
  std::uint32_t polls = 0;
  std::uint32_t loops = 0;

  bool can_merge_with(const Group& other) const {
    return at == other.at && frame == other.frame && state == GroupState::Runnable &&
           other.state == GroupState::Runnable;
  }
};

/// A copy that cp.async has issued and not yet performed.
struct PendingCopy {
  std::uint32_t lane = 0;
  std::uint32_t shared_offset = 0;
  std::uint32_t target_block = 0;
  std::uint32_t bytes = 0;
  std::uint32_t read_bytes = 0;  ///< bytes to read; the remaining bytes are written as 0
  std::uint32_t group = 0;       ///< number of the copy's commit group
  std::uint32_t number = 0;      ///< number in the order in which the warp issued copies, from 1
  std::uint32_t site = 0;
  std::uint64_t source = 0;   ///< global address
  bool reads_late = false;    ///< the copy reads its source when it is performed; otherwise it has read `data` already
  bool is_tracked = false;    ///< an mbarrier tracks the copy
  bool is_performed = false;  ///< the data are written, but code may not rely on them yet
  std::uint8_t data[16] = {};
};

/// A warp: 32 threads of a block.
struct Warp : WarpCore {
  Machine* machine = nullptr;
  Block* block = nullptr;
  Frame* running_frame = nullptr;
  std::uint32_t number = 0;    ///< number of the warp in the block
  std::uint32_t existing = 0;  ///< mask of the lanes that exist in the block
  std::uint32_t alive = 0;     ///< mask of the lanes that have not exited
  std::uint32_t polls = 0;     ///< number of polls of the running lanes, as in Group
  std::uint32_t loops = 0;
  std::uint32_t polls_of_turn = 0;    ///< number of polls of all lanes since the scheduler chose the warp
  std::uint32_t polls_for_block = 0;  ///< number of polls in earlier turns since the warp last requested another block
  bool has_synchronised = false;      ///< there was a synchronising access since the last backward branch
  bool repeats_poll = false;          ///< this turn ended because a poll read the same values again
  std::uint64_t polled = 0;           ///< sum of the addresses of synchronising accesses since the last backward branch
  std::uint64_t polled_before = 0;    ///< value of `polled` at the last poll
  std::uint64_t polled_at = 0;        ///< value of Machine::changes() at the last poll
  bool is_rotating = false;           ///< the running lanes were chosen to run because other lanes polled
  std::uint64_t choices = 0;          ///< number of times that lanes were chosen to run
  const Instruction* meet = nullptr;  ///< instruction at which the running lanes merge with lanes that wait to run
  std::int64_t priority = 0;          ///< Pct
  bool is_ready = false;              ///< the warp is in the scheduler's list
  std::uint32_t ready_index = 0;
  bool is_poller = false;  ///< Random: the last turn of the warp ended because of a repeated poll
  std::uint32_t worker_index = 0;
  std::uint64_t last_turn = 0;  ///< Random: number of the warp's last turn, or of the turn in which it became ready
  std::vector<Group> groups;    ///< all lanes except the running lanes
  std::unique_ptr<std::uint8_t[]> local;  ///< local memory, one lane after the other; allocated at the first use
  std::uint64_t local_used = 0;     ///< number of bytes of each lane that may have been written since the last clearing
  std::vector<PendingCopy> copies;  ///< pending copies by cp.async, in order of issue
  std::uint32_t copies_issued = 0;
  std::uint32_t copy_group[kLanes] = {};      ///< number of the lane's open commit group
  std::uint32_t cluster_phases[kLanes] = {};  ///< barrier.cluster: phase of each lane's arrival; 0 for no arrival

  bool has_runnable() const {
    if (active != 0) return true;
    for (const Group& group : groups) {
      if (group.state == GroupState::Runnable) return true;
    }
    return false;
  }
};

template <class T>
inline T* values(WarpCore& warp, std::uint32_t offset) {
  return reinterpret_cast<T*>(warp.frame + offset);
}

inline Warp& whole(WarpCore& core) { return static_cast<Warp&>(core); }

/// Calls `function` with the number of each lane of `mask`, in ascending order.
template <class Function>
inline void for_each_lane(std::uint32_t mask, Function function) {
  for (; mask != 0; mask &= mask - 1) function(static_cast<unsigned>(__builtin_ctz(mask)));
}

}  // namespace ambit::virtual_gpu
