#pragma once

#include <cstdint>

#include "runner/virtual/observer.h"

namespace ambit::shadow {

/// How a run that tries a remedy changes atomic accesses, volatile accesses and fences. Only detectors see the
/// changes. The execution of the program does not change.
enum class Strengthening : std::uint8_t {
  None,            ///< unchanged
  Scopes,          ///< all accesses and fences have system scope
  Acquire,         ///< like Scopes, and every read is an acquire
  Release,         ///< like Scopes, and every write is a release
  AcquireRelease,  ///< like Acquire and Release together
};

/// Returns the access in the form that detectors see. Does not change a plain access.
virtual_gpu::WarpAccess strengthened(const virtual_gpu::WarpAccess& access, Strengthening how);

/// The order and the scope of a fence in the form that detectors see.
struct StrengthenedFence {
  Order order = Order::SeqCst;
  Scope scope = Scope::System;
};
StrengthenedFence strengthened_fence(Order order, Scope scope, Strengthening how);

}  // namespace ambit::shadow
