#include "api/hardware/stepping.h"

#include <fmt/format.h>

#include <utility>

#include "core/expr.h"
#include "report/results/words.h"
#include "runner/sim/picker.h"

namespace ambit::api {
namespace {

using sim::Choice;

void find_next(SteppedRun& run) {
  run.is_left_out = run.state.is_dropped;
  run.computes_for_ever = run.state.is_endless;
  if (run.is_left_out || run.computes_for_ever) {
    run.next.clear();
  } else {
    run.engine->find_choices(run.state, run.next);
  }
}

void take(SteppedRun& run, const Choice& choice) {
  run.before = run.state;
  run.steps.push_back({choice, run.engine->apply(run.state, choice)});
  find_next(run);
}

std::optional<Diagnostic> follow(SteppedRun& run, const std::vector<std::string>& choices) {
  if (choices.size() > kMostSteps) return error_without_place(fmt::format("more than {} steps", kMostSteps));
  for (const std::string& name : choices) {
    const auto choice = run.next.empty() ? std::nullopt : run.engine->find(run.state, name);
    if (!choice) return error_without_place(fmt::format("'{}' cannot happen after {} steps", name, run.steps.size()));
    take(run, *choice);
  }
  return std::nullopt;
}

void finish(SteppedRun& run) {
  sim::Picker picker(*run.engine);
  picker.begin(run.steps.size());
  while (!run.next.empty() && run.steps.size() < kMostSteps) take(run, Choice(picker.pick(run.next)));
}

bool meets_filter(const SteppedRun& run) {
  const std::optional<Expr>& filter = run.program->condition.filter;
  return !filter || evaluate(*filter, run.engine->machine().outcome(run.state)) != 0;
}

}  // namespace

std::optional<std::string> why_stopped(const SteppedRun& run) {
  if (run.is_cut) return fmt::format("stopped after {} steps: the run has not ended", kMostSteps);
  if (run.is_left_out) return "left out: an assumption is not met";
  if (run.computes_for_ever) return "a thread computes without end";
  if (!run.next.empty()) return std::nullopt;
  if (!run.all_exited()) return "a deadlock: nothing can happen, and some thread has not ended";
  if (!meets_filter(run)) return "left out: the filter is not met";
  return std::nullopt;
}

std::vector<std::string> incidents_of(const SteppedRun& run) {
  using Kind = events::Incident::Kind;
  std::vector<std::string> found;
  if (run.state.has_failed) found.emplace_back(to_string(Kind::AssertionFailed));
  if (run.state.is_out_of_bounds) found.emplace_back(to_string(Kind::OutOfBounds));
  return found;
}

Result<SteppedRun> step_along(const StepRequest& request) {
  SteppedRun run;
  run.program = request.program;
  auto engine = sim::Engine::create(run.program, request.options);
  if (!engine.ok()) return engine.errors();
  run.engine = std::move(engine.value());
  run.engine->reset(run.state);
  run.before = run.state;
  find_next(run);
  if (const auto error = follow(run, request.choices)) return *error;
  if (request.finish) finish(run);
  if (run.steps.size() >= kMostSteps && !run.next.empty()) {
    run.is_cut = true;
    run.next.clear();
  }
  return run;
}

}  // namespace ambit::api
