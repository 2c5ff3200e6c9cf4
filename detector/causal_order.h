#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "detector/access_history.h"
#include "detector/clock_bank.h"
#include "detector/detector.h"
#include "detector/flat_map.h"
#include "detector/lock_groups.h"
#include "detector/race_log.h"

namespace ambit::detector {

/// Rule (iii) of GWCP (definitions 4.3).
enum class BarrierRule : std::uint8_t {
  Hard,     ///< a barrier is like program order
  Literal,  ///< what stands before precedes (<) what stands after
};

struct CausalOptions {
  Overlap overlap = Overlap::Mutual;
  BarrierRule barrier = BarrierRule::Hard;
  bool polling_acquires = true;  ///< polled edges count
};

/// Weak causal precedence: WCP (Kini, Mathur, Viswanathan, PLDI 2017) and, with scopes and barriers, GWCP (PreDataR).
///
/// Beside its local time N, each thread t keeps H (happens-before), P (what precedes by <) and, once it has met one, K
/// (what hard edges, i.e. barriers and flags, order before). C = P | K with N for t itself is what a race is decided
/// by. Differences to the printed algorithm, each without effect on the result but on speed:
///
///  * A release increments N, so one component decides whether a clock is known: wherever u's component N of a release
///    arrived, the whole clock of that release arrived.
///  * Of the releases in which a location was accessed, the latest of two different threads suffice: as sections of one
///    file of releases (LockGroups) follow each other in happens-before, it covers those before it.
///  * The FIFO queues of rule (ii) are one list a file of releases, with a position for every reader.
class CausalOrder : public Detector {
 public:
  CausalOrder(const TraceTables& tables, const CausalOptions& options);
  void on(const Observation& observation) override;
  void finish(std::span<const Action> rest, const SyncInference& inference) override;
  std::vector<RaceReport> races() const override { return log_.reports(); }

 private:
  /// A critical section that a thread is in.
  struct Section {
    std::uint32_t lock;
    Scope scope;
    Epoch begin;            ///< local time of the acquire
    std::size_t log_begin;  ///< into ThreadState::log
  };
  struct Logged {
    std::uint32_t location;
    bool is_write;
  };
  struct ThreadState {
    ClockId h = kNoClock;  ///< own component: `now`
    ClockId p = kNoClock;  ///< own component: `now`, what precedes it is in own_p
    ClockId k = kNoClock;  ///< none before the first hard edge; own component: `now`
    ClockId c = kNoClock;  ///< is p where there is no k
    Epoch now = 1;
    Epoch own_p = 0;
    std::uint32_t version = 0;
    std::vector<Section> sections;
    std::vector<Logged> log;  ///< accesses since the outermost open section began
    std::vector<std::uint32_t> lazy_marks;
  };
  /// The three clocks at a moment, own component at that moment's time (p: own_p).
  struct Snapshot {
    ClockId h = kNoClock;
    ClockId p = kNoClock;
    ClockId k = kNoClock;
  };
  struct Mark {
    bool is_lazy = false;
    std::uint32_t thread = 0;
    Epoch now = 0;
    Snapshot clocks;
  };
  /// A release, as rules (i) and (ii) know it.
  struct ReleaseRecord {
    std::uint32_t owner = kNoName;
    Epoch begin = 0;  ///< of its acquire
    Epoch now = 0;
    ClockId h = kNoClock;
  };
  /// The releases of one file.
  struct File {
    std::vector<ReleaseRecord> releases;
    ClockId h = kNoClock;
    ClockId p = kNoClock;
    std::uint32_t owner = kNoName;  ///< of h; none: a join of several
    Epoch now = 0;
  };
  /// The latest releases, by two different threads, of sections that accessed a location; latest first.
  using Latest = std::array<ReleaseRecord, 2>;
  struct Conflicts {
    Latest read;
    Latest write;
  };

  void apply(const Action& action, const SyncInference& inference);
  ThreadState& state(std::uint32_t thread);
  void tick(std::uint32_t thread);
  void before_learning(std::uint32_t thread);
  void learn_h(std::uint32_t thread, ClockId from);
  void learn_p(std::uint32_t thread, ClockId from);
  void learn_k(std::uint32_t thread, ClockId from, std::uint32_t owner, Epoch now);
  void make_k(std::uint32_t thread);
  Snapshot snapshot(std::uint32_t thread, Epoch now);
  void release_snapshot(const Snapshot& clocks);

  void access(const Action& action, const SyncInference& inference);
  void learn_conflict(std::uint32_t thread, const Latest& latest);
  void acquire(const Action& action);
  void release(const Action& action);
  void close_section(ThreadState& own, std::uint32_t lock);
  void apply_rule_ii(std::uint32_t thread, std::uint32_t lock, Scope scope);
  bool advance(std::uint32_t thread, std::uint32_t file);
  void publish(std::uint32_t thread, std::uint32_t file, const ReleaseRecord& record, ClockId p);
  void note_accesses(std::uint32_t file, const ReleaseRecord& record, const ThreadState& own, std::size_t log_begin);
  void note(Latest& latest, const ReleaseRecord& record);

  void mark(std::uint32_t thread, std::uint32_t id);
  void drop_mark(std::uint32_t id);
  void edge(std::uint32_t id, std::uint32_t thread);
  void barrier(const BarrierTracker::Completion& done);
  void hard_barrier(const BarrierTracker::Completion& done);
  void literal_barrier(const BarrierTracker::Completion& done);
  void fork(std::uint32_t parent, std::uint32_t child);
  void join(std::uint32_t parent, std::uint32_t child);

  const TraceTables& tables_;
  CausalOptions options_;
  ClockBank clocks_;
  LockGroups groups_;
  AccessHistory history_;
  RaceLog log_;
  std::vector<ThreadState> threads_;
  std::vector<Mark> marks_;
  std::vector<File> files_;
  FlatMap<std::uint32_t> positions_;  ///< (file, reader) to how many of its releases the reader has passed
  FlatMap<Conflicts> conflicts_;      ///< (file, location)
  FlatMap<std::size_t> logged_;       ///< (thread, location, write) to 1 + where it stands in the log
  std::vector<std::uint32_t> scratch_;
};

}  // namespace ambit::detector
