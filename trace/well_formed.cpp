#include "trace/well_formed.h"

#include <fmt/format.h>

#include <array>

#include "core/ptx_mapping.h"
#include "trace/text_words.h"

namespace ambit::trace {
namespace {

bool exceeds(const std::array<std::uint32_t, 3>& dimensions, std::uint64_t limit) {
  std::uint64_t product = 1;
  for (const std::uint32_t dimension : dimensions) {
    if (dimension > limit) return true;
    product *= dimension;  // the numbers are at most 2^31
    if (product > limit) return true;
  }
  return false;
}

std::optional<std::string> access_flaw(const TraceEvent& event) {
  if (event.is_update() && event.is_volatile) return "a read-modify-write cannot be volatile";
  if (event.is_volatile && (event.order != Order::Relaxed || event.scope != Scope::System)) {
    return "a volatile access cannot have an order or a scope";
  }
  if (auto flaw = order_flaw(event.op, event.order)) return flaw;
  if (event.is_failed && (event.op != TraceOp::Rmw || event.rmw != TraceRmw::CompareExchange)) {
    return "only a compare-exchange can fail";
  }
  if (event.is_failed && event.has_value) return "a failed compare-exchange cannot write";
  if (!event.is_update() && event.has_old_value) return "only a read-modify-write can have an old value";
  return std::nullopt;
}

std::optional<std::string> barrier_flaw(const TraceEvent& event) {
  if (event.op == TraceOp::WarpBarrier) {
    if (event.count == 0) return "the warp barrier has no lanes";
    if (event.arrive_only) return "a warp barrier cannot be an arrival only";
    if (event.object != kNoName) return "a warp barrier cannot have a number";
    return std::nullopt;
  }
  if (event.object >= kMaxBarriers) return fmt::format("the barrier number {} is too large", event.object);
  if (event.scope < Scope::Block || event.scope > Scope::Device)
    return "a barrier must have block, cluster or grid scope";
  return std::nullopt;
}

/// Checks the properties of events that concern asynchronous operations: groups, counts, mbarriers, proxy fences.
std::optional<std::string> asynchronous_flaw(const TraceEvent& event) {
  const bool has_group = event.op == TraceOp::Issue || event.op == TraceOp::Commit || event.op == TraceOp::GroupWait;
  if (event.group != AsyncGroup::None && !has_group) return "only an asynchronous operation can have a group";
  const bool needs_group = event.op == TraceOp::Commit || event.op == TraceOp::GroupWait || event.covers_all;
  if (event.group == AsyncGroup::None && needs_group) return "a commit and a wait need a group";
  if (event.reads_only && event.op != TraceOp::GroupWait) return "only a wait can be limited to reads";
  if (event.covers_all && event.op != TraceOp::GroupWait && event.op != TraceOp::Issue) {
    return "only a wait or an issue can cover all operations of a group";
  }
  const bool has_count = event.op == TraceOp::GroupWait || event.op == TraceOp::ProxyFence;
  if (event.count != 0 && !has_count) return "this operation cannot have a count";
  if (event.op == TraceOp::ProxyFence && event.count > static_cast<std::uint32_t>(FenceSpace::SharedCluster)) {
    return "unknown state space of a proxy fence";
  }
  const bool has_phase =
      event.op == TraceOp::Complete || event.op == TraceOp::MbarrierArrive || event.op == TraceOp::MbarrierWait;
  if (event.has_value != has_phase) return has_phase ? "the phase is missing" : "this operation cannot have a value";
  return order_flaw(event.op, event.order);
}

}  // namespace

std::optional<std::string> launch_flaw(const LaunchGeometry& launch) {
  if (launch.warp == 0 || launch.cluster == 0 || launch.gpus == 0) return "the launch is empty";
  if (exceeds(launch.grid, kMaxBlocks) || exceeds(launch.block, kMaxThreadsPerBlock) || launch.gpus > kMaxGpus) {
    return "the launch is too large for every device";
  }
  if (launch.blocks() == 0) return "the launch is empty";
  if (launch.threads_per_block() == 0 && !launch.only_named_threads) return "the block has no threads";
  return std::nullopt;
}

bool is_inside(const LaunchGeometry& launch, std::uint32_t gpu, std::uint32_t block, std::uint32_t index_in_block) {
  const std::uint64_t threads = launch.threads_per_block();
  return gpu < launch.gpus && block < launch.blocks() &&
         index_in_block < (threads == 0 ? kMaxThreadsPerBlock : threads);
}

std::optional<std::string> location_flaw(const TraceTables& tables, std::uint32_t location) {
  const TraceLocation& named = tables.locations()[location];
  const bool has_block =
      named.space == MemorySpace::Shared
          ? is_inside(tables.launch, static_cast<std::uint32_t>(named.gpu), static_cast<std::uint32_t>(named.block), 0)
          : !names_block(named.name);
  if (has_block) return std::nullopt;
  return fmt::format("the block of {} is outside the launch", named.name);
}

bool is_object_name(std::string_view name) {
  if (name.empty()) return false;
  TraceTables tables;
  const TraceLocation& named = tables.locations()[tables.location(name)];
  return named.space == MemorySpace::Global && tables.objects()[named.object].name == name;
}

std::optional<std::string> order_flaw(TraceOp op, Order order) {
  const auto flaw = [&](std::string_view what) { return fmt::format("a {} cannot be {}", what, ptx_order(order)); };
  switch (op) {
    case TraceOp::Read:
      if (order == Order::Release || order == Order::AcqRel) return flaw("read");
      break;
    case TraceOp::Write:
      if (order == Order::Acquire || order == Order::AcqRel) return flaw("write");
      break;
    case TraceOp::Rmw:
      if (order == Order::Weak) return flaw("read-modify-write");
      break;
    case TraceOp::Reduction:
      if (order != Order::Relaxed && order != Order::Release) {
        return "a reduction must be relaxed or release, because it does not use the old value";
      }
      break;
    case TraceOp::Fence:
      if (order == Order::Weak || order == Order::Relaxed) return flaw("fence");
      break;
    case TraceOp::MbarrierArrive:
      if (order != Order::Relaxed && order != Order::Release) return "an arrival must be relaxed or release";
      break;
    case TraceOp::MbarrierWait:
      if (order != Order::Relaxed && order != Order::Acquire) return "a wait must be relaxed or acquire";
      break;
    default: break;
  }
  return std::nullopt;
}

std::optional<std::string> event_flaw(const TraceEvent& event) {
  if (event.is_async && (!event.is_access() || event.op == TraceOp::Rmw)) {
    return "only a read, a write or a reduction can be asynchronous";
  }
  if (event.is_asynchronous()) {
    if (event.is_volatile || event.is_failed || event.arrive_only || event.has_old_value ||
        event.rmw != TraceRmw::Generic) {
      return "only an access can have this field";
    }
    return asynchronous_flaw(event);
  }
  if (event.group != AsyncGroup::None || event.reads_only || event.covers_all) {
    return "only an asynchronous operation can have a group";
  }
  if (event.count != 0 && !event.is_barrier()) return "only a barrier can have a count";
  if (event.is_access()) {
    if (event.arrive_only) return "only a barrier can be an arrival";
    if (event.rmw != TraceRmw::Generic && !event.is_update()) return "only a read-modify-write can have this kind";
    return access_flaw(event);
  }
  if (event.is_volatile || event.is_failed || event.has_value || event.has_old_value ||
      event.rmw != TraceRmw::Generic) {
    return "only an access can have this field";
  }
  if (event.order != Order::Weak && event.op != TraceOp::Fence) return "this operation cannot have an order";
  if (event.is_barrier()) return barrier_flaw(event);
  if (event.arrive_only) return "only a barrier can be an arrival";
  const bool is_lock = event.op == TraceOp::LockAcquire || event.op == TraceOp::LockRelease;
  if (is_lock && event.scope == Scope::Thread) return "a lock cannot have thread scope";
  const bool has_scope =
      event.op == TraceOp::TransactionBegin ? event.scope != Scope::Thread : event.scope == Scope::System;
  if (event.is_transaction() && !has_scope) return "a transaction cannot have this scope";
  if (event.op == TraceOp::Exit && event.object != kNoName) return "an exit cannot have a location";
  if (event.op == TraceOp::Fence) {
    if (event.object != kNoName) return "a fence cannot have a location";
    return order_flaw(event.op, event.order);
  }
  return std::nullopt;
}

}  // namespace ambit::trace
