#include "runner/sim/simulate.h"

#include <fmt/format.h>

#include "runner/sim/engine.h"
#include "runner/sim/exhaustive.h"
#include "runner/sim/picker.h"
#include "runner/sim/run_record.h"

namespace ambit::sim {
namespace {

/// Performs the runs one after the other. A Picker makes the choices.
void run_some(const Engine& engine, Context& context, RunRecord& record) {
  const Options& options = engine.options();
  Picker picker(engine);
  State state;
  std::vector<Choice> path;
  std::vector<StepEvent> steps;
  std::vector<Choice> choices;
  Simulation& result = record.result();
  result.why_not = fmt::format("{} runs of the {} schedule", options.runs, to_string(options.schedule));
  for (std::uint64_t run = 0; run < options.runs && !record.is_over(); ++run) {
    engine.reset(state);
    path.clear();
    steps.clear();
    picker.begin(run);
    for (engine.find_choices(state, choices); !choices.empty(); engine.find_choices(state, choices)) {
      if (path.size() >= options.max_steps || state.is_dropped || state.is_endless) break;
      const Choice choice = picker.pick(choices);
      const StepEvent event = engine.apply(state, choice);
      if (!record.shows_runs()) {
        path.resize(path.size() + 1);
        continue;
      }
      path.push_back(choice);
      if (choice.is_of_program()) steps.push_back(event);
    }
    picker.end(path.size());
    if (context.should_stop(10 * path.size())) {
      result.is_cancelled = true;
      break;
    }
    record.finish(state, path, steps, path.size() >= options.max_steps && !choices.empty());
  }
  result.is_cancelled = result.is_cancelled || record.is_over();
}

}  // namespace

Result<Simulation> simulate(std::shared_ptr<const Program> program, const Options& options, Context& context,
                            const OnRun& on_run) {
  const auto engine = Engine::create(std::move(program), options);
  if (!engine.ok()) return engine.errors();
  RunRecord record(*engine.value(), on_run);
  if (options.schedule == ScheduleKind::Exhaustive) {
    run_all(*engine.value(), context, record);
  } else {
    run_some(*engine.value(), context, record);
  }
  return record.take();
}

}  // namespace ambit::sim
