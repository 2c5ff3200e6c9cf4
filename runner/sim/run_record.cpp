#include "runner/sim/run_record.h"

#include <utility>

namespace ambit::sim {

RunRecord::RunRecord(const Engine& engine, const OnRun& on_run)
    : engine_(engine), on_run_(on_run), traces_(engine.program()) {}

RunEnd RunRecord::end_of(const State& state, bool stopped, std::vector<Value>& outcome) const {
  if (state.is_dropped) return RunEnd::Dropped;
  if (stopped || state.is_endless) return RunEnd::StepBound;
  if (!engine_.all_exited(state)) return RunEnd::Deadlock;
  outcome = engine_.machine().outcome(state);
  const auto& filter = engine_.program().condition.filter;
  if (!filter || evaluate(*filter, outcome) != 0) return RunEnd::Complete;
  outcome.clear();
  return RunEnd::Dropped;
}

void RunRecord::count(RunEnd end, const State& state, const std::vector<Value>& outcome) {
  Histogram& histogram = result_.histogram;
  switch (end) {
    case RunEnd::Complete:
      ++histogram.outcomes[outcome];
      histogram.assertion_failures += state.has_failed ? 1 : 0;
      histogram.out_of_bounds += state.is_out_of_bounds ? 1 : 0;
      return;
    case RunEnd::Deadlock: ++histogram.deadlocks; return;
    case RunEnd::StepBound: ++histogram.bound_hits; return;
    case RunEnd::Dropped: ++histogram.dropped; return;
  }
}

void RunRecord::finish(const State& state, const std::vector<Choice>& choices, const std::vector<StepEvent>& steps,
                       bool stopped) {
  std::vector<Value> outcome;
  const RunEnd end = end_of(state, stopped, outcome);
  count(end, state, outcome);
  const std::uint64_t number = runs_++;
  if (!on_run_) return;
  const Trace trace = traces_.make(steps, state);
  if (auto error = traces_.contradiction(trace)) {
    contradiction_ = std::move(error);
    is_over_ = true;
    return;
  }
  Run run{number, end, trace, std::move(outcome), {}};
  run.schedule.reserve(choices.size());
  for (const Choice& choice : choices) run.schedule.push_back(engine_.name(choice));
  is_over_ = !on_run_(run);
}

Result<Simulation> RunRecord::take() {
  if (contradiction_) return std::move(*contradiction_);
  return std::move(result_);
}

}  // namespace ambit::sim
