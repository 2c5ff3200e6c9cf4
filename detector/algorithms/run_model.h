#pragma once

#include <cstdint>
#include <vector>

#include "core/trace.h"
#include "detector/detector.h"
#include "detector/inference/lock_groups.h"
#include "detector/race_log.h"
#include "model/solver/reordering_solver.h"

namespace ambit::detector {

/// The writes that a read of a reordered run may read from.
enum class ReadsKept : std::uint8_t {
  Writer,  ///< only the write from which the read of the original run took its value
  Value,   ///< any write that stored the value that the original run read
};

struct RunModelOptions {
  ReadsKept reads = ReadsKept::Writer;
  Overlap overlap = Overlap::Mutual;
  std::size_t limit = 1000;  ///< limit on the number of events; the model omits the rest of the trace
};

/// The constraints that all reorderings of a run must satisfy (definitions 5.1): program order, barriers, forks, the
/// write that each read must read, and the pairs of critical sections that exclude each other.
///
/// The steps are the events that have constraints, numbered in trace order. Fences are not steps. Failed attempts to
/// take a lock are not steps, because the number of attempts depends on the order of the threads. If a word is used
/// only as a lock, the model ignores accesses of this word, because the critical sections express all constraints of
/// the lock. A section begins with its compare-exchange, although SyncInference reports the section only at the fence
/// after the compare-exchange.
struct RunModel {
  struct Step {
    std::uint64_t event = 0;  ///< number in the trace
    std::uint32_t thread = 0;
  };
  struct Section {
    std::uint32_t thread = 0;
    std::uint32_t lock = kNoName;
    Scope scope = Scope::System;
    std::uint32_t acquire = kNoName;  ///< the step that begins the section
    std::uint32_t release = kNoName;
  };
  /// An access to data that SyncInference reports.
  struct Access {
    RaceSide side;
    std::uint32_t location = kNoName;
    std::uint32_t step = kNoName;
  };

  std::vector<Step> steps;
  std::vector<Section> sections;  ///< the sections in `problem`, with more details
  std::vector<Access> accesses;   ///< in trace order
  solver::ReorderingProblem problem;
  /// True if the run's own order satisfies the constraints: each read reads from the latest write before it, as in any
  /// sequentially consistent run, and critical sections that exclude each other do not overlap. Some traces violate
  /// these conditions.
  bool own_order_is_kept = true;
};

/// Processes the events of a trace and builds its model.
class RunModelBuilder {
 public:
  /// `tables` must outlive the builder.
  RunModelBuilder(const TraceTables& tables, const RunModelOptions& options) : tables_(tables), options_(options) {}
  void on(const Observation& observation);
  /// Returns the model of the events that were added so far. Must be called only once.
  RunModel finish(std::span<const Action> rest);
  /// Returns the number of events in the model.
  std::uint64_t kept() const { return events_.size(); }
  std::uint64_t seen() const { return seen_; }
  const std::vector<TraceEvent>& events() const { return events_; }

 private:
  using EventNumber = std::uint32_t;
  struct ThreadState {
    std::uint32_t waits_at = kNoName;       ///< arrival at a barrier that has not yet completed
    std::vector<EventNumber> arrived_only;  ///< non-waiting arrivals at barriers that have not yet completed
    std::vector<EventNumber> taken;         ///< compare-exchanges that acquire a lock if a fence follows
    std::uint32_t last = kNoName;           ///< last event
    std::uint32_t gate = kNoName;           ///< gate that precedes the thread's next event
    std::vector<EventNumber> needs;         ///< events that must precede the thread's next event
    std::vector<std::uint32_t> open;        ///< open sections
  };
  /// The events of other threads that must precede one event.
  struct Links {
    std::uint32_t gate = kNoName;
    std::vector<EventNumber> needs;
  };
  /// The writes to a location so far. A read's writer is one of these writes.
  struct Writes {
    std::vector<EventNumber> all;
    bool has_other_uses = false;  ///< some write to the location neither acquires nor releases a lock
  };

  ThreadState& thread(std::uint32_t id);
  bool take_completion(const BarrierTracker::Completion& done, const TraceEvent& event);
  void take_links(const TraceEvent& event);
  void take_action(const Action& action);
  void open_section(std::uint32_t thread, std::uint32_t lock, Scope scope, EventNumber acquire);
  void mark_lock_operations();
  bool is_exempt(EventNumber event) const;
  bool is_step(EventNumber event) const;
  void number_steps(RunModel& model);
  void add_writes_and_reads(RunModel& model);
  void mark_used_reductions();
  void add_sections(RunModel& model) const;
  void add_accesses(RunModel& model) const;
  bool overlap(const RunModel::Section& a, const RunModel::Section& b) const;
  std::uint32_t find_writer(const TraceEvent& event, const std::vector<EventNumber>& writes) const;
  bool may_be_initial(const TraceEvent& event) const;

  const TraceTables& tables_;
  RunModelOptions options_;
  std::vector<TraceEvent> events_;
  std::vector<Links> links_;
  std::vector<ThreadState> threads_;
  std::vector<std::vector<EventNumber>> gates_;
  std::vector<RunModel::Section> sections_;  ///< `acquire` and `release` are events, which finish() converts to steps
  std::vector<Action> accesses_;
  std::vector<bool> locks_;            ///< for each event, whether it acquires or releases a lock
  std::vector<Writes> writes_;         ///< for each location
  std::vector<std::uint32_t> writer_;  ///< for each event, the write that it reads from
  std::vector<bool> is_used_;          ///< for each event, whether it is a reduction and some read uses its result
  std::vector<std::uint32_t> step_;    ///< for each event
  std::uint64_t seen_ = 0;
};

}  // namespace ambit::detector
