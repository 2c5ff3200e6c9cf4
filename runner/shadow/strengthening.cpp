#include "runner/shadow/strengthening.h"

#include "detector/inference/sync_inference.h"

namespace ambit::shadow {
namespace {

using virtual_gpu::AccessKind;

Order order_of(bool acquires, bool releases) {
  if (acquires && releases) return Order::AcqRel;
  if (acquires) return Order::Acquire;
  return releases ? Order::Release : Order::Relaxed;
}

bool adds_acquire(Strengthening how) { return how == Strengthening::Acquire || how == Strengthening::AcquireRelease; }
bool adds_release(Strengthening how) { return how == Strengthening::Release || how == Strengthening::AcquireRelease; }

Order strengthened_order(Order order, bool can_read, bool can_write, Strengthening how) {
  if (order == Order::SeqCst) return order;
  return order_of(detector::can_acquire(order) || (can_read && adds_acquire(how)),
                  detector::can_release(order) || (can_write && adds_release(how)));
}

}  // namespace

virtual_gpu::WarpAccess strengthened(const virtual_gpu::WarpAccess& access, Strengthening how) {
  virtual_gpu::WarpAccess made = access;
  if (how == Strengthening::None || access.order == Order::Weak) return made;
  made.order = strengthened_order(access.order, access.kind != AccessKind::Write, access.kind != AccessKind::Read, how);
  made.scope = Scope::System;
  made.is_volatile = false;
  return made;
}

StrengthenedFence strengthened_fence(Order order, Scope scope, Strengthening how) {
  if (how == Strengthening::None) return {order, scope};
  return {strengthened_order(order, true, true, how), Scope::System};
}

}  // namespace ambit::shadow
