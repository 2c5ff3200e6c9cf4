#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/trace.h"

namespace ambit {

/// Tracks the barriers of a trace: where each thread waits, when each barrier instance completes, and which threads
/// take part in the instance.
///
/// A barrier instance with a count completes when that number of threads has arrived. An instance without a count
/// completes at the next event of a waiting thread. At this event, each expected thread must have arrived or exited, or
/// have no further event; otherwise the trace is inconsistent. Exited threads do not delay a barrier. An exit before
/// the completion of a barrier does not synchronise (definitions 2.6).
class BarrierTracker {
 public:
  struct Completion {
    TraceOp op = TraceOp::Barrier;
    Scope level = Scope::Block;               ///< meaningless for warp barriers
    bool is_of_all = false;                   ///< the instance has no count and no mask
    std::vector<std::uint32_t> waiting;       ///< threads that arrived and waited (release and acquire)
    std::vector<std::uint32_t> arrived_only;  ///< threads that arrived but did not wait (only release)
    std::vector<std::uint32_t> exited;        ///< threads that exited since the last barrier and release nothing
  };

  /// Processes the next event. The caller passes all events of the trace, in order. Appends to `completions` the
  /// instances that complete before the event takes effect. Returns an error message if the event contradicts the
  /// barriers, or if the event's thread has exited.
  std::optional<std::string> on(const TraceEvent& event, const TraceTables& tables,
                                std::vector<Completion>& completions) {
    if (is_unaffected(event)) return std::nullopt;
    return take(event, tables, completions);
  }

  bool has_exited(std::uint32_t thread) const { return thread < threads_.size() && threads_[thread].has_exited; }
  bool is_waiting(std::uint32_t thread) const {
    return thread < threads_.size() && threads_[thread].waiting_at != kNowhere;
  }

 private:
  /// The fast path for most events. Returns true if the event is not a barrier or exit, the event's thread neither
  /// waits nor has exited, and no barrier has completed yet.
  bool is_unaffected(const TraceEvent& event) const {
    return !any_completion_ && !event.is_barrier() && event.op != TraceOp::Exit && event.thread < threads_.size() &&
           threads_[event.thread].waiting_at == kNowhere && !threads_[event.thread].has_exited;
  }
  std::optional<std::string> take(const TraceEvent& event, const TraceTables& tables,
                                  std::vector<Completion>& completions);

  static constexpr std::uint32_t kNowhere = 0xffffffffU;
  static constexpr std::size_t kLevels = 4;  ///< the levels are warp, block, cluster and grid

  /// A warp, block, cluster or grid.
  struct Group {
    std::uint32_t completions = 0;  ///< number of completed barriers that include all threads of the group
    std::uint32_t left_out = 0;     ///< for warps: lanes that were in a barrier's mask but did not arrive
    std::vector<std::uint32_t> exited;
  };
  struct ThreadState {
    std::array<std::uint32_t, kLevels> group{};
    std::array<std::uint32_t, kLevels> participations{};
    std::uint32_t waiting_at = kNowhere;  ///< the instance at which the thread waits
    bool has_exited = false;
  };
  struct Instance {
    std::uint64_t key = 0;
    TraceOp op = TraceOp::Barrier;
    std::size_t level = 1;
    std::uint32_t group = 0;
    std::uint32_t barrier = 0;
    std::uint32_t count = 0;  ///< number of expected threads, from the event
    std::vector<std::uint32_t> waiting;
    std::vector<std::uint32_t> arrived_only;
    bool is_open = false;
  };

  void add_threads(const TraceTables& tables);
  std::uint32_t group_of(std::size_t level, std::uint64_t number);
  std::optional<std::string> check_left_out(const TraceEvent& event, const TraceTables& tables) const;
  std::optional<std::string> arrive(const TraceEvent& event, const TraceTables& tables,
                                    std::vector<Completion>& completions);
  std::uint32_t open_instance(const TraceEvent& event);
  void complete(std::uint32_t instance, const TraceTables& tables, std::vector<Completion>& completions);
  void note_left_out_lanes(const Instance& instance, const TraceTables& tables);
  void exit(std::uint32_t thread);
  bool is_of_all(const Instance& instance) const;

  std::vector<ThreadState> threads_;
  std::vector<Group> groups_;
  std::unordered_map<std::uint64_t, std::uint32_t> group_numbers_;
  std::vector<Instance> instances_;
  std::unordered_map<std::uint64_t, std::uint32_t> open_;
  std::vector<std::uint32_t> free_instances_;
  bool any_completion_ = false;
};

}  // namespace ambit
