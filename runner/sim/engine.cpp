#include "runner/sim/engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/asynchronous.h"
#include "core/opaque.h"

namespace ambit::sim {
namespace {

/// Returns errors for operations that the memory `gpu` does not simulate.
Diagnostics unsupported(const Program& program) {
  Diagnostics errors;
  for (const Thread& thread : program.threads) {
    for (const Instruction& instruction : thread.code) {
      const MemoryAccess* access = access_of(instruction.operation);
      if (access == nullptr || access->proxy == Proxy::Generic) continue;
      errors.push_back({program.source, instruction.span,
                        fmt::format("the simulated GPU has no {} proxy; it supports only generic accesses",
                                    to_string(access->proxy)),
                        "ambit check --model ptx decides tests with proxies; --memory sc ignores them"});
    }
  }
  return errors;
}

}  // namespace

Engine::Engine(std::shared_ptr<const Program> program, const Options& options)
    : program_(std::move(program)), options_(options), machine_(*program_, options_) {
  if (options_.warps == WarpKind::Lockstep) lockstep_.emplace(machine_);
}

Result<std::unique_ptr<Engine>> Engine::create(std::shared_ptr<const Program> program, const Options& options) {
  if (Diagnostics errors = opaque_objections(*program); !errors.empty()) return errors;
  if (options.memory == MemoryKind::Gpu || options.warps == WarpKind::Lockstep) {
    const bool is_gpu = options.memory == MemoryKind::Gpu;
    if (auto error =
            asynchronous_objection(*program, is_gpu ? "the simulated memory of a GPU" : "the simulated lockstep")) {
      error->hint = "the simulator supports this test with --memory sc and --warps independent";
      return *std::move(error);
    }
  }
  if (options.memory == MemoryKind::Gpu) {
    Diagnostics errors = unsupported(*program);
    if (errors.empty()) errors = wide_accesses_in_transactions(*program);
    if (!errors.empty()) return errors;
  }
  return std::unique_ptr<Engine>(new Engine(std::move(program), options));
}

void Engine::reset(State& state) const {
  machine_.reset(state);
  if (lockstep_) lockstep_->reset(state);
}

void Engine::find_ready(const State& state, std::vector<std::uint32_t>& threads) const {
  threads.clear();
  for (std::uint32_t t = 0; t < state.threads.size(); ++t) {
    if (lockstep_ && !lockstep_->may_step(state, t)) continue;
    if (machine_.can_step(state, t)) threads.push_back(t);
  }
}

void Engine::find_sides(const State& state, std::vector<Choice>& choices) const {
  choices.clear();
  if (!lockstep_) return;
  for (std::uint32_t warp = 0; warp < lockstep_->warps() && choices.empty(); ++warp) {
    for (std::uint32_t side = 0; side < lockstep_->sides(state, warp); ++side) {
      choices.push_back({.kind = Choice::Kind::Side, .unit = warp, .way = side, .action = {}});
    }
  }
}

void Engine::find_choices(const State& state, std::vector<Choice>& choices) const {
  find_sides(state, choices);
  if (!choices.empty()) return;
  for (std::uint32_t t = 0; t < state.threads.size(); ++t) {
    if (lockstep_ && !lockstep_->may_step(state, t)) continue;
    if (!machine_.can_step(state, t)) continue;
    const unsigned ways = machine_.ways(state, t);
    for (unsigned way = 0; way < ways; ++way) {
      choices.push_back({.kind = Choice::Kind::Step, .unit = t, .way = way, .action = {}});
    }
  }
  std::vector<Operations::Part> parts;
  machine_.operations().find_parts(state, parts);
  for (const Operations::Part& part : parts) {
    choices.push_back(
        {.kind = Choice::Kind::Part, .unit = part.operation, .way = part.way, .action = {}, .part = part.part});
  }
  std::vector<MemoryAction> actions;
  machine_.memory().add_actions(state.memory, actions);
  for (const MemoryAction& action : actions) {
    choices.push_back({.kind = Choice::Kind::Memory, .unit = 0, .way = 0, .action = action});
  }
}

StepEvent Engine::apply(State& state, const Choice& choice) const {
  switch (choice.kind) {
    case Choice::Kind::Memory:
      machine_.perform(state, choice.action);
      if (lockstep_) lockstep_->after_action(state);
      return {};
    case Choice::Kind::Side: lockstep_->choose_side(state, choice.unit, choice.way); return {};
    case Choice::Kind::Part: return machine_.perform(state, {choice.unit, choice.part, choice.way});
    case Choice::Kind::Step: break;
  }
  StepEvent event = machine_.step(state, choice.unit, choice.way);
  if (lockstep_) lockstep_->after_step(state, choice.unit);
  return event;
}

bool Engine::all_exited(const State& state) const {
  return std::all_of(state.threads.begin(), state.threads.end(), [](const ThreadState& t) { return t.has_exited; });
}

std::string Engine::name(const Choice& choice) const {
  const auto thread = [this](std::uint32_t t) { return program_->threads[t].name; };
  switch (choice.kind) {
    case Choice::Kind::Step:
      return choice.way == 0 ? thread(choice.unit) : fmt::format("{} way {}", thread(choice.unit), choice.way);
    case Choice::Kind::Side: return fmt::format("side {} {}", thread(lockstep_->first_thread(choice.unit)), choice.way);
    case Choice::Kind::Part:
      return fmt::format("operation {} part {}{}", choice.unit + 1, choice.part + 1,
                         choice.way == 0 ? "" : " older value");
    case Choice::Kind::Memory: break;
  }
  const std::string& location = program_->locations[choice.action.location].name;
  if (choice.action.kind == MemoryAction::Kind::Drain) {
    return fmt::format("drain {} {}", thread(choice.action.unit), location);
  }
  return fmt::format("write-back {} {}", machine_.memory().cache_name(choice.action.unit), location);
}

std::optional<Choice> Engine::find(const State& state, const std::string& line) const {
  std::vector<Choice> choices;
  find_choices(state, choices);
  for (const Choice& choice : choices) {
    if (name(choice) == line) return choice;
  }
  return std::nullopt;
}

}  // namespace ambit::sim
