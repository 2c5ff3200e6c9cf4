#pragma once

#include <optional>
#include <vector>

#include "runner/sim/engine.h"
#include "runner/sim/simulate.h"
#include "runner/sim/trace_maker.h"

namespace ambit::sim {

/// Collects the result of simulate(), and passes runs to the callback.
class RunRecord {
 public:
  RunRecord(const Engine& engine, const OnRun& on_run);

  bool shows_runs() const { return static_cast<bool>(on_run_); }
  /// Counts a run that has ended. Passes the run's choices and the events of its steps to the callback. `stopped` means
  /// that the run ended at the step bound.
  void finish(const State& state, const std::vector<Choice>& choices, const std::vector<StepEvent>& steps,
              bool stopped);
  /// Returns whether on_run has requested the end of the simulation.
  bool is_over() const { return is_over_; }
  Simulation& result() { return result_; }
  /// Returns the result, or an error if a trace cannot represent some run.
  Result<Simulation> take();

 private:
  RunEnd end_of(const State& state, bool stopped, std::vector<Value>& outcome) const;
  void count(RunEnd end, const State& state, const std::vector<Value>& outcome);

  const Engine& engine_;
  const OnRun& on_run_;
  TraceMaker traces_;
  Simulation result_;
  std::uint64_t runs_ = 0;
  bool is_over_ = false;
  std::optional<Diagnostic> contradiction_;
};

}  // namespace ambit::sim
