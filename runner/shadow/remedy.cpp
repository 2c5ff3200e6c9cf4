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

std::string remedy_for(RaceKind kind, RaceLevel level) {
  const bool is_device = level == RaceLevel::Device;
  std::string fence = is_device ? "__threadfence()" : "__threadfence_block()";
  const std::string scope = is_device ? "device" : "block";
  switch (kind) {
    case RaceKind::Unsynchronized:
      return is_device ? "release and acquire at device scope, or two kernels" : "__syncthreads()";
    case RaceKind::MissingFence:
    case RaceKind::FenceScopeTooNarrow: return fence;
    case RaceKind::AtomicScopeTooNarrow: return "atomics of " + scope + " scope";
    case RaceKind::NotAtomic: return "atomic accesses of " + scope + " scope on both sides";
    case RaceKind::NoCommonLock: return "one lock of " + scope + " scope on both sides";
    case RaceKind::LockScopeTooNarrow: return "a lock taken and released at " + scope + " scope";
    case RaceKind::MissingBarrier: return level == RaceLevel::Warp ? "__syncwarp()" : "__syncthreads()";
    case RaceKind::IntraWarp: return "__syncwarp()";
  }
  return {};
}

}  // namespace ambit::shadow
