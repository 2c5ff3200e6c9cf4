#include "runner/shadow/remedy.h"

namespace ambit::shadow {
namespace {

std::string fence_of(RaceLevel level) {
  return level == RaceLevel::Device ? "__threadfence()" : "__threadfence_block()";
}
std::string scope_of(RaceLevel level) { return level == RaceLevel::Device ? "device" : "block"; }
std::string acquire_at(RaceLevel level) {
  return fence_of(level) + " after the read of the flag or lock, or an acquire load of " + scope_of(level) + " scope";
}
std::string release_at(RaceLevel level) {
  return fence_of(level) + " after the first access and before the write of the flag or lock, or a release store of " +
         scope_of(level) + " scope";
}
std::string lock_at(RaceLevel level) { return "a lock taken and released at " + scope_of(level) + " scope"; }

}  // namespace

std::string reason_for(RaceKind kind) {
  switch (kind) {
    case RaceKind::Unsynchronized: return "nothing synchronises the two threads";
    case RaceKind::MissingFence: return "no fence separates the first access from the second access";
    case RaceKind::FenceScopeTooNarrow: return "the fence after the first access does not reach the second thread";
    case RaceKind::AtomicScopeTooNarrow: return "the scope of the first atomic does not reach the second thread";
    case RaceKind::NotAtomic: return "only one of the accesses is atomic, and no fence separates them";
    case RaceKind::NoCommonLock: return "the two threads hold no lock in common";
    case RaceKind::LockScopeTooNarrow: return "the scope of the lock does not reach the second thread";
    case RaceKind::MissingBarrier: return "both threads are in one block, and no barrier separates them";
    case RaceKind::IntraWarp: return "both are lanes of one warp, and no warp barrier separates them";
  }
  return {};
}

std::string remedy_for(const RawRace& race, RaceLevel level) {
  const bool is_device = level == RaceLevel::Device;
  const std::string scope = scope_of(level);
  const std::string barrier = level == RaceLevel::Warp ? "__syncwarp()" : "__syncthreads()";
  const std::string flag = "release and acquire at device scope, or two kernels";
  switch (race.kind) {
    case RaceKind::Unsynchronized: return is_device ? flag : barrier;
    case RaceKind::MissingFence: return race.needs_acquire ? acquire_at(level) : release_at(level);
    case RaceKind::FenceScopeTooNarrow: return fence_of(level);
    case RaceKind::AtomicScopeTooNarrow: return "atomics of " + scope + " scope";
    case RaceKind::NotAtomic:
      return (is_device ? flag : barrier) + "; if they need no order, atomic accesses of " + scope +
             " scope on both sides";
    case RaceKind::NoCommonLock: return "one lock of " + scope + " scope on both sides";
    case RaceKind::LockScopeTooNarrow: return lock_at(level);
    case RaceKind::MissingBarrier: return barrier;
    case RaceKind::IntraWarp: return "__syncwarp()";
  }
  return {};
}

bool depends_on_synchronization(RaceKind kind, RaceLevel level) {
  switch (kind) {
    case RaceKind::MissingBarrier:
    case RaceKind::IntraWarp:
    case RaceKind::NoCommonLock: return false;
    case RaceKind::Unsynchronized:
    case RaceKind::NotAtomic: return level == RaceLevel::Device;
    case RaceKind::MissingFence:
    case RaceKind::FenceScopeTooNarrow:
    case RaceKind::AtomicScopeTooNarrow:
    case RaceKind::LockScopeTooNarrow: return true;
  }
  return true;
}

std::string remedy_of_trial(RaceKind kind, RaceLevel level, Strengthening which) {
  switch (which) {
    case Strengthening::None: return {};
    case Strengthening::Scopes:
      if (kind == RaceKind::FenceScopeTooNarrow) return fence_of(level);
      if (kind == RaceKind::LockScopeTooNarrow) return lock_at(level);
      return "atomics and fences of " + scope_of(level) + " scope";
    case Strengthening::Acquire: return acquire_at(level);
    case Strengthening::Release: return release_at(level);
    case Strengthening::AcquireRelease: return release_at(level) + "; and " + acquire_at(level);
  }
  return {};
}

std::string remedy_without_synchronization(RaceLevel level) {
  switch (level) {
    case RaceLevel::Warp: return "__syncwarp() between the accesses; fences alone do not order them";
    case RaceLevel::Block: return "__syncthreads() between the accesses; fences alone do not order them";
    case RaceLevel::Device: break;
  }
  return "a flag that is written (release) after the first access and read (acquire) before the second, one lock "
         "around both accesses, or two kernels; fences alone do not order them. If they need no order, atomic "
         "accesses of device scope on both sides";
}

}  // namespace ambit::shadow
