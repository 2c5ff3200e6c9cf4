#include "server/step.h"

#include <fmt/format.h>

#include <algorithm>

#include "runner/sim/engine.h"

namespace ambit::server {
namespace {

using sim::Choice;
using sim::Engine;
using sim::State;
using sim::StepEvent;

constexpr std::size_t kMostChoices = 2000;

sim::Options options_of(const Request& request) {
  sim::Options options;
  const auto memory = sim::memory_from_string(request.json.value("memory", "gpu"));
  const auto warps = sim::warps_from_string(request.json.value("warps", "independent"));
  if (!memory) throw BadRequest("'memory' is sc or gpu");
  if (!warps) throw BadRequest("'warps' is independent or lockstep");
  options.memory = *memory;
  options.warps = *warps;
  return options;
}

std::string what_happened(const Program& program, const StepEvent& event) {
  const auto location = [&] { return program.locations[event.location].name; };
  switch (event.kind) {
    case StepEvent::Kind::Load: return fmt::format("reads {} = {}", location(), event.value);
    case StepEvent::Kind::Store: return fmt::format("writes {} = {}", location(), event.value);
    case StepEvent::Kind::Update:
      return event.is_failed ? fmt::format("compare-exchange of {} fails on {}", location(), event.old_value)
                             : fmt::format("updates {} from {} to {}", location(), event.old_value, event.value);
    case StepEvent::Kind::Fence: return "fences";
    case StepEvent::Kind::Arrive: return "arrives at the barrier";
    case StepEvent::Kind::Pass: return "passes the barrier";
    case StepEvent::Kind::Nothing: break;
  }
  return "";
}

std::uint32_t line_of(const Program& program, const Choice& choice, const StepEvent& event) {
  const Thread& thread = program.threads[choice.unit];
  return event.instruction < thread.code.size() ? thread.code[event.instruction].span.line : 0;
}

Json threads_json(const Engine& engine, const State& state) {
  Json list = Json::array();
  std::vector<std::uint32_t> ready;
  engine.find_ready(state, ready);
  const Program& program = engine.program();
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    const bool has_exited = state.threads[t].has_exited;
    const bool can_go = std::find(ready.begin(), ready.end(), t) != ready.end();
    const std::size_t pc = state.threads[t].pc;
    const Thread& thread = program.threads[t];
    list.push_back({{"name", thread.name},
                    {"state", has_exited ? "ended"
                              : can_go   ? "ready"
                                         : "waits"},
                    {"line", pc < thread.code.size() ? thread.code[pc].span.line : 0}});
  }
  return list;
}

}  // namespace

Json step(const Request& request) {
  const auto program = program_of(request);
  const auto made = Engine::create(program, options_of(request));
  if (!made.ok()) throw BadRequest(render(made.errors()));
  const Engine& engine = *made.value();
  State state;
  engine.reset(state);
  Json steps = Json::array();
  const Json choices = request.json.value("choices", Json::array());
  if (!choices.is_array()) throw BadRequest("'choices' is a list of names");
  if (choices.size() > kMostChoices) throw BadRequest("too many steps");
  for (const Json& name : choices) {
    const auto choice = engine.find(state, name.get<std::string>());
    if (!choice)
      throw BadRequest(fmt::format("'{}' cannot happen after {} steps", name.get<std::string>(), steps.size()));
    const StepEvent event = engine.apply(state, *choice);
    const bool is_thread = choice->kind == Choice::Kind::Step;
    steps.push_back({{"choice", name},
                     {"thread", is_thread ? Json(program->threads[choice->unit].name) : Json(nullptr)},
                     {"text", is_thread ? what_happened(*program, event) : ""},
                     {"line", is_thread ? line_of(*program, *choice, event) : 0}});
  }
  std::vector<Choice> next;
  engine.find_choices(state, next);
  Json names = Json::array();
  for (const Choice& choice : next) names.push_back(engine.name(choice));
  Json answer = {{"steps", steps},
                 {"next", names},
                 {"threads", threads_json(engine, state)},
                 {"memory", engine.machine().memory().describe(state.memory)},
                 {"ended", next.empty()}};
  if (next.empty() && engine.all_exited(state)) {
    const std::vector<Value> outcome = engine.machine().outcome(state);
    for (std::size_t i = 0; i < outcome.size(); ++i) answer["outcome"][program->observables[i].name] = outcome[i];
  }
  return answer;
}

}  // namespace ambit::server
