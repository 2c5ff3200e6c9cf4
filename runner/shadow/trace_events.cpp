#include "runner/shadow/trace_events.h"

#include <bit>

#include "runner/shadow/event_of_access.h"

namespace ambit::shadow {
namespace {

using virtual_gpu::AccessSpace;

/// Calls `visit` with the number of each lane of a mask.
template <typename Visit>
void each_lane(std::uint32_t lanes, const Visit& visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<std::uint32_t>(std::countr_zero(lanes)));
}

}  // namespace

void TraceEvents::begin_launch(const virtual_gpu::LaunchInfo& info) {
  tables_ = TraceTables();
  set_launch(tables_, info);
  cluster_ = tables_.launch.cluster;
  threads_of_block_ = static_cast<std::uint32_t>(info.block.count());
  global_object_ = tables_.append_object(1);
  blocks_.clear();
  last_state_ = nullptr;
  sites_.clear();
  locations_.begin_launch();
  shared_locations_.begin_launch();
}

TraceEvents::BlockState& TraceEvents::state_of(std::uint32_t block) {
  if (last_state_ != nullptr && block == last_block_) return *last_state_;
  BlockState& state = blocks_[block];
  if (state.threads.empty()) {
    state.threads.resize(threads_of_block_);
    state.has_exited.resize(threads_of_block_);
  }
  last_block_ = block;
  last_state_ = &state;
  return state;
}

std::uint32_t TraceEvents::thread_of(BlockState& state, std::uint32_t block, std::uint32_t index) {
  std::uint32_t& number = state.threads[index];
  if (number == 0) number = tables_.append_thread(0, block, index) + 1;
  return number - 1;
}

std::pair<std::uint32_t, std::uint32_t> TraceEvents::place_of(std::uint32_t thread) const {
  const TraceThread& one = tables_.threads()[thread];
  return {static_cast<std::uint32_t>(one.place.block), one.index_in_block};
}

std::pair<AccessSpace, std::uint64_t> TraceEvents::address_of(std::uint32_t location) const {
  const TraceLocation& one = tables_.locations()[location];
  return {one.space == MemorySpace::Shared ? AccessSpace::Shared : AccessSpace::Global, one.offset};
}

void TraceEvents::access(const virtual_gpu::WarpAccess& access, const Take& take) {
  if (access.is_constant) return;
  BlockState& state = state_of(access.block);
  TraceEvent event = event_of(access);
  event.site = sites_.number(access.site, tables_);
  // An atomic access of 64 or 128 bits is one event. If each word had an event, the second word's event would separate
  // an access that takes a lock from the fence that follows.
  const bool is_first_only = access.order != Order::Weak || event.is_update();
  const bool is_shared = access.space == AccessSpace::Shared;
  const auto lanes = [&](auto& memory, std::uint32_t object, std::optional<std::uint32_t> block) {
    each_lane(access.lanes, [&](std::uint32_t lane) {
      event.thread = thread_of(state, access.block, access.warp * 32 + lane);
      set_lane(event, access, lane);
      WordValues values(event, access, lane, is_first_only);
      memory.visit(access.addresses[lane], access.bytes, is_first_only, [&](void* cell, std::uint64_t address) {
        auto& number = *static_cast<std::uint32_t*>(cell);
        if (number == 0) number = tables_.append_location(block, object, address) + 1;
        event.object = number - 1;
        event.value = values.next();
        take(event);
      });
    });
  };
  if (!is_shared) return lanes(locations_, global_object_, std::nullopt);
  BlockState& target = access.target_block == access.block ? state : state_of(access.target_block);
  if (target.shared_object == kNoName) target.shared_object = tables_.append_object(1);
  lanes(shared_locations_.of(access.target_block), target.shared_object, access.target_block);
}

void TraceEvents::fence(std::uint32_t site, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes, Order order,
                        Scope scope, const Take& take) {
  BlockState& state = state_of(block);
  TraceEvent event;
  event.op = TraceOp::Fence;
  event.order = order;
  event.scope = scope;
  event.site = sites_.number(site, tables_);
  each_lane(lanes, [&](std::uint32_t lane) {
    event.thread = thread_of(state, block, warp * 32 + lane);
    take(event);
  });
}

void TraceEvents::barrier(const virtual_gpu::BarrierArrival& arrival, const Take& take) {
  if (arrival.is_wait_only) return;  // the arrival has already produced an event
  BlockState& state = state_of(arrival.block);
  TraceEvent event;
  event.op = TraceOp::Barrier;
  const bool is_cluster = arrival.barrier == virtual_gpu::kClusterBarrier;
  event.scope = is_cluster ? Scope::Cluster : Scope::Block;
  event.object = is_cluster ? 0 : arrival.barrier;
  // Replaces a count of all threads of the block by 0. A count of 0 means all threads, so both counts describe the same
  // barrier.
  event.count = arrival.count == threads_of_block_ ? 0 : arrival.count;
  event.arrive_only = arrival.is_arrive_only && !is_cluster;
  event.site = sites_.number(arrival.site, tables_);
  std::vector<bool>* arrived = nullptr;
  if (event.count == 0) {
    arrived = &state.arrived[arrival.barrier];
    arrived->resize(threads_of_block_);
  }
  each_lane(arrival.lanes, [&](std::uint32_t lane) {
    const std::uint32_t index = arrival.warp * 32 + lane;
    if (arrived != nullptr) (*arrived)[index] = true;
    event.thread = thread_of(state, arrival.block, index);
    take(event);
  });
}

void TraceEvents::exit(BlockState& state, std::uint32_t index, const Take& take) {
  if (state.has_exited[index]) return;
  state.has_exited[index] = true;
  if (state.threads[index] == 0) return;
  TraceEvent event;
  event.op = TraceOp::Exit;
  event.thread = state.threads[index] - 1;
  take(event);
}

void TraceEvents::barrier_complete(std::uint32_t block, std::uint32_t barrier, const Take& take) {
  const std::uint32_t blocks = barrier == virtual_gpu::kClusterBarrier ? cluster_ : 1;
  for (std::uint32_t i = 0; i < blocks; ++i) {
    BlockState& state = state_of(block + i);
    const auto arrived = state.arrived.find(barrier);
    if (arrived == state.arrived.end()) continue;
    for (std::uint32_t index = 0; index < threads_of_block_; ++index) {
      if (!arrived->second[index]) exit(state, index, take);
    }
    arrived->second.assign(threads_of_block_, false);
  }
}

void TraceEvents::warp_barrier(std::uint32_t site, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes,
                               const Take& take) {
  BlockState& state = state_of(block);
  TraceEvent event;
  event.op = TraceOp::WarpBarrier;
  event.count = lanes;
  event.site = sites_.number(site, tables_);
  each_lane(lanes, [&](std::uint32_t lane) {
    event.thread = thread_of(state, block, warp * 32 + lane);
    take(event);
  });
}

void TraceEvents::block_end(std::uint32_t block, const Take& take) {
  const auto found = blocks_.find(block);
  if (found != blocks_.end()) {
    for (std::uint32_t index = 0; index < threads_of_block_; ++index) exit(found->second, index, take);
    blocks_.erase(found);
  }
  shared_locations_.end_block(block);
  last_state_ = nullptr;
}

}  // namespace ambit::shadow
