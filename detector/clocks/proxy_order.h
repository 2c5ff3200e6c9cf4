#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "detector/clocks/clock_kernels.h"
#include "detector/inference/action.h"
#include "detector/inference/sync_inference.h"

namespace ambit::detector {

/// Tracks, for each thread, the "fenced" accesses by the generic proxy. An access is fenced if a fence.proxy.async
/// happens after it and before the thread's next action. The fence may be in any thread on the path from the access to
/// this action (value `path` of the option async-fence of `ptx`). Stores nothing before the first fence.proxy.async.
///
/// The class has its own clocks. A component is the local time up to which a thread's accesses are fenced. Locks
/// propagate these clocks regardless of scopes, because the detector's clocks take care of scopes.
class ProxyOrder {
 public:
  bool is_active() const { return is_active_; }

  /// Handles a fence by the thread. `known(other)` returns a component of the thread's happens-before clock.
  template <typename Known>
  void fence(std::uint32_t thread, std::uint8_t spaces, std::size_t threads, const Known& known) {
    is_active_ = true;
    for (std::size_t space = 0; space < kSpaces; ++space) {
      if (((spaces >> space) & 1U) == 0) continue;
      std::vector<Epoch>& clock = at(thread)[space];
      clock.resize(std::max(clock.size(), threads), 0);
      for (std::uint32_t other = 0; other < threads; ++other) clock[other] = std::max(clock[other], known(other));
    }
  }

  /// Returns whether an access by `other` at time `epoch` to a location in `space` is fenced for `thread`.
  bool is_fenced(std::uint32_t thread, std::uint8_t space, std::uint32_t other, Epoch epoch) const {
    if (thread >= threads_.size()) return false;
    const std::vector<Epoch>& clock = threads_[thread][space == kSharedSpace ? 1 : 0];
    return other < clock.size() && clock[other] >= epoch;
  }

  /// Must be called for each action while is_active().
  void on(const Action& action, const SyncInference& inference, bool polling_acquires) {
    switch (action.kind) {
      case ActionKind::Mark: marks_[action.object] = at(action.thread); break;
      case ActionKind::AddToMark:
        if (action.is_first) marks_[action.object] = {};
        if (const auto mark = marks_.find(action.added); mark != marks_.end())
          join(marks_[action.object], mark->second);
        break;
      case ActionKind::DropMark: marks_.erase(action.object); break;
      case ActionKind::Edge:
        if (action.is_polled && !polling_acquires) break;
        [[fallthrough]];
      case ActionKind::Issue:
        if (const auto mark = marks_.find(action.object); mark != marks_.end()) join(at(action.thread), mark->second);
        break;
      case ActionKind::Release: join(locks_[action.object], at(action.thread)); break;
      case ActionKind::Acquire: join(at(action.thread), locks_[action.object]); break;
      case ActionKind::Fork: join(at(action.object), Fenced(at(action.thread))); break;
      case ActionKind::Join: join(at(action.thread), Fenced(at(action.object))); break;
      case ActionKind::Barrier: barrier(inference.completions()[action.object]); break;
      case ActionKind::Access:
      case ActionKind::Abandon:
      case ActionKind::Exit:
      case ActionKind::MarkOperation:
      case ActionKind::ProxyFence: break;
    }
  }

 private:
  static constexpr std::size_t kSpaces = 2;  ///< global and shared, in the order of the bits of Action::spaces
  using Fenced = std::array<std::vector<Epoch>, kSpaces>;

  Fenced& at(std::uint32_t thread) {
    if (thread >= threads_.size()) threads_.resize(thread + 1);
    return threads_[thread];
  }
  static void join(Fenced& into, const Fenced& from) {
    for (std::size_t space = 0; space < kSpaces; ++space) {
      std::vector<Epoch>& clock = into[space];
      if (clock.size() < from[space].size()) clock.resize(from[space].size(), 0);
      for (std::size_t i = 0; i < from[space].size(); ++i) clock[i] = std::max(clock[i], from[space][i]);
    }
  }
  void barrier(const BarrierTracker::Completion& done) {
    Fenced joint;
    for (const std::uint32_t thread : done.waiting) join(joint, at(thread));
    for (const std::uint32_t thread : done.waiting) at(thread) = joint;
  }

  bool is_active_ = false;
  std::vector<Fenced> threads_;
  std::unordered_map<std::uint32_t, Fenced> marks_;
  std::unordered_map<std::uint32_t, Fenced> locks_;
};

}  // namespace ambit::detector
