#include "runner/shadow/event_of_access.h"

#include <algorithm>

namespace ambit::shadow {
namespace {

using virtual_gpu::AccessKind;
using virtual_gpu::AtomicOperation;

TraceOp op_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::Read: return TraceOp::Read;
    case AccessKind::Write: return TraceOp::Write;
    case AccessKind::ReadModifyWrite: return TraceOp::Rmw;
    case AccessKind::Reduction: return TraceOp::Reduction;
  }
  return TraceOp::Read;
}

TraceRmw trace_rmw_of(AtomicOperation operation) {
  switch (operation) {
    case AtomicOperation::None: return TraceRmw::Generic;
    case AtomicOperation::Add: return TraceRmw::Add;
    case AtomicOperation::And: return TraceRmw::And;
    case AtomicOperation::Or: return TraceRmw::Or;
    case AtomicOperation::Xor: return TraceRmw::Xor;
    case AtomicOperation::Exchange: return TraceRmw::Exchange;
    case AtomicOperation::CompareExchange: return TraceRmw::CompareExchange;
    case AtomicOperation::Minimum: return TraceRmw::Min;
    case AtomicOperation::Maximum: return TraceRmw::Max;
    case AtomicOperation::Increment: return TraceRmw::IncrementWrap;
    case AtomicOperation::Decrement: return TraceRmw::DecrementWrap;
  }
  return TraceRmw::Generic;
}

}  // namespace

void set_launch(TraceTables& tables, const virtual_gpu::LaunchInfo& info) {
  tables.launch.grid = {info.grid.x, info.grid.y, info.grid.z};
  tables.launch.block = {info.block.x, info.block.y, info.block.z};
  tables.launch.cluster = std::max(1U, static_cast<std::uint32_t>(info.cluster.count()));
}

TraceEvent event_of(const virtual_gpu::WarpAccess& access) {
  TraceEvent event;
  event.op = op_of(access.kind);
  event.rmw = trace_rmw_of(access.operation);
  event.order = access.order;
  event.scope = access.scope;
  event.is_volatile = access.is_volatile;
  event.has_value = access.values != nullptr;
  event.has_old_value = access.old_values != nullptr && event.is_update();
  return event;
}

void set_lane(TraceEvent& event, const virtual_gpu::WarpAccess& access, std::uint32_t lane) {
  event.is_failed = (access.failed >> lane & 1U) != 0;
  if (event.has_old_value) event.old_value = static_cast<Value>(access.old_values[lane]);
}

}  // namespace ambit::shadow
