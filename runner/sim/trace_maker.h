#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/program.h"
#include "core/source.h"
#include "core/trace.h"
#include "runner/sim/state.h"

namespace ambit::sim {

/// Returns whether lanes only exchange values at the barrier (votes, shuffles). The lanes wait for each other, but the
/// exchange does not order accesses. Traces omit it, because detectors would treat an event as an order.
bool is_exchange(const Barrier& barrier);

/// Converts the steps of runs of one program to traces. Threads, locations and sites have the same numbers in all
/// traces of the program.
class TraceMaker {
 public:
  /// `program` must outlive this object.
  explicit TraceMaker(const Program& program);

  /// Returns the trace of a run. Threads that have ended exit after their last step.
  Trace make(const std::vector<StepEvent>& steps, const State& end) const;

  /// Returns the names that all traces of the program share.
  const TraceTables& tables() const { return tables_; }
  /// Returns the event of a step in a trace.
  TraceEvent event_of(const StepEvent& step) const;

  /// Returns an error if a trace cannot represent the run. Traces do not support a barrier at which a thread arrives in
  /// one place and waits in another, surplus arrivals at a barrier, or grids that depend on each other.
  std::optional<Diagnostic> contradiction(const Trace& trace) const;

 private:
  using Attempts = std::vector<std::vector<TraceEvent>>;  ///< for each thread, the events of its open attempt

  /// Adds the events of a step if the step belongs to a transaction.
  bool add_transactional(const StepEvent& step, Attempts& attempts, std::vector<TraceEvent>& events) const;
  TraceEvent event_of_operation(const StepEvent& step, TraceEvent event) const;
  /// Returns the number of a thread's operation in the tables of a trace.
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
  /// Place of a barrier whose wait is separate from its arrival, which events cannot express.
  std::optional<SourceSpan> wait_apart_;
  std::optional<SourceSpan> beyond_traces_;        ///< an operation for which traces have no event
  std::vector<std::uint32_t> issuers_;             ///< threads that issue asynchronous operations
  std::vector<std::vector<std::uint32_t>> sites_;  ///< for each thread and instruction, its site
};

}  // namespace ambit::sim
