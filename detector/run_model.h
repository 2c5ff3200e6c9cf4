#pragma once

#include <cstdint>
#include <vector>

#include "core/trace.h"
#include "detector/detector.h"
#include "detector/lock_groups.h"
#include "detector/race_log.h"
#include "model/solver/reordering_solver.h"

namespace ambit::detector {

/// When a read of a reordered run still finds what it found.
enum class ReadsKept : std::uint8_t {
  Writer,  ///< the same write
  Value,   ///< any write of the same value
};

struct RunModelOptions {
  ReadsKept reads = ReadsKept::Writer;
  Overlap overlap = Overlap::Mutual;
  std::size_t limit = 1000;  ///< events of the trace; those after them are left out
};

/// A run as far as its reorderings go (definitions 5.1): program order, barriers, forks, what each read must find, and
/// which critical sections exclude each other.
///
/// Steps are the events that take part in that, numbered in the order of the trace. Fences are none, and neither are
/// failed attempts at a lock: in another order there might be more or fewer of them. A lock word is no data as long as
/// it is only locked and unlocked: then its sections say all there is to say. A section begins with the
/// compare-exchange, though only its fence made SyncInference report it.
struct RunModel {
  struct Step {
    std::uint64_t event = 0;  ///< number in the trace
    std::uint32_t thread = 0;
  };
  struct Section {
    std::uint32_t thread = 0;
    std::uint32_t lock = kNoName;
    Scope scope = Scope::System;
    std::uint32_t acquire = kNoName;  ///< step
    std::uint32_t release = kNoName;
  };
  /// An access of data, as SyncInference reports it.
  struct Access {
    RaceSide side;
    std::uint32_t location = kNoName;
    std::uint32_t step = kNoName;
  };

  std::vector<Step> steps;
  std::vector<Section> sections;  ///< as solver::ReorderingProblem::sections, more told
  std::vector<Access> accesses;   ///< in the order of the trace
  solver::ReorderingProblem problem;
  /// The run's own order is one of those that are looked for: each read finds the latest write before it, as in any
  /// sequentially consistent run, and no critical section overlaps one that it excludes. Traces need not be so.
  bool own_order_is_kept = true;
};

/// Follows a trace and makes its model.
class RunModelBuilder {
 public:
  /// `tables` must outlive the builder.
  RunModelBuilder(const TraceTables& tables, const RunModelOptions& options) : tables_(tables), options_(options) {}
  void on(const Observation& observation);
  /// The model of the events seen so far; once.
  RunModel finish(std::span<const Action> rest);
  /// Events seen that are in the model, and all events seen.
  std::uint64_t kept() const { return events_.size(); }
  std::uint64_t seen() const { return seen_; }
  const std::vector<TraceEvent>& events() const { return events_; }

 private:
  using EventNumber = std::uint32_t;
  struct ThreadState {
    std::uint32_t waits_at = kNoName;       ///< arrival at a barrier that has not completed
    std::vector<EventNumber> arrived_only;  ///< arrivals that nobody has waited for yet
    std::vector<EventNumber> taken;         ///< compare-exchanges that may turn out to take a lock
    std::uint32_t last = kNoName;           ///< event
    std::uint32_t gate = kNoName;           ///< its next event stands behind it
    std::vector<EventNumber> needs;         ///< of its next event
    std::vector<std::uint32_t> open;        ///< sections
  };
  /// What the events of other threads mean for an event.
  struct Links {
    std::uint32_t gate = kNoName;
    std::vector<EventNumber> needs;
  };
  /// What is known of the writes to a location while reads look for theirs.
  struct Writes {
    std::vector<EventNumber> all;
    bool has_other_uses = false;  ///< some write neither takes nor gives back a lock
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
  std::vector<RunModel::Section> sections_;  ///< acquire and release are events until the end
  std::vector<Action> accesses_;
  std::vector<bool> locks_;            ///< by event: it takes or gives back a lock
  std::vector<Writes> writes_;         ///< by location
  std::vector<std::uint32_t> writer_;  ///< by event: what it reads from
  std::vector<bool> is_used_;          ///< by event: a reduction whose result somebody reads
  std::vector<std::uint32_t> step_;    ///< by event
  std::uint64_t seen_ = 0;
};

}  // namespace ambit::detector
