#include "server/stepping.h"

#include <fmt/format.h>

#include <utility>

#include "runner/sim/picker.h"

namespace ambit::server {
namespace {

using sim::Choice;

constexpr std::size_t kMostSteps = 2000;

sim::Options options_of(const Request& request) {
  sim::Options options;
  const auto memory = sim::memory_from_string(request.json.value("memory", "gpu"));
  const auto warps = sim::warps_from_string(request.json.value("warps", "independent"));
  if (!memory) throw BadRequest("'memory' is sc or gpu");
  if (!warps) throw BadRequest("'warps' is independent or lockstep");
  options.memory = *memory;
  options.warps = *warps;
  options.seed = request.json.value("seed", std::uint64_t{1});
  return options;
}

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

void follow(SteppedRun& run, const Json& choices) {
  if (!choices.is_array()) throw BadRequest("'choices' is a list of names");
  if (choices.size() > kMostSteps) throw BadRequest("too many steps");
  for (const Json& json : choices) {
    const auto name = json.get<std::string>();
    const auto choice = run.next.empty() ? std::nullopt : run.engine->find(run.state, name);
    if (!choice) throw BadRequest(fmt::format("'{}' cannot happen after {} steps", name, run.steps.size()));
    take(run, *choice);
  }
}

void finish(SteppedRun& run) {
  sim::Picker picker(*run.engine);
  picker.begin(run.steps.size());
  while (!run.next.empty() && run.steps.size() < kMostSteps) take(run, Choice(picker.pick(run.next)));
}

}  // namespace

SteppedRun stepped_run(const Request& request) {
  SteppedRun run;
  run.program = program_of(request);
  auto engine = sim::Engine::create(run.program, options_of(request));
  if (!engine.ok()) throw BadRequest(render(engine.errors()));
  run.engine = std::move(engine.value());
  run.engine->reset(run.state);
  run.before = run.state;
  find_next(run);
  follow(run, request.json.value("choices", Json::array()));
  if (request.json.value("finish", false)) finish(run);
  return run;
}

}  // namespace ambit::server
