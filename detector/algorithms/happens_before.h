#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "detector/algorithms/mark_table.h"
#include "detector/clocks/clock_detector.h"

namespace ambit::detector {

struct HappensBeforeOptions {
  bool polling_acquires = true;  ///< a read-modify-write that polls a flag is an acquire (definitions 4.4, choice 13)
  SyncInference::Rules rules = SyncInference::Rules::Papers;
};

/// Scoped happens-before with a vector clock for each thread: Barracuda (Eizenberg et al., PLDI 2017) with the
/// extensions of PreDataR. Locks and flags synchronise if their scopes include each other. Barriers of warps, blocks,
/// clusters and the grid also synchronise.
template <typename Clocks, typename History = AccessHistory>
class HappensBefore : public ClockDetector<HappensBefore<Clocks, History>, Clocks, History> {
  using Base = ClockDetector<HappensBefore<Clocks, History>, Clocks, History>;
  friend Base;
  static constexpr bool kIsOfLaunches = std::is_same_v<History, LaunchHistory>;

 public:
  /// The history's constructor gets `tables` and then `records`, which are WordRecords for a LaunchHistory.
  template <typename... Records>
  explicit HappensBefore(const TraceTables& tables, const HappensBeforeOptions& options = {}, Records&... records)
      : Base(tables, Overlap::Mutual, options.polling_acquires, options.rules, records...) {}
  /// Returns the thread's vector clock; its own component is its local time.
  std::vector<std::uint32_t> clock_of(std::uint32_t thread) const;
  /// Returns the memory in use, in bytes.
  std::size_t memory() const;

 private:
  using Base::begin;
  using Base::begin_members;
  using Base::clocks_;
  using Base::groups_;
  using Base::has_forks_;
  using Base::history_;
  using Base::set_clocks;
  using Base::tables_;
  using Base::tick;
  using Base::times_;
  using Base::visit_clocks;

  struct ThreadState {
    ClockId clock = Clocks::kZero;  ///< LocalTimes::now() replaces the thread's own component
    std::uint32_t version = 0;
  };

  ClockView view(std::uint32_t thread) const {
    return times_.view(clocks_, thread, threads_[thread].clock, &CommonPast::h);
  }
  ClockView published(std::uint32_t thread) {
    return times_.published(clocks_, thread, threads_[thread].clock, &CommonPast::h);
  }
  Past<Clocks> past(std::uint32_t thread) const {
    return {clocks_, times_, threads_[thread].clock, thread, &CommonPast::h, &CommonPast::h};
  }
  bool lanes_share_clock(std::uint32_t warp) const {
    ClockId different = 0;
    for (std::uint32_t t = warp + 1; t < warp + 32; ++t) different |= threads_[t].clock ^ threads_[warp].clock;
    return different == 0;
  }
  void forget(std::uint32_t thread) { clocks_.release(std::exchange(threads_[thread].clock, Clocks::kZero)); }
  bool covers(std::uint32_t thread, const ClockView& view) const;
  void join_view(std::uint32_t thread, const ClockView& from);
  void begin_access(const Action& /*action*/) {}
  void access(const Action& action, const SyncInference& inference) {
    Base::check(action, past(action.thread), inference);
  }
  void acquire(const Action& action);
  void release(const Action& action);
  /// Applies the action to all lanes of a warp at once if the lanes share a clock, and the last releases of their locks
  /// differ only by the lane number. Otherwise changes nothing and returns false.
  bool act_alike(const Action& action);
  void act_alone(std::uint32_t /*thread*/) {}
  bool begin_access_alike(const Action& /*action*/) { return true; }
  void store(std::uint32_t queue, const ClockView& made);
  void abandon(const Action& /*action*/) {}
  void mark(std::uint32_t thread, std::uint32_t id);
  void mark_warp(std::uint32_t first, std::uint32_t id);
  void add_to_mark(const Action& action);
  void drop_mark(std::uint32_t id) {
    marks_.drop(id, [&](const ClockView& mark) { clocks_.release(mark.clock); });
  }
  void mark_operation(std::uint32_t operation, std::uint32_t id, Epoch moment);
  Epoch known_of(std::uint32_t thread, std::uint32_t other) const { return times_.at(clocks_, view(thread), other); }
  void edge(const Action& action);
  void barrier(const BarrierTracker::Completion& done);
  /// Like barrier(), for all lanes of a warp. begin() must have been called for the lanes. If the lanes have different
  /// clocks or other threads take part, changes nothing and returns false.
  bool pass_as_one(const BarrierTracker::Completion& done);
  void fork(std::uint32_t parent, std::uint32_t child) { join_view(child, view(parent)); }
  void join(std::uint32_t parent, std::uint32_t child) { join_view(parent, view(child)); }
  void exit(std::uint32_t thread);

  std::vector<ThreadState> threads_;
  MarkTable<ClockView> marks_;
  std::vector<ClockView> releases_;  ///< for each release queue (LockGroups)
};

extern template class HappensBefore<PlainClocks>;
extern template class HappensBefore<CompressedClocks>;
extern template class HappensBefore<PatchedClocks, LaunchHistory>;

DetectorDescription barracuda();

}  // namespace ambit::detector
