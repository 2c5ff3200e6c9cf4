#pragma once

#include <cstdint>

#include "runner/virtual/observer.h"

namespace ambit::shadow {

/// The form in which detectors see a program's atomic accesses, volatile accesses and fences in a run that tries a
/// remedy. The run itself does not change.
enum class Strengthening : std::uint8_t {
  None,            ///< unchanged
  Scopes,          ///< with system scope
  Acquire,         ///< with system scope; accesses that read also acquire
  Release,         ///< with system scope; accesses that write also release
  AcquireRelease,  ///< with system scope; accesses acquire and release
};

/// Returns the access as a detector sees it. A plain access does not change.
virtual_gpu::WarpAccess strengthened(const virtual_gpu::WarpAccess& access, Strengthening how);

/// The order and the scope of a fence as a detector sees it.
struct StrengthenedFence {
  Order order = Order::SeqCst;
  Scope scope = Scope::System;
};
StrengthenedFence strengthened_fence(Order order, Scope scope, Strengthening how);

}  // namespace ambit::shadow
