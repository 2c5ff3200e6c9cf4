#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "detector/algorithms/mark_table.h"
#include "detector/clocks/clock_detector.h"
#include "detector/inference/flat_map.h"

namespace ambit::detector {

/// Rule (iii) of GWCP (definitions 4.3).
enum class BarrierRule : std::uint8_t {
  Hard,     ///< a barrier acts like program order; but like Literal if a thread arrives inside a section
  Literal,  ///< all events before the barrier precede (<) all events after it
};

struct CausalOptions {
  Overlap overlap = Overlap::Mutual;
  BarrierRule barrier = BarrierRule::Hard;
  bool polling_acquires = true;  ///< a read-modify-write that polls a flag is an acquire
  SyncInference::Rules rules = SyncInference::Rules::Papers;
};

/// Computes weak causal precedence: WCP (Kini et al., PLDI 2017) or GWCP (PreDataR), which adds scopes and barriers.
///
/// Barriers and flags are hard edges. Like program order, a hard edge holds in every reordering, regardless of the
/// earlier order of lock acquisitions. But an edge from or to a thread that holds a lock is not hard. A hard edge would
/// move accesses of the other thread into the critical section, but rule (i) would not see these accesses. So this edge
/// belongs to < only, like all barriers under the published rule (iii).
///
/// Each thread t has a local time N and the clocks H (happens-before) and P (<). After its first hard edge (barrier or
/// flag), t also has the clock K (hard edges). Clock C decides whether two accesses race: C is the join of P and K,
/// with N as the component of t. The code differs from the published algorithm in these points, which do not change the
/// result:
///
///  * A release increments N. So a clock includes the clock of a release by thread u exactly if the clock's component u
///    is at least the release's N.
///  * Each location keeps only the two latest releases by different threads. These two releases cover all earlier
///    releases, because happens-before orders the critical sections of one release queue (LockGroups).
///  * Rule (ii) has one release queue for all readers, with a position for each reader. The queue drops the releases
///    that all threads of the launch have passed.
///  * A thread's own components of H and K equal N and are not stored in a clock (ClockView). A thread's own component
///    of P is stored outside the clock (precedes_self): after a barrier inside a critical section, the members' clocks
///    differ only in this component.
///  * After a barrier of a whole warp or block, one number (CommonPast) stores the common past of its
///    threads.
template <typename Clocks, typename History = AccessHistory>
class CausalOrder : public ClockDetector<CausalOrder<Clocks, History>, Clocks, History> {
  using Base = ClockDetector<CausalOrder<Clocks, History>, Clocks, History>;
  friend Base;

 public:
  /// The history's constructor gets `tables` and then `records`, which are WordRecords for a LaunchHistory.
  template <typename... Records>
  CausalOrder(const TraceTables& tables, const CausalOptions& options, Records&... records)
      : Base(tables, options.overlap, options.polling_acquires, options.rules, records...), options_(options) {}
  /// Returns the memory in use, in bytes.
  std::size_t memory() const {
    std::size_t bytes = clocks_.memory() + history_.memory() + positions_.memory() + conflicts_.memory() +
                        logged_.memory() + threads_.capacity() * sizeof(ThreadState) + marks_.memory();
    for (const ReleaseQueue& queue : queues_)
      bytes += sizeof(ReleaseQueue) + queue.releases.capacity() * sizeof(ReleaseRecord);
    for (const ThreadState& own : threads_) {
      bytes += own.sections.capacity() * sizeof(Section) + own.log.capacity() * sizeof(Logged);
    }
    return bytes;
  }

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

  static constexpr ClockId kZero = Clocks::kZero;
  /// A section's log with at most this number of accesses is searched. For longer logs, `logged_` is used.
  static constexpr std::size_t kShortLog = 8;
  /// Limit on the number of queues that a lock operation reads. The limit does not apply to Overlap::Either.
  static constexpr std::size_t kMostQueues = 4;
  /// In literal_group_barrier(), the limit on the number of different H clocks among the barrier's members.
  static constexpr std::size_t kMostHeldClocks = 16;

  /// An open critical section of a thread.
  struct Section {
    std::uint32_t lock = 0;
    Scope scope = Scope::System;
    Epoch begin = 0;            ///< local time of the acquire
    std::size_t log_begin = 0;  ///< index in ThreadState::log
    std::array<std::uint32_t, kMostQueues> queues{};
    std::uint32_t queue_count = 0;
  };
  struct Logged {
    std::uint32_t location;
    bool is_write;
  };
  /// The three clocks, without the thread's own components of H and K.
  struct Clock3 {
    ClockId h = kZero;
    ClockId p = kZero;
    ClockId k = kZero;
    bool operator==(const Clock3&) const = default;
  };
  struct ThreadState {
    Clock3 clocks;
    Epoch precedes_self = 0;  ///< the thread's own component of P
    ClockId c = kZero;        ///< P | K; unused while the thread has no K
    std::uint32_t version = 0;
    bool has_exited = false;
    /// Used only for the first thread of a warp: true if the warp is collapsed. Then this thread's clocks, sections and
    /// log, shifted by the lane number, apply to all lanes (causal_warps.h).
    bool is_collapsed = false;
    std::vector<Section> sections;
    std::vector<Logged> log;  ///< accesses since the start of the outermost open section
  };
  struct Mark {
    ClockView h;
    ClockView p;
    ClockView k;
    bool is_inside = false;  ///< the thread was inside a critical section

    Mark of_thread(std::uint32_t thread) const {
      return {h.of_thread(thread), p.of_thread(thread), k.of_thread(thread), is_inside};
    }
  };
  /// A clock H that one or more members of a barrier share.
  struct HeldClock {
    ClockId h = kZero;
    std::uint32_t members = 1;
    ClockId others = kZero;  ///< the join of H over the other members
  };
  /// A release by thread `h.thread`, for rules (i) and (ii).
  struct ReleaseRecord {
    ClockView h{kZero, kNoName};
    Epoch begin = 0;  ///< local time of the acquire

    /// Returns the record shifted by `by` threads.
    ReleaseRecord moved(std::uint32_t by) const { return {h.moved(by), begin}; }
    bool operator==(const ReleaseRecord&) const = default;
  };
  /// The releases of one lock by the threads of one group (LockGroups).
  struct ReleaseQueue {
    std::vector<ReleaseRecord> releases;
    std::uint32_t dropped = 0;   ///< number of dropped releases, which preceded `releases`
    std::size_t drop_from = 64;  ///< drop_passed() runs at this number of releases
    ClockView h;                 ///< H of the last release if it covers all releases; otherwise the join of all
    ClockView p;                 ///< like `h`, but for P; `now` is 0
    /// The first queue of the group. A group consists of 32 queues that were collapsed together: one queue for each
    /// lane, for consecutive locks. The value is kNoName if this queue was never collapsed.
    std::uint32_t group = kNoName;
    bool is_collapsed = false;  ///< the first queue of a group represents all 32 queues, shifted by the lane number

    bool is_moved(const ReleaseQueue& first, std::uint32_t lane) const;
    /// Returns this queue shifted by `lane` threads.
    ReleaseQueue moved(std::uint32_t lane) const;
  };
  /// The two latest releases, by different threads, of critical sections that accessed a location. The latest comes
  /// first.
  using Latest = std::array<ReleaseRecord, 2>;
  struct Conflicts {
    Latest read;
    Latest write;
    bool is_collapsed = false;  ///< a group's first queue represents 32 queues and 32 consecutive locations

    Conflicts moved(std::uint32_t lane) const;
    bool operator==(const Conflicts&) const = default;
  };

  /// Returns a key for FlatMap.
  static std::uint64_t pair_of(std::uint32_t a, std::uint32_t b) { return (std::uint64_t{a} << 32U) | b; }
  ClockId current(const ThreadState& own) const { return own.clocks.k == kZero ? own.clocks.p : own.c; }
  Past<Clocks> past(std::uint32_t thread) const {
    return {clocks_, times_, current(threads_[thread]), thread, &CommonPast::p, &CommonPast::k};
  }
  bool lanes_share_clock(std::uint32_t warp) const {
    ClockId different = 0;
    for (std::uint32_t t = warp + 1; t < warp + 32; ++t) different |= current(threads_[t]) ^ current(threads_[warp]);
    return different == 0;
  }
  void forget(std::uint32_t thread);
  Clock3 retained(const Clock3& clocks);
  void release_clocks(const Clock3& clocks);
  ClockView h_of(std::uint32_t thread) const {
    return times_.view(clocks_, thread, threads_[thread].clocks.h, &CommonPast::h);
  }
  ClockView published_h(std::uint32_t thread) {
    return times_.published(clocks_, thread, threads_[thread].clocks.h, &CommonPast::h);
  }
  ClockView k_of(std::uint32_t thread) const {
    return times_.view(clocks_, thread, threads_[thread].clocks.k, &CommonPast::k);
  }
  /// Returns the view of the thread's P. `now` is precedes_self; `warp` and `block` may raise it further.
  ClockView p_of(std::uint32_t thread) const {
    ClockView view = times_.view(clocks_, thread, threads_[thread].clocks.p, &CommonPast::p);
    view.now = threads_[thread].precedes_self;
    return view;
  }
  /// Returns a clock equal to `p`, which is a view from p_of(). The clock's owner is `p.thread`. The caller gets one
  /// reference.
  ClockId precedence_of(const ClockView& p);
  /// Returns the join of `into` and `p`; neither `into` nor the result has an owner.
  ClockId with_precedence(ClockId into, const ClockView& p);
  /// Returns the local time up to which the events of `other` precede the next event of `thread`.
  Epoch precedes(std::uint32_t other, std::uint32_t thread) const {
    const ThreadState& own = threads_[thread];
    if (other == thread) return std::max(clocks_.at(own.clocks.p, other, thread), own.precedes_self);
    return precedes(other, thread, own.clocks.p);
  }
  /// Overload for the case other != thread, in which `p` is the P clock of `thread`.
  Epoch precedes(std::uint32_t other, std::uint32_t thread, ClockId p) const {
    const Epoch known = clocks_.at(p, other, thread);
    return clocks_.has_groups() ? std::max(known, times_.common(thread, other, &CommonPast::p)) : known;
  }
  void join_h(std::uint32_t thread, const ClockView& from) {
    ClockId& own = threads_[thread].clocks.h;
    own = times_.joined(clocks_, own, from, thread, &CommonPast::h);
  }
  void join_p(std::uint32_t thread, const ClockView& from);
  void join_k(std::uint32_t thread, const ClockView& from);
  void join_mark(std::uint32_t thread, const Mark& from);

  void begin_access(const Action& action);
  void access(const Action& action, const SyncInference& inference) {
    begin_access(action);
    Base::check(action, past(action.thread), inference);
  }
  void join_conflicts(const Action& action, const Section& section);
  void join_conflict(std::uint32_t thread, const Latest& latest);
  void log_access(ThreadState& own, const Action& action);
  void join_queues(std::uint32_t thread, const std::vector<std::uint32_t>& queues);
  void acquire(const Action& action);
  void open_section(const Action& action, const std::vector<std::uint32_t>& queues);
  void join_and_log(const Action& action);
  /// Applies the action to all lanes at once if the lanes' states are equivalent (causal_warps.h). Otherwise changes
  /// nothing and returns false.
  bool act_alike(const Action& action);
  /// Like act_alike(), for begin_access().
  bool begin_access_alike(const Action& action);
  bool acquire_alike(const Action& action);
  bool release_alike(const Action& action);
  void publish_alike(const Action& action);
  void note_accesses_alike(std::uint32_t queue, const ReleaseRecord& record, std::size_t log_begin);
  /// Expands the warp's collapsed state before one of its lanes acts alone.
  void act_alone(std::uint32_t thread) {
    if (collapsed_warps_ != 0) expand_warp(thread);
  }
  bool collapse_warp(std::uint32_t first);
  void expand_warp(std::uint32_t thread);
  void end_collapse(ThreadState& first);
  bool are_sections_alike(std::uint32_t first) const;
  bool collapse_queues(const Action& action, Scope scope);
  bool collapse_queues(std::uint32_t first);
  void expand_queues(std::uint32_t queue);
  Conflicts* collapse_conflicts(std::uint32_t queue, std::uint32_t location);
  void expand_conflicts(std::uint32_t queue, std::uint32_t location);
  std::uint32_t lane_of_queue(std::uint32_t queue) const;
  bool can_join_alike(std::uint32_t first, ClockId clock) const;
  bool add_fresh_releases(std::uint32_t queue, std::uint32_t first);
  void spread_clocks(std::uint32_t first);
  void widen(ThreadState& own, const Action& action);
  void set_queues(Section& section, const std::vector<std::uint32_t>& queues) const;
  void release(const Action& action);
  void publish_section(const Action& action);
  void abandon(const Action& action) { close_section(threads_[action.thread], action.object); }
  void close_section(ThreadState& own, std::uint32_t lock);
  void apply_rule_ii(std::uint32_t thread, std::uint32_t lock, Scope scope);
  bool advance(std::uint32_t thread, std::uint32_t queue);
  void publish(std::uint32_t queue, const ReleaseRecord& record, ClockId p);
  bool is_covered(const ReleaseQueue& queue, const ReleaseRecord& record) const;
  /// Returns whether a thread that is ordered after a release is also ordered after all earlier releases of the queue.
  /// The result is true if each critical section with a release in the queue began by joining the queue's clocks.
  bool releases_cover_earlier() const {
    return options_.overlap == Overlap::Mutual || options_.overlap == Overlap::All;
  }
  std::size_t first_not_covered(const ReleaseQueue& queue, std::uint32_t thread, std::size_t position) const;
  std::size_t passed_by(std::uint32_t id, std::uint32_t thread, std::size_t most);
  std::size_t passed_by_each(const ReleaseQueue& collapsed, std::uint32_t thread, std::size_t most) const;
  void drop_passed(std::uint32_t id);
  void note_accesses(std::uint32_t queue, const ReleaseRecord& record, const ThreadState& own, std::size_t log_begin);
  void note(Latest& latest, const ReleaseRecord& record);

  void mark(std::uint32_t thread, std::uint32_t id);
  void mark_warp(std::uint32_t first, std::uint32_t id);
  void fill_in(Mark& made, std::uint32_t thread);
  bool are_lanes_alike(std::uint32_t first) const;
  void add_to_mark(const Action& action);
  void drop_mark(std::uint32_t id) {
    marks_.drop(id, [&](const Mark& mark) { release_clocks({mark.h.clock, mark.p.clock, mark.k.clock}); });
  }
  /// Records the end of an operation. A wait for the operation is a hard edge, which holds in every reordering.
  void mark_operation(std::uint32_t operation, std::uint32_t id, Epoch moment) {
    const ClockView own{kZero, operation, moment};
    marks_.make(id) = {own, {}, own, false};
  }
  Epoch known_of(std::uint32_t thread, std::uint32_t other) const { return times_.at(clocks_, h_of(thread), other); }
  void edge(const Action& action);
  void barrier(const BarrierTracker::Completion& done);
  void hard_barrier(const BarrierTracker::Completion& done);
  ClockId joint_precedence(const BarrierTracker::Completion& done);
  bool have_past_in_common(std::span<const std::uint32_t> members) const;
  void set_own_precedence(std::span<const std::uint32_t> members, ClockId joint);
  bool is_uniform_warp(std::span<const std::uint32_t> members) const;
  void literal_barrier(const BarrierTracker::Completion& done);
  void literal_group_barrier(const BarrierTracker::Completion& done);
  void join_others(std::span<const std::uint32_t> members, std::span<const HeldClock> held);
  void make_lane_independent(std::span<const std::uint32_t> threads);
  void fork(std::uint32_t parent, std::uint32_t child);
  void join(std::uint32_t parent, std::uint32_t child);
  void exit(std::uint32_t thread);

  CausalOptions options_;
  std::vector<ThreadState> threads_;
  MarkTable<Mark> marks_;
  std::vector<ReleaseQueue> queues_;
  /// Maps (queue, reader) to the number of the queue's releases that the reader has passed.
  FlatMap<std::uint32_t> positions_;
  FlatMap<Conflicts> conflicts_;  ///< maps (queue, location) to the latest sections that accessed the location
  FlatMap<std::size_t> logged_;   ///< maps (thread, location, write) to 1 + position in the log
  std::vector<std::uint32_t> scratch_;
  std::vector<ReleaseRecord> sources_;  ///< releases that the next action may join
  std::uint32_t collapsed_warps_ = 0;
};

extern template class CausalOrder<PlainClocks>;
extern template class CausalOrder<CompressedClocks>;
extern template class CausalOrder<PatchedClocks, LaunchHistory>;

DetectorDescription gwcp();
DetectorDescription wcp();

}  // namespace ambit::detector
