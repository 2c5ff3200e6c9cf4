#include "apps/server/requests.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/results/words.h"

namespace ambit::server {
namespace {

using api::SteppedRun;
using sim::Choice;
using sim::HeldValue;
using sim::MemoryContents;
using sim::StepEvent;

const SourceSpan* span_of(const Program& program, std::uint32_t thread, std::size_t instruction) {
  const std::vector<Instruction>& code = program.threads[thread].code;
  return instruction < code.size() ? &code[instruction].span : nullptr;
}

std::uint32_t line_of(const Program& program, std::uint32_t thread, std::size_t instruction) {
  const SourceSpan* span = span_of(program, thread, instruction);
  return span == nullptr ? 0 : span->line;
}

std::string value_of(const Program& program, LocationId location, Value value) {
  return report::value_text(program, value, program.locations[location].type);
}

std::string what_happened(const Program& program, const StepEvent& event) {
  const auto location = [&] { return program.locations[event.location].name; };
  const auto text = [&](Value value) { return value_of(program, event.location, value); };
  switch (event.kind) {
    case StepEvent::Kind::Load: return fmt::format("reads {} = {}", location(), text(event.value));
    case StepEvent::Kind::Store: return fmt::format("writes {} = {}", location(), text(event.value));
    case StepEvent::Kind::Update:
      return event.is_failed
                 ? fmt::format("compare-exchange of {} fails on {}", location(), text(event.old_value))
                 : fmt::format("updates {} from {} to {}", location(), text(event.old_value), text(event.value));
    case StepEvent::Kind::Fence: return "fences";
    case StepEvent::Kind::Arrive: return "arrives at the barrier";
    case StepEvent::Kind::Pass: return "passes the barrier";
    case StepEvent::Kind::Asynchronous:
    case StepEvent::Kind::OperationRead:
    case StepEvent::Kind::OperationWrite:
    case StepEvent::Kind::Completion:
    case StepEvent::Kind::Nothing: break;
  }
  return "";
}

/// Describes the next action of a thread: "write x", "fence (acq_rel, device)".
std::string what_comes(const SteppedRun& run, std::uint32_t thread) {
  const sim::Machine& machine = run.engine->machine();
  if (machine.is_at_barrier(run.state, thread)) return "pass barrier";
  const Operation& operation = machine.next_operation(run.state, thread);
  if (const auto* fence = std::get_if<Fence>(&operation)) {
    return fmt::format("fence ({}, {})", to_string(fence->order), to_string(fence->scope));
  }
  if (std::holds_alternative<Barrier>(operation)) return "arrive at barrier";
  if (access_of(operation) == nullptr) return "continue";
  const LocationId location = machine.next_access(run.state, thread).location;
  const std::string name = location == sim::kNone ? "out of bounds" : run.program->locations[location].name;
  if (std::holds_alternative<Load>(operation)) return "read " + name;
  return (std::holds_alternative<Store>(operation) ? "write " : "update ") + name;
}

Json threads_json(const SteppedRun& run) {
  Json list = Json::array();
  std::vector<std::uint32_t> ready;
  run.engine->find_ready(run.state, ready);
  const Program& program = *run.program;
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    const sim::ThreadState& state = run.state.threads[t];
    const bool can_go = std::find(ready.begin(), ready.end(), t) != ready.end();
    const Thread& thread = program.threads[t];
    Json one = {{"name", thread.name},
                {"gpu", thread.place.gpu},
                {"block", thread.place.block},
                {"warp", thread.place.warp},
                {"state", state.has_exited ? "ended"
                          : can_go         ? "ready"
                                           : "waits"},
                {"line", state.has_exited ? 0 : line_of(program, t, state.pc)}};
    const SourceSpan* span = state.has_exited ? nullptr : span_of(program, t, state.pc);
    if (span != nullptr) {
      one["comes"] = what_comes(run, t);
      one["source"] = report::source_text(program, *span);
    }
    list.push_back(std::move(one));
  }
  return list;
}

/// Returns the values. Marks each value that the last step changed.
Json held_json(const std::vector<HeldValue>& now, const std::vector<HeldValue>& before, const Program& program) {
  Json list = Json::array();
  for (const HeldValue& one : now) {
    const bool is_old = std::find(before.begin(), before.end(), one) != before.end();
    list.push_back({{"location", program.locations[one.location].name},
                    {"value", value_of(program, one.location, one.value)},
                    {"dirty", one.is_dirty},
                    {"changed", !is_old}});
  }
  return list;
}

Json memory_json(const SteppedRun& run) {
  const Program& program = *run.program;
  const sim::Memory& memory = run.engine->machine().memory();
  const MemoryContents now = memory.contents(run.state.memory);
  const MemoryContents before = memory.contents(run.before.memory);
  Json json = {
      {"values", held_json(now.values, before.values, program)}, {"caches", Json::array()}, {"buffers", Json::array()}};
  for (std::size_t i = 0; i < now.caches.size(); ++i) {
    const MemoryContents::Cache& cache = now.caches[i];
    json["caches"].push_back({{"name", cache.name},
                              {"level", cache.level},
                              {"threads", cache.threads},
                              {"lines", held_json(cache.lines, before.caches[i].lines, program)}});
  }
  for (std::size_t t = 0; t < now.buffers.size(); ++t) {
    json["buffers"].push_back(held_json(now.buffers[t], before.buffers[t], program));
  }
  return json;
}

/// Describes a choice other than a thread's step: a step of the memory ("x leaves the buffer of P0"), a step of an
/// asynchronous operation, or which side of a branch goes first.
std::string what_else(const SteppedRun& run, const Choice& choice) {
  const Program& program = *run.program;
  if (choice.kind == Choice::Kind::Side) return run.engine->name(choice) + " (of the branch) goes first";
  if (choice.kind == Choice::Kind::Part) return run.engine->name(choice) + " takes place";
  const std::string& location = program.locations[choice.action.location].name;
  if (choice.action.kind == sim::MemoryAction::Kind::Drain) {
    return fmt::format("{} leaves the buffer of {}", location, program.threads[choice.action.unit].name);
  }
  const std::string cache = run.engine->machine().memory().cache_name(choice.action.unit);
  return fmt::format("{} is written back from {}", location, cache);
}

Json choice_json(const SteppedRun& run, const Choice& choice) {
  Json json = {{"name", run.engine->name(choice)}};
  if (choice.kind != Choice::Kind::Step) {
    json["text"] = what_else(run, choice);
    return json;
  }
  const std::string& thread = run.program->threads[choice.unit].name;
  const std::string copies = choice.way == 1 ? "its nearest copy" : fmt::format("its {} nearest copies", choice.way);
  json["thread"] = thread;
  json["text"] = fmt::format("{}: {}{}", thread, what_comes(run, choice.unit),
                             choice.way == 0 ? "" : ", " + copies + " dropped first");
  return json;
}

Json steps_json(const SteppedRun& run) {
  Json list = Json::array();
  for (const SteppedRun::Step& step : run.steps) {
    Json one = {{"choice", run.engine->name(step.choice)}, {"line", 0}};
    if (step.is_thread()) {
      const StepEvent& event = step.event;
      const std::string what = what_happened(*run.program, event);
      one["text"] = run.program->threads[step.choice.unit].name + " " + (what.empty() ? "continues" : what);
      one["line"] = line_of(*run.program, event.thread, event.instruction);
    } else {
      one["text"] = what_else(run, step.choice);
    }
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace

api::SteppedRun stepped_run(const Request& request) {
  const auto memory = sim::memory_from_string(request.json.value("memory", "gpu"));
  const auto warps = sim::warps_from_string(request.json.value("warps", "independent"));
  if (!memory) throw BadRequest("'memory' is sc or gpu");
  if (!warps) throw BadRequest("'warps' is independent or lockstep");
  const Json choices = request.json.value("choices", Json::array());
  if (!choices.is_array()) throw BadRequest("'choices' is a list of names");
  api::StepRequest steps{.program = program_of(request),
                         .choices = choices.get<std::vector<std::string>>(),
                         .finish = request.json.value("finish", false)};
  steps.options.memory = *memory;
  steps.options.warps = *warps;
  steps.options.seed = request.json.value("seed", std::uint64_t{1});
  auto run = api::step_along(steps);
  if (run.ok()) return std::move(run).value();
  const bool has_place = run.errors().front().file != nullptr;
  throw BadRequest(has_place ? render(run.errors()) : run.errors().front().message);
}

Json step(const Request& request) {
  const SteppedRun run = stepped_run(request);
  const std::optional<std::string> stopped = why_stopped(run);
  Json next = Json::array();
  for (const Choice& choice : run.next) next.push_back(choice_json(run, choice));
  Json answer = {{"steps", steps_json(run)},
                 {"next", next},
                 {"threads", threads_json(run)},
                 {"memory", memory_json(run)},
                 {"stopped", stopped ? Json(*stopped) : Json(nullptr)},
                 {"incidents", incidents_of(run)}};
  if (run.has_ended() && !stopped) {
    const std::vector<Value> outcome = run.engine->machine().outcome(run.state);
    for (std::size_t i = 0; i < outcome.size(); ++i) {
      const Observable& observable = run.program->observables[i];
      answer["outcome"][observable.name] = report::value_text(*run.program, outcome[i], observable.type);
    }
  }
  return answer;
}

}  // namespace ambit::server
