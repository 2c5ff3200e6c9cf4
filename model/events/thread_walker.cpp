#include "model/events/thread_walker.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ambit::events {
namespace {

/// The maximum number of instructions executed symbolically in one thread. Only loops without events can come near this
/// limit.
constexpr std::size_t kMaxSteps = std::size_t{1} << 18U;

}  // namespace

ThreadWalker::ThreadWalker(Draft& draft, std::uint32_t thread, ControlFlow flow)
    : draft_(draft), thread_(thread), flow_(std::move(flow)) {
  pending_.resize(this->thread().code.size());
  fates_.resize(flow_.loops.size());
}

void ThreadWalker::fail(SourceSpan span, std::string message, std::string hint) {
  if (!error_) error_ = Diagnostic{draft_.program().source, span, std::move(message), std::move(hint)};
}

std::optional<Diagnostic> ThreadWalker::walk() {
  State start;
  start.guard = ValueGraph::kTrue;
  for (const Register& r : thread().registers) start.registers.push_back(values().constant(0, r.type));
  Region whole{0, thread().code.size(), false};
  run(whole, std::move(start));
  list_spin_loops();
  if (error_) return error_;
  const State end = whole.exits.empty() ? State{} : whole.exits.front().state;
  observe(end);
  draft_.ends.push_back(exits(end));
  return std::nullopt;
}

/// Returns the condition under which the thread has exited: it has reached the end of its code, in the state `end`, and
/// has not stopped before its exit.
NodeId ThreadWalker::exits(const State& end) {
  const std::vector<Register>& registers = thread().registers;
  const auto stop = std::ranges::find(registers, kStopRegister, &Register::name);
  if (end.guard == ValueGraph::kFalse || stop == registers.end()) return end.guard;
  const NodeId value = end.registers[static_cast<std::size_t>(stop - registers.begin())];
  return values().conjunction(end.guard, values().equal(value, values().constant(0), kInt));
}

void ThreadWalker::take_snapshot(EventId barrier, const State& state) {
  const auto& observables = draft_.program().observables;
  RegisterSnapshot snapshot{barrier, {}};
  for (std::size_t i = 0; i < observables.size(); ++i) {
    if (observables[i].kind != Observable::Kind::Register || observables[i].thread != thread_) continue;
    snapshot.values.emplace_back(i, values().cast(state.registers[observables[i].reg], observables[i].type));
  }
  draft_.snapshots.push_back(std::move(snapshot));
}

void ThreadWalker::add_incident(Incident::Kind kind, NodeId condition, std::size_t at, std::string message) {
  if (condition == ValueGraph::kFalse) return;
  draft_.graph.incidents.push_back({kind, condition, thread_, thread().code[at].span, std::move(message)});
  draft_.incident_positions.push_back(static_cast<EventId>(draft_.graph.events.size()));
}

void ThreadWalker::list_spin_loops() {
  for (std::size_t i = 0; i < fates_.size(); ++i) {
    if (!fates_[i].was_awaited || fates_[i].was_unrolled) continue;
    const Loop& loop = flow_.loops[i];
    draft_.graph.spin_loops.push_back(
        {thread_, static_cast<std::uint32_t>(loop.begin), static_cast<std::uint32_t>(loop.end)});
  }
}

void ThreadWalker::observe(const State& end) {
  const auto& observables = draft_.program().observables;
  for (std::size_t i = 0; i < observables.size(); ++i) {
    if (observables[i].kind != Observable::Kind::Register || observables[i].thread != thread_) continue;
    if (end.registers.empty()) continue;  // the thread never ends
    draft_.graph.observables[i] = values().cast(end.registers[observables[i].reg], observables[i].type);
  }
}

void ThreadWalker::run(Region& region, State state) {
  for (std::size_t i = region.begin; i < region.end && !stopped(); ++i) {
    const bool is_entry = region.is_loop && i == region.begin;
    if (!is_entry && pending_[i]) {
      merge(state, *std::exchange(pending_[i], std::nullopt));
    }
    if (state.guard == ValueGraph::kFalse) continue;
    if (flow_.header[i] && !is_entry) {
      const Loop& loop = flow_.loops[*flow_.header[i]];
      i = loop.end;
      for (Exit& exit : run_loop(loop, std::exchange(state, State{}))) {
        deposit(region, i, exit.target, std::move(exit.state));
      }
      continue;
    }
    step(region, i, state);
  }
  if (state.guard != ValueGraph::kFalse) merge_exit(region.exits, region.end, std::move(state));
}

void ThreadWalker::step(Region& region, std::size_t at, State& state) {
  draft_.context.poll();
  const Instruction& instruction = thread().code[at];
  if (++steps_ > kMaxSteps) {
    fail(instruction.span, fmt::format("thread {} takes more than {} steps", thread().name, kMaxSteps),
         "shorten its loops");
    return;
  }
  // A transaction remains open if control does not reach its end, for example if a loop exceeds the bound.
  if (open_ && (at < open_->begin || at > open_->end)) open_.reset();
  if (const auto* conditional = std::get_if<Branch>(&instruction.operation)) {
    branch(region, at, state, *conditional);
  } else if (const auto* jump = std::get_if<Jump>(&instruction.operation)) {
    deposit(region, at, jump->target, std::exchange(state, State{}));
  } else {
    std::visit(
        [&](const auto& operation) {
          using Kind = std::decay_t<decltype(operation)>;
          if constexpr (!std::is_same_v<Kind, Branch> && !std::is_same_v<Kind, Jump>) execute(operation, at, state);
        },
        instruction.operation);
  }
  if (draft_.graph.events.size() > draft_.graph.options.max_events) {
    fail(instruction.span, fmt::format("the program has more than {} events", draft_.graph.options.max_events),
         "fewer threads (ambit judge tries smaller launches, ambit exec runs the launch), shorter loops (--unroll), or "
         "a higher limit (--max-events)");
  }
}

NodeId ThreadWalker::choose() {
  Event choice;
  choice.kind = EventKind::Choice;
  choice.guard = ValueGraph::kFalse;
  choice.alternatives = 2;
  choice.value = values().read(static_cast<EventId>(draft_.graph.events.size()), kInt);
  draft_.graph.events.push_back(choice);
  draft_.notes.emplace_back();
  return choice.value;
}

void ThreadWalker::branch(Region& region, std::size_t at, State& state, const Branch& branch) {
  const std::size_t target = branch.target;
  const NodeId condition = lower(branch.condition, state);
  const NodeId holds = values().given(branch.takes_either_way ? either_way(condition, choose()) : condition, facts_);
  const NodeId taken = values().conjunction(state.guard, holds);
  if (taken == state.guard) {
    deposit(region, at, target, std::exchange(state, State{}));
    return;
  }
  if (taken == ValueGraph::kFalse) return;
  deposit(region, at, target, State{taken, state.registers});
  state.guard = values().conjunction(state.guard, values().negation(holds));
}

void ThreadWalker::deposit(Region& region, std::size_t at, std::size_t target, State state) {
  if (region.is_loop && target == region.begin) {
    merge(region.back, std::move(state));
  } else if (target > at && target < region.end) {
    if (!pending_[target]) pending_[target].emplace();
    merge(*pending_[target], std::move(state));
  } else {
    merge_exit(region.exits, target, std::move(state));
  }
}

void ThreadWalker::merge(State& into, State from) {
  if (from.guard == ValueGraph::kFalse) return;
  if (into.guard == ValueGraph::kFalse) {
    into = std::move(from);
    return;
  }
  const NodeId joined = values().disjunction(into.guard, from.guard);
  std::optional<NodeId> came_by_into;
  for (std::size_t r = 0; r < into.registers.size(); ++r) {
    if (into.registers[r] == from.registers[r]) continue;
    if (!came_by_into) came_by_into = values().given(into.guard, joined);
    into.registers[r] =
        values().select(*came_by_into, into.registers[r], from.registers[r], thread().registers[r].type);
  }
  into.guard = joined;
}

void ThreadWalker::merge_exit(std::vector<Exit>& exits, std::size_t target, State state) {
  for (Exit& exit : exits) {
    if (exit.target == target) return merge(exit.state, std::move(state));
  }
  exits.push_back({target, std::move(state)});
}

std::optional<Diagnostic> add_thread(Draft& draft, std::uint32_t thread) {
  std::vector<RegisterId> observed;
  for (const Observable& observable : draft.program().observables) {
    if (observable.kind == Observable::Kind::Register && observable.thread == thread)
      observed.push_back(observable.reg);
  }
  auto flow = analyse_control_flow(draft.program(), draft.program().threads[thread], observed);
  if (!flow) return flow.errors().front();
  return ThreadWalker(draft, thread, std::move(flow).value()).walk();
}

}  // namespace ambit::events
