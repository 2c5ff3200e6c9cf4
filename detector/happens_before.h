#pragma once

#include <cstdint>
#include <vector>

#include "detector/access_history.h"
#include "detector/clock_bank.h"
#include "detector/detector.h"
#include "detector/flat_map.h"
#include "detector/lock_groups.h"
#include "detector/race_log.h"

namespace ambit::detector {

/// Scoped happens-before with vector clocks, per thread (Barracuda, Eizenberg et al., PLDI 2017, as PreDataR extends
/// it): locks and flags synchronise when the scopes include each other; barriers of warps, blocks, clusters and the
/// grid.
class HappensBefore : public Detector {
 public:
  /// `polling_acquires`: polled edges count (definitions 4.4, choice 13).
  HappensBefore(const TraceTables& tables, bool polling_acquires);
  void on(const Observation& observation) override;
  void finish(std::span<const Action> rest, const SyncInference& inference) override;
  std::vector<RaceReport> races() const override { return log_.reports(); }

 private:
  struct ThreadState {
    ClockId clock = kNoClock;  ///< own component: `now`
    Epoch now = 1;
    std::uint32_t version = 0;
    std::vector<std::uint32_t> lazy_marks;
  };
  struct Mark {
    ClockId clock = kNoClock;  ///< none: as the thread's, but for its own component
    std::uint32_t thread = 0;
    Epoch now = 0;
  };
  /// What a file of releases of a lock publishes.
  struct Published {
    ClockId clock = kNoClock;
    std::uint32_t owner = kNoName;  ///< whose clock it is; none: a join of several
    Epoch now = 0;
  };

  void apply(const Action& action, const SyncInference& inference);
  ThreadState& state(std::uint32_t thread);
  /// Before the thread learns: what its lazy marks stand for must be kept.
  void before_learning(std::uint32_t thread);
  void learn(std::uint32_t thread, ClockId from);
  void tick(std::uint32_t thread);
  void acquire(const Action& action);
  void release(const Action& action);
  void mark(std::uint32_t thread, std::uint32_t id);
  void drop_mark(std::uint32_t id);
  void edge(std::uint32_t id, std::uint32_t thread);
  void barrier(const BarrierTracker::Completion& done);

  const TraceTables& tables_;
  bool polling_acquires_;
  ClockBank clocks_;
  LockGroups groups_;
  AccessHistory history_;
  RaceLog log_;
  std::vector<ThreadState> threads_;
  std::vector<Mark> marks_;
  std::vector<Published> published_;
};

}  // namespace ambit::detector
