#pragma once

#include <cstdint>

#include "runner/virtual/observer.h"

namespace ambit::shadow {

/// The changes to atomic accesses, volatile accesses and fences in a run that tries a remedy. Only detectors see the
/// changes. The execution of the program does not change.
enum class Strengthening : std::uint8_t {
  None,            ///< unchanged
  Scopes,          ///< all with system scope
  Acquire,         ///< all with system scope; reads acquire
  Release,         ///< all with system scope; writes release
  AcquireRelease,  ///< all with system scope; reads acquire, writes release
};

/// Returns the access as detectors see it. Does not change a plain access.
virtual_gpu::WarpAccess strengthened(const virtual_gpu::WarpAccess& access, Strengthening how);

/// The order and the scope of a fence as detectors see it.
struct StrengthenedFence {
  Order order = Order::SeqCst;
  Scope scope = Scope::System;
};
StrengthenedFence strengthened_fence(Order order, Scope scope, Strengthening how);

}  // namespace ambit::shadow
