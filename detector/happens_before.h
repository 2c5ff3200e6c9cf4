#pragma once

#include <cstdint>
#include <vector>

#include "detector/access_history.h"
#include "detector/clock_bank.h"
#include "detector/compressed_clocks.h"
#include "detector/detector.h"
#include "detector/local_times.h"
#include "detector/lock_groups.h"
#include "detector/race_log.h"

namespace ambit::detector {

/// Scoped happens-before with vector clocks, per thread (Barracuda, Eizenberg et al., PLDI 2017, as PreDataR extends
/// it): locks and flags synchronise when the scopes include each other; barriers of warps, blocks, clusters and the
/// grid. `Clocks`: PlainClocks or CompressedClocks; what is found does not depend on it.
template <typename Clocks>
class HappensBefore : public Detector {
 public:
  /// `polling_acquires`: polled edges count (definitions 4.4, choice 13).
  HappensBefore(const TraceTables& tables, bool polling_acquires);
  void on(const Observation& observation) override;
  void finish(std::span<const Action> rest, const SyncInference& inference) override;
  std::vector<RaceReport> races() const override { return log_.reports(); }
  /// What a thread knows of each thread, by thread, and its own time in its own place.
  std::vector<std::uint32_t> clock_of(std::uint32_t thread) const;
  /// Bytes of clocks, and of all that is kept.
  std::size_t clock_memory() const { return clocks_.memory(); }
  /// Rows or arrays of clocks in use.
  std::size_t clock_arrays() const { return clocks_.nodes(); }
  std::size_t memory() const;

 private:
  struct ThreadState {
    ClockId clock = Clocks::kZero;  ///< own component: LocalTimes::now()
    std::uint32_t version = 0;
    bool is_merged = false;  ///< has exited, and its clock stands in exited_
  };

  void apply(const Action& action, const SyncInference& inference);
  void begin(std::uint32_t thread);
  ClockView view(std::uint32_t thread) const { return {threads_[thread].clock, thread, times_.now(thread)}; }
  bool knows(std::uint32_t thread, const ClockView& view) const;
  void learn(std::uint32_t thread, const ClockView& from);
  void tick(std::uint32_t thread);
  void access(const Action& action, const SyncInference& inference);
  void acquire(const Action& action);
  void release(const Action& action);
  void mark(std::uint32_t thread, std::uint32_t id);
  void edge(std::uint32_t id, std::uint32_t thread);
  void barrier(const BarrierTracker::Completion& done);
  void exit(std::uint32_t thread);

  const TraceTables& tables_;
  bool polling_acquires_;
  bool has_forks_ = false;
  Clocks clocks_;
  LockGroups groups_;
  LocalTimes times_;
  AccessHistory history_;
  RaceLog log_;
  std::vector<ThreadState> threads_;
  std::vector<ClockView> marks_;
  std::vector<ClockView> published_;  ///< by file of releases of a lock
  std::vector<ClockId> exited_;       ///< by warp: what its threads that have exited knew and did
};

extern template class HappensBefore<PlainClocks>;
extern template class HappensBefore<CompressedClocks>;

}  // namespace ambit::detector
