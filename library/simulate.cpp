#include <ambit/simulate.h>

#include <algorithm>

#include "api/hardware/simulator_result.h"
#include "library/answer_all.h"
#include "library/internals.h"
#include "library/outcomes.h"
#include "report/json/json.h"
#include "report/results/run_result.h"
#include "report/text/result_texts.h"

namespace AMBIT_NAMESPACE {
namespace {

/// Adds the outcomes that models allow.
void add_models(const std::vector<Model>& models, const Limits& limits, report::RunResult& result) {
  std::vector<api::Inquiry> inquiries;
  for (const Model& model : models) inquiries.push_back({Internals::rules(model)});
  const report::TestResult answers =
      answer_all(result.program, inquiries, {.limits = limits}, api::OutcomesQuestion::Only);
  for (const report::ModelResult& one : answers.results) {
    result.models.push_back({.model = one.model,
                             .outcomes = one.verdict->answers.outcomes,
                             .is_complete = !one.verdict->unknown.has_value()});
  }
}

Permission permission(const report::AllowedOutcomes& model, const std::vector<Value>& outcome) {
  if (report::is_forbidden(model, outcome)) return Permission::Forbidden;
  return std::ranges::binary_search(model.outcomes, outcome) ? Permission::Allowed : Permission::Unknown;
}

SimulationResult result_of(const report::RunResult& from) {
  SimulationResult result;
  for (const Observable& observable : from.program->observables) result.observables.push_back(observable.name);
  for (const report::AllowedOutcomes& model : from.models) result.models.push_back(model.model);
  for (const auto& [values, runs] : from.histogram.outcomes) {
    Outcome outcome = outcome_of(*from.program, values);
    for (const report::AllowedOutcomes& model : from.models) outcome.permissions.push_back(permission(model, values));
    result.outcomes.push_back({std::move(outcome), from.is_search ? 0 : runs});
  }
  const Histogram& histogram = from.histogram;
  result.runs = from.is_search ? 0 : histogram.runs();
  result.deadlocks = histogram.deadlocks;
  result.bound_hits = histogram.bound_hits;
  result.dropped = histogram.dropped;
  result.assertion_failures = histogram.assertion_failures;
  result.out_of_bounds = histogram.out_of_bounds;
  result.is_exhaustive = from.is_exhaustive;
  result.incomplete = from.why_incomplete;
  result.is_stopped = from.is_interrupted;
  result.text = report::histogram_table(from, {});
  result.json = report::json_document(AMBIT_VERSION, {report::histogram_json(from)});
  return result;
}

}  // namespace

SimulationResult simulate(const Test& test, const std::vector<Model>& models, const SimulateOptions& options) {
  return guarded([&] {
    const StopFlag stop(options.limits.stop);
    const sim::Options simulator = simulator_options(options.simulating);
    Context context;
    context.set_cancellation(&stop.flag());
    report::RunResult result;
    result.program = Internals::program(test);
    result.file = result.program->source->path;
    api::describe(simulator, "", result);
    const sim::Simulation simulation = taken(sim::simulate(result.program, simulator, context));
    api::add_runs(simulation, simulator.schedule == sim::ScheduleKind::Exhaustive, result);
    add_models(models, options.limits, result);
    return result_of(result);
  });
}

}  // namespace AMBIT_NAMESPACE
