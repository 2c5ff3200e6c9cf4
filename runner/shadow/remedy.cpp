#include "runner/shadow/remedy.h"

namespace ambit::shadow {

std::string reason_for(RaceKind kind) {
  switch (kind) {
    case RaceKind::Unsynchronized: return "nothing synchronises the two threads";
    case RaceKind::MissingFence: return "no fence stands between the first access and the second thread's";
    case RaceKind::FenceScopeTooNarrow: return "the fence behind the first access does not reach the second thread";
    case RaceKind::AtomicScopeTooNarrow: return "the scope of the first atomic does not reach the second thread";
    case RaceKind::NotAtomic: return "one access is atomic, the other is not, and no fence stands between";
    case RaceKind::NoCommonLock: return "the two threads hold no lock in common";
    case RaceKind::LockScopeTooNarrow: return "the scope of the lock does not reach the second thread";
    case RaceKind::MissingBarrier: return "both threads are in one block, and no barrier stands between";
    case RaceKind::IntraWarp: return "both are lanes of one warp, and no warp barrier stands between";
  }
  return {};
}

std::string remedy_for(const RawRace& race, RaceLevel level) {
  const bool is_device = level == RaceLevel::Device;
  const std::string fence = is_device ? "__threadfence()" : "__threadfence_block()";
  const std::string scope = is_device ? "device" : "block";
  const std::string barrier = level == RaceLevel::Warp ? "__syncwarp()" : "__syncthreads()";
  const std::string flag = "release and acquire at device scope, or two kernels";
  switch (race.kind) {
    case RaceKind::Unsynchronized: return is_device ? flag : barrier;
    case RaceKind::MissingFence:
      return race.needs_acquire ? fence + " after the read of the flag or lock, or an acquire load"
                                : fence + " after the first access and before the write of the flag or lock";
    case RaceKind::FenceScopeTooNarrow: return fence;
    case RaceKind::AtomicScopeTooNarrow: return "atomics of " + scope + " scope";
    case RaceKind::NotAtomic:
      return (is_device ? flag : barrier) + "; if they need no order, atomic accesses of " + scope +
             " scope on both sides";
    case RaceKind::NoCommonLock: return "one lock of " + scope + " scope on both sides";
    case RaceKind::LockScopeTooNarrow: return "a lock taken and released at " + scope + " scope";
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
  const bool is_device = level == RaceLevel::Device;
  const std::string fence = is_device ? "__threadfence()" : "__threadfence_block()";
  const std::string scope = is_device ? "device" : "block";
  const std::string acquire = fence + " after the read of the flag or lock, or an acquire load of " + scope + " scope";
  const std::string release =
      fence + " after the first access and before the write of the flag or lock, or a release store of " + scope +
      " scope";
  switch (which) {
    case Strengthening::None: return {};
    case Strengthening::Scopes:
      if (kind == RaceKind::FenceScopeTooNarrow) return fence;
      if (kind == RaceKind::LockScopeTooNarrow) return "a lock taken and released at " + scope + " scope";
      return "atomics and fences of " + scope + " scope";
    case Strengthening::Acquire: return acquire;
    case Strengthening::Release: return release;
    case Strengthening::AcquireRelease: return release + "; and " + acquire;
  }
  return {};
}

std::string remedy_without_synchronization(RaceLevel level) {
  switch (level) {
    case RaceLevel::Warp: return "__syncwarp() between them; fences alone do not";
    case RaceLevel::Block: return "__syncthreads() between them; fences alone do not";
    case RaceLevel::Device: break;
  }
  return "a flag written (release) after the first access and awaited (acquire) before the second, one lock around "
         "both, or two kernels; fences alone do not. If they need no order, atomic accesses of device scope on both "
         "sides";
}

}  // namespace ambit::shadow
