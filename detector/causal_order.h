#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "detector/clock_detector.h"
#include "detector/flat_map.h"
#include "detector/mark_table.h"

namespace ambit::detector {

/// Rule (iii) of GWCP (definitions 4.3).
enum class BarrierRule : std::uint8_t {
  Hard,     ///< a barrier is like program order; Literal if a thread arrives in a critical section
  Literal,  ///< all events before the barrier precede (<) all events after it
};

struct CausalOptions {
  Overlap overlap = Overlap::Mutual;
  BarrierRule barrier = BarrierRule::Hard;
  bool polling_acquires = true;  ///< polled edges count
  SyncInference::Rules rules = SyncInference::Rules::Papers;
};

/// Weak causal precedence: WCP (Kini, Mathur, Viswanathan, PLDI 2017) and, with scopes and barriers, GWCP (PreDataR).
///
/// Barriers and flags are hard edges: like program order, they hold in every reordering, whatever the order in which
/// threads took locks before them. But an edge from or to a thread that holds a lock draws the other thread's accesses
/// into its critical section, where rule (i) does not see them. So such an edge precedes (<), as the printed rule (iii)
/// says of all barriers.
///
/// Beside its local time N, each thread t keeps H (happens-before), P (what precedes by <) and, once it has met one, K
/// (what hard edges, i.e. barriers and flags, order before). C = P | K, with N for t itself, decides whether two
/// accesses race. The code differs from the printed algorithm as follows. Each difference changes the speed, not the
/// result:
///
///  * A release increments N, so one component decides whether a clock is known: wherever u's component N of a release
///    arrived, the whole clock of that release arrived.
///  * Of the releases in which a location was accessed, the latest of two different threads suffice: as sections of one
///    file of releases (LockGroups) follow each other in happens-before, it covers those before it.
///  * The FIFO queues of rule (ii) are one list per file of releases, with a position for every reader; it
///    drops the releases that all threads of the launch have passed.
///  * t's own components of H and K are N and stand in no clock (ClockView); that of P is what precedes t in t itself,
///    and stands beside it: after a barrier inside a critical section the P of its members differ in nothing else.
///  * What all threads of a warp or block know of each other after a barrier is one number (CommonPast).
template <typename Clocks, typename History = AccessHistory>
class CausalOrder : public ClockDetector<CausalOrder<Clocks, History>, Clocks, History> {
  using Base = ClockDetector<CausalOrder<Clocks, History>, Clocks, History>;
  friend Base;
  static constexpr bool kIsOfLaunches = std::is_same_v<History, LaunchHistory>;

 public:
  CausalOrder(const TraceTables& tables, const CausalOptions& options) requires(!kIsOfLaunches)
      : Base(tables, options.overlap, options.polling_acquires, options.rules), options_(options) {}
  CausalOrder(const TraceTables& tables, const CausalOptions& options, WordRecords& records) requires(kIsOfLaunches)
      : Base(tables, options.overlap, options.polling_acquires, options.rules, records), options_(options) {}
  /// Bytes of all that is kept.
  std::size_t memory() const {
    std::size_t bytes = clocks_.memory() + history_.memory() + positions_.memory() + conflicts_.memory() +
                        logged_.memory() + threads_.capacity() * sizeof(ThreadState) + marks_.memory();
    for (const File& file : files_) bytes += sizeof(File) + file.releases.capacity() * sizeof(ReleaseRecord);
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
  /// Most files that a lock operation looks at, except with Overlap::Either.
  static constexpr std::size_t kMostFiles = 4;
  /// Most clocks H among the members of a barrier that are looked at together.
  static constexpr std::size_t kMostHeldClocks = 16;

  /// A critical section that a thread is in.
  struct Section {
    std::uint32_t lock = 0;
    Scope scope = Scope::System;
    Epoch begin = 0;            ///< local time of the acquire
    std::size_t log_begin = 0;  ///< into ThreadState::log
    std::array<std::uint32_t, kMostFiles> files{};
    std::uint32_t file_count = 0;
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
    Epoch precedes_self = 0;  ///< the own component of P
    ClockId c = kZero;        ///< P | K; unused while there is no K
    std::uint32_t version = 0;
    bool has_exited = false;
    /// Of the first thread of a warp: its sections and log stand for those of all lanes, whose clocks are the same.
    bool is_folded = false;
    std::vector<Section> sections;
    std::vector<Logged> log;  ///< accesses since the outermost open section began
  };
  struct Mark {
    ClockView h;
    ClockView p;
    ClockView k;
    bool is_inside = false;  ///< in a critical section

    Mark of_thread(std::uint32_t thread) const {
      return {h.of_thread(thread), p.of_thread(thread), k.of_thread(thread), is_inside};
    }
  };
  /// A clock H that some members of a barrier have.
  struct HeldClock {
    ClockId h = kZero;
    std::uint32_t members = 1;
    ClockId others = kZero;  ///< what a member learns of the others
  };
  /// A release, as rules (i) and (ii) know it, by the thread of `h`.
  struct ReleaseRecord {
    ClockView h{kZero, kNoName};
    Epoch begin = 0;  ///< of its acquire

    /// The same of the lane that many threads behind.
    ReleaseRecord moved(std::uint32_t by) const { return {h.moved(by), begin}; }
    bool operator==(const ReleaseRecord&) const = default;
  };
  /// The releases of one file.
  struct File {
    std::vector<ReleaseRecord> releases;
    std::uint32_t dropped = 0;   ///< releases before the first
    std::size_t drop_from = 64;  ///< look for releases to drop when there are that many
    ClockView h;                 ///< thread kNoName: a join of several, or none yet
    ClockView p;                 ///< likewise; its `now` is 0
    /// The first of 32 files, of 32 locks that stand one behind the other: where each is that of the file before for
    /// the lane behind, the first stands for all. kNoName: it never did.
    std::uint32_t group = kNoName;
    bool is_folded = false;  ///< of the first: it stands for all

    bool is_moved(const File& first, std::uint32_t lane) const;
    /// The same for the lane that many threads behind.
    File moved(std::uint32_t lane) const;
  };
  /// The latest releases, by two different threads, of sections that accessed a location; latest first.
  using Latest = std::array<ReleaseRecord, 2>;
  struct Conflicts {
    Latest read;
    Latest write;
    bool is_folded = false;  ///< of the first file of a group: it stands for all, and the locations behind its own

    Conflicts moved(std::uint32_t lane) const;
    bool operator==(const Conflicts&) const = default;
  };

  ClockId current(const ThreadState& own) const { return own.clocks.k == kZero ? own.clocks.p : own.c; }
  Past<Clocks> past(std::uint32_t thread) const {
    return {clocks_, times_, current(threads_[thread]), thread, &CommonPast::p, &CommonPast::k};
  }
  bool have_lanes_one_clock(std::uint32_t warp) const {
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
  /// Its `now` is the own component, which is in neither `warp` nor `block`.
  ClockView p_of(std::uint32_t thread) const {
    ClockView view = times_.view(clocks_, thread, threads_[thread].clocks.p, &CommonPast::p);
    view.now = threads_[thread].precedes_self;
    return view;
  }
  /// A clock with all that `p` says, which comes from p_of(); its owner is `p.thread`. The caller has a use of it.
  ClockId precedence_of(const ClockView& p);
  /// The join with it, which is nobody's clock, as `into` is.
  ClockId with_precedence(ClockId into, const ClockView& p);
  /// Up to which time `other` precedes what `thread` does.
  Epoch precedes(std::uint32_t other, std::uint32_t thread) const {
    const ThreadState& own = threads_[thread];
    if (other == thread) return std::max(clocks_.at(own.clocks.p, other, thread), own.precedes_self);
    return precedes(other, thread, own.clocks.p);
  }
  /// The same of another thread than `thread`, whose P is `p`.
  Epoch precedes(std::uint32_t other, std::uint32_t thread, ClockId p) const {
    const Epoch known = clocks_.at(p, other, thread);
    return clocks_.has_groups() ? std::max(known, times_.common(thread, other, &CommonPast::p)) : known;
  }
  void learn_h(std::uint32_t thread, const ClockView& from) {
    ClockId& own = threads_[thread].clocks.h;
    own = times_.joined(clocks_, own, from, thread, &CommonPast::h);
  }
  void learn_p(std::uint32_t thread, const ClockView& from);
  void learn_k(std::uint32_t thread, const ClockView& from);
  void learn(std::uint32_t thread, const Mark& from);

  void begin_access(const Action& action);
  void access(const Action& action, const SyncInference& inference) {
    begin_access(action);
    Base::check(action, past(action.thread), inference);
  }
  void learn_conflicts(const Action& action, const Section& section);
  void learn_conflict(std::uint32_t thread, const Latest& latest);
  void log_access(ThreadState& own, const Action& action);
  void learn_files(std::uint32_t thread, const std::vector<std::uint32_t>& files);
  void acquire(const Action& action);
  void open_section(const Action& action, const std::vector<std::uint32_t>& files);
  void learn_and_log(const Action& action);
  /// For all lanes of a warp that did and know the same (causal_warps.inc): does the action at once. False: they
  /// differ, and nothing has changed.
  bool act_alike(const Action& action);
  /// What comes before the check of an access.
  bool begin_access_alike(const Action& action);
  bool acquire_alike(const Action& action);
  bool release_alike(const Action& action);
  void publish_alike(const Action& action);
  void note_accesses_alike(std::uint32_t file, const ReleaseRecord& record, std::size_t log_begin);
  /// A lane is about to act alone.
  void act_alone(std::uint32_t thread) {
    if (folded_warps_ != 0) unfold_warp(thread);
  }
  bool fold_warp(std::uint32_t first);
  void unfold_warp(std::uint32_t thread);
  void end_fold(ThreadState& first);
  bool are_sections_alike(std::uint32_t first) const;
  bool fold_files(const Action& action, Scope scope);
  bool fold_files(std::uint32_t first);
  void unfold_files(std::uint32_t file);
  Conflicts* fold_conflicts(std::uint32_t file, std::uint32_t location);
  void unfold_conflicts(std::uint32_t file, std::uint32_t location);
  std::uint32_t lane_of_file(std::uint32_t file) const;
  bool may_learn_alike(std::uint32_t first, ClockId clock) const;
  bool add_fresh_releases(std::uint32_t file, std::uint32_t first);
  void spread_clocks(std::uint32_t first);
  void widen(ThreadState& own, const Action& action);
  void set_files(Section& section, const std::vector<std::uint32_t>& files) const;
  void release(const Action& action);
  void publish_section(const Action& action);
  void abandon(const Action& action) { close_section(threads_[action.thread], action.object); }
  void close_section(ThreadState& own, std::uint32_t lock);
  void apply_rule_ii(std::uint32_t thread, std::uint32_t lock, Scope scope);
  bool advance(std::uint32_t thread, std::uint32_t file);
  void publish(std::uint32_t file, const ReleaseRecord& record, ClockId p);
  bool is_covered(const File& file, const ReleaseRecord& record) const;
  /// Whether a release that precedes a thread covers those of its file before it: each of its sections began with an
  /// acquire that learned of the file.
  bool do_releases_cover() const { return options_.overlap == Overlap::Mutual || options_.overlap == Overlap::All; }
  std::size_t first_not_covered(const File& file, std::uint32_t thread, std::size_t position) const;
  std::size_t passed_by(std::uint32_t id, std::uint32_t thread, std::size_t most);
  std::size_t passed_by_each(const File& folded, std::uint32_t thread, std::size_t most) const;
  void drop_passed(std::uint32_t id);
  void note_accesses(std::uint32_t file, const ReleaseRecord& record, const ThreadState& own, std::size_t log_begin);
  void note(Latest& latest, const ReleaseRecord& record);

  void mark(std::uint32_t thread, std::uint32_t id);
  void mark_warp(std::uint32_t first, std::uint32_t id);
  void fill_in(Mark& made, std::uint32_t thread);
  bool are_lanes_alike(std::uint32_t first) const;
  void add_to_mark(const Action& action);
  void drop_mark(std::uint32_t id) {
    marks_.drop(id, [&](const Mark& mark) { release_clocks({mark.h.clock, mark.p.clock, mark.k.clock}); });
  }
  /// What waits for an operation does so in every reordering.
  void mark_operation(std::uint32_t operation, std::uint32_t id, Epoch moment) {
    const ClockView own{kZero, operation, moment};
    marks_.make(id) = {own, {}, own, false};
  }
  Epoch known_of(std::uint32_t thread, std::uint32_t other) const { return times_.at(clocks_, h_of(thread), other); }
  void edge(const Action& action);
  void barrier(const BarrierTracker::Completion& done);
  void hard_barrier(const BarrierTracker::Completion& done);
  ClockId joint_precedence(const BarrierTracker::Completion& done);
  bool precede_themselves_alike(std::span<const std::uint32_t> members) const;
  void literal_barrier(const BarrierTracker::Completion& done);
  void literal_group_barrier(const BarrierTracker::Completion& done);
  void learn_from_others(std::span<const std::uint32_t> members, std::span<const HeldClock> held);
  void ground_clocks(std::span<const std::uint32_t> threads);
  void fork(std::uint32_t parent, std::uint32_t child);
  void join(std::uint32_t parent, std::uint32_t child);
  void exit(std::uint32_t thread);

  CausalOptions options_;
  std::vector<ThreadState> threads_;
  MarkTable<Mark> marks_;
  std::vector<File> files_;
  FlatMap<std::uint32_t> positions_;  ///< (file, reader) to how many of its releases the reader has passed
  FlatMap<Conflicts> conflicts_;      ///< (file, location)
  FlatMap<std::size_t> logged_;       ///< (thread, location, write) to 1 + where it stands in the log
  std::vector<std::uint32_t> scratch_;
  std::vector<ReleaseRecord> teachers_;  ///< from which a lane may be about to learn
  std::uint32_t folded_warps_ = 0;
};

extern template class CausalOrder<PlainClocks>;
extern template class CausalOrder<CompressedClocks>;
extern template class CausalOrder<PatchedClocks, LaunchHistory>;

DetectorDescription gwcp();
DetectorDescription wcp();

}  // namespace ambit::detector
