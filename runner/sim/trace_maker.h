#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "core/program.h"
#include "core/trace.h"
#include "runner/sim/state.h"

namespace ambit::sim {

/// Returns whether lanes only exchange values at the barrier (votes, shuffles). The lanes wait for each other, but the
/// exchange does not order accesses. Traces omit exchanges: detectors would assume that an exchange orders accesses.
bool is_exchange(const Barrier& barrier);

/// Converts the steps of a program's runs to traces. Threads, locations and sites have the same numbers in all traces
/// of the program.
class TraceMaker {
 public:
  /// `program` must outlive this object.
  explicit TraceMaker(const Program& program);

  /// Returns the trace of a run. A thread that has ended gets an exit event after its last step.
  Trace make(const std::vector<StepEvent>& steps, const State& end) const;

  /// Returns the names that all traces of the program share.
  const TraceTables& tables() const { return tables_; }
  /// Returns the event of a step in a trace.
  TraceEvent event_of(const StepEvent& step) const;

  /// Returns an error if a trace cannot represent the run. Traces do not support barriers at which a thread arrives by
  /// one instruction and waits by another, surplus arrivals at a barrier, or grids that depend on each other.
  std::optional<Diagnostic> contradiction(const Trace& trace) const;

 private:
  using Attempts = std::vector<std::vector<TraceEvent>>;  ///< for each thread, the events of its open attempt

  /// Adds the events of a step if the step belongs to a transaction. Returns whether the step belongs to a transaction.
  bool add_transactional(const StepEvent& step, Attempts& attempts, std::vector<TraceEvent>& events) const;
  TraceEvent event_of_operation(const StepEvent& step, TraceEvent event) const;
  /// Returns the number that a thread's operation has in the tables of a trace.
  std::uint32_t operation(std::uint32_t thread, std::uint32_t number) const;
  /// Adds the names of the operations up to `number` of each thread.
  void add_operations(TraceTables& tables, std::uint32_t number) const;
  void add_boundary(Trace& trace, const StepEvent& step) const;
  void add_proxy_fence(Trace& trace, std::uint32_t thread, std::uint32_t instruction) const;
  /// Returns whether traces show the step.
  bool is_event(const StepEvent& step) const;
  void add_launch();
  void add_names();
  /// Returns "mp.litmus:8", or "mp.litmus:8:15" if the line has several instructions.
  std::string site_name(const SourceSpan& span, const std::vector<std::uint32_t>& crowded_lines) const;

  const Program& program_;
  TraceTables tables_;
  bool has_partial_barriers_ = false;
  /// Place of a barrier whose wait is separate from its arrival. Traces have no events for separate waits.
  std::optional<SourceSpan> wait_apart_;
  std::optional<SourceSpan> beyond_traces_;        ///< an operation for which traces have no event
  std::vector<std::uint32_t> issuers_;             ///< threads that issue asynchronous operations
  std::vector<std::vector<std::uint32_t>> sites_;  ///< for each thread and instruction, its site
};

}  // namespace ambit::sim
