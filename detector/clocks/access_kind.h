#pragma once

#include <cstdint>

#include "core/trace.h"
#include "detector/inference/action.h"

namespace ambit::detector {

/// The kinds of access that access histories distinguish: plain read, plain write, and, for each scope from Block to
/// System, atomic read and atomic write.
using AccessKind = std::uint8_t;
inline constexpr AccessKind kAccessKinds = 2 * static_cast<AccessKind>(Scope::System) + 2;

inline AccessKind kind_of(bool is_write, bool is_atomic, Scope scope) {
  const int write = is_write ? 1 : 0;
  return static_cast<AccessKind>(is_atomic ? 2 * static_cast<int>(scope) + write : write);
}
inline AccessKind kind_of(const Action& access) { return kind_of(access.is_write, access.is_atomic, access.scope); }
inline bool is_write(AccessKind kind) { return (kind & 1U) != 0; }
inline bool is_atomic(AccessKind kind) { return kind >= 2; }
inline Scope scope_of(AccessKind kind) { return is_atomic(kind) ? static_cast<Scope>(kind / 2) : Scope::System; }

/// The bit that marks the kind of an access by the async proxy.
inline constexpr AccessKind kAsyncKind = 0x40;
inline bool is_async(AccessKind kind) { return (kind & kAsyncKind) != 0; }
/// Returns the kind without kAsyncKind.
inline AccessKind without_proxy(AccessKind kind) { return static_cast<AccessKind>(kind & ~kAsyncKind); }

/// Returns the narrowest scope that includes every thread of the launch.
inline Scope all_inclusive(const LaunchGeometry& launch) {
  if (launch.gpus > 1) return Scope::System;
  return launch.blocks() > 1 ? Scope::Device : Scope::Block;
}
/// Returns whether accesses of these kinds to one location, by any two threads of the launch, may conflict.
inline bool may_conflict(AccessKind a, AccessKind b, const LaunchGeometry& launch) {
  if (!is_write(a) && !is_write(b)) return false;
  return !is_atomic(a) || !is_atomic(b) || narrower(scope_of(a), scope_of(b)) < all_inclusive(launch);
}

}  // namespace ambit::detector
