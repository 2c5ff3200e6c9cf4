#include "runner/sim/operations.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "core/asynchronous.h"

namespace ambit::sim {
namespace {

bool is_shared(const Program& program, LocationId location) {
  return program.objects[program.locations[location].object].space == MemorySpace::Shared;
}

}  // namespace

Operations::Operations(const Program& program) : program_(program), exist_(is_asynchronous(program)) {}

void Operations::reset(State& state) const {
  state.operations.clear();
  state.commits.assign(exist_ ? program_.threads.size() * kGroups : 0, 0);
  state.issued.assign(exist_ ? program_.threads.size() : 0, 0);
  state.async_values.clear();
  if (!exist_) return;
  for (const Location& location : program_.locations) state.async_values.push_back(location.initial);
}

const AsyncStep& Operations::step_of(const PendingOperation& operation) const {
  return std::get<AsyncStep>(program_.threads[operation.thread].code[operation.instruction].operation);
}

bool Operations::is_finished(const PendingOperation& operation) {
  return operation.reported_completions == operation.completions &&
         std::ranges::all_of(operation.elements, [](const PendingElement& one) { return one.is_done; });
}

// ---- issue and waits ----

bool Operations::can_step(const State& state, std::uint32_t thread, const AsyncStep& step) const {
  if (step.kind != AsyncStep::Kind::Wait) return true;
  const std::uint32_t committed = state.commits[thread * kGroups + static_cast<std::size_t>(step.group)];
  return std::ranges::none_of(state.operations, [&](const PendingOperation& one) {
    if (one.thread != thread || step_of(one).group != step.group) return false;
    const bool is_covered = step.needs_commit ? one.group > 0 && one.group + step.pending <= committed : true;
    if (!is_covered) return false;
    return !step.reads_only ||
           std::ranges::any_of(one.elements, [](const PendingElement& element) { return !element.has_read; });
  });
}

std::optional<LocationId> Operations::locate(State& state, const MemoryAccess& access,
                                             std::span<const Value> registers) const {
  const auto location = program_.location_at(evaluate(access.address, registers));
  state.is_out_of_bounds |= !location;
  return location;
}

void Operations::step(State& state, std::uint32_t thread, const AsyncStep& step,
                      std::span<const Value> registers) const {
  std::uint32_t& committed = state.commits[thread * kGroups + static_cast<std::size_t>(step.group)];
  if (step.kind != AsyncStep::Kind::Issue && step.kind != AsyncStep::Kind::Commit) return;
  if (step.kind == AsyncStep::Kind::Commit) {
    ++committed;
    for (PendingOperation& one : state.operations) {
      if (one.thread == thread && step_of(one).group == step.group && one.group == 0) one.group = committed;
    }
    return;
  }
  PendingOperation operation{
      .thread = thread, .instruction = state.threads[thread].pc, .number = ++state.issued[thread]};
  operation.completions = static_cast<std::uint32_t>(step.completions.size());
  for (const AsyncElement& element : step.elements) {
    PendingElement one;
    const auto source = element.source ? locate(state, *element.source, registers) : std::nullopt;
    const auto target = element.target ? locate(state, *element.target, registers) : std::nullopt;
    if ((element.source && !source) || (element.target && !target)) continue;
    one.source = source.value_or(kNone);
    one.target = target.value_or(kNone);
    one.has_read = !source;
    if (!source) one.value = element.target->type.wrap(evaluate(element.value, registers));
    one.element = static_cast<std::uint32_t>(&element - step.elements.data());
    operation.elements.push_back(one);
  }
  if (!is_finished(operation)) state.operations.push_back(std::move(operation));
}

/// Makes all writes so far, by all threads, visible to the async proxy.
void Operations::fence(State& state, const ProxyFence& fence) const {
  if (!exist_ || fence.proxy != Proxy::Async || fence.is_alias || fence.is_mbarrier_init) return;
  if (fence.direction == ProxyFence::Direction::Release) return;  // only the acquire half of the fence has an effect
  for (LocationId location = 0; location < program_.locations.size(); ++location) {
    const bool concerns_global = fence.space == FenceSpace::All || fence.space == FenceSpace::Global;
    const bool concerns_shared = fence.space != FenceSpace::Global;
    if (is_shared(program_, location) ? concerns_shared : concerns_global) {
      state.async_values[location] = state.memory.values[location];
    }
  }
}

bool Operations::ends_kernel(const Instruction& instruction) {
  if (const auto* barrier = std::get_if<Barrier>(&instruction.operation)) {
    return barrier->is_boundary && barrier->arrive_only;
  }
  const auto* rmw = std::get_if<Rmw>(&instruction.operation);
  return rmw != nullptr && rmw->access.order == Order::Release && instruction.machine != nullptr &&
         instruction.machine->name == kGridStep;
}

bool Operations::are_performed(const State& state, std::uint32_t thread) const {
  return std::ranges::none_of(state.operations, [&](const PendingOperation& one) { return one.thread == thread; });
}

void Operations::start_kernel(State& state) const {
  if (exist_) state.async_values = state.memory.values;
}

// ---- execution of operations ----

/// Returns whether earlier operations of the thread in the same group must complete first (cp.async.mbarrier.arrive).
bool Operations::awaits_others(const State& state, std::size_t operation) const {
  const PendingOperation& self = state.operations[operation];
  if (!step_of(self).tracks_earlier) return false;
  return std::any_of(state.operations.begin(), state.operations.begin() + static_cast<std::ptrdiff_t>(operation),
                     [&](const PendingOperation& one) {
                       const AsyncStep& step = step_of(one);
                       return one.thread == self.thread && step.group == step_of(self).group && !step.tracks_earlier;
                     });
}

void Operations::find_parts(const State& state, std::vector<Part>& parts) const {
  for (std::uint32_t i = 0; i < state.operations.size(); ++i) {
    const PendingOperation& one = state.operations[i];
    const AsyncStep& step = step_of(one);
    bool has_all = true;
    for (std::uint32_t e = 0; e < one.elements.size(); ++e) {
      const PendingElement& element = one.elements[e];
      if (element.is_done) continue;
      has_all = false;
      parts.push_back({i, e, 0});
      const auto& source = step.elements[element.element].source;
      const bool has_older = !element.has_read && source->proxy == Proxy::Async &&
                             state.async_values[element.source] != state.memory.values[element.source];
      if (has_older) parts.push_back({i, e, 1});
    }
    if (!has_all || awaits_others(state, i)) continue;
    const auto elements = static_cast<std::uint32_t>(one.elements.size());
    for (std::uint32_t c = 0; c < one.completions; ++c) {
      const bool is_reported = ((one.reported_mask >> c) & 1U) != 0;
      if (!is_reported) parts.push_back({i, elements + c, 0});
    }
  }
}

void Operations::read(State& state, PendingElement& element, const AsyncElement& what, bool older) const {
  Value& known = state.async_values[element.source];
  const bool is_async = what.source->proxy == Proxy::Async;
  if (is_async && !older) known = state.memory.values[element.source];
  element.value = is_async ? known : state.memory.values[element.source];
  element.has_read = true;
  element.is_done = element.target == kNone;
}

void Operations::write(State& state, const PendingElement& element, const AsyncElement& what) const {
  Value& cell = state.memory.values[element.target];
  const ScalarType type = what.target->type;
  cell = what.reduction ? stored_value(*what.reduction, type, cell, element.value) : type.wrap(element.value);
  if (what.target->proxy == Proxy::Async) state.async_values[element.target] = cell;
}

StepEvent Operations::perform(State& state, const Part& part, std::span<Value> registers) const {
  PendingOperation& operation = state.operations[part.operation];
  const AsyncStep& step = step_of(operation);
  StepEvent event{.thread = operation.thread, .instruction = operation.instruction};
  event.operation = operation.number;
  if (part.part < operation.elements.size()) {
    PendingElement& element = operation.elements[part.part];
    const AsyncElement& what = step.elements[element.element];
    event.part = element.element;
    if (!element.has_read) {
      event.kind = StepEvent::Kind::OperationRead;
      read(state, element, what, part.way == 1);
      event.location = element.source;
      event.value = element.value;
    } else {
      event.kind = StepEvent::Kind::OperationWrite;
      event.location = element.target;
      event.old_value = state.memory.values[element.target];
      write(state, element, what);
      event.value = state.memory.values[element.target];
      element.is_done = true;
    }
  } else {
    const auto number = part.part - static_cast<std::uint32_t>(operation.elements.size());
    const Rmw& rmw = step.completions[number];
    if (const auto location = locate(state, rmw.access, registers)) {
      Value& cell = state.memory.values[*location];
      event.kind = StepEvent::Kind::Completion;
      event.part = number;
      event.location = *location;
      event.old_value = cell;
      const Value before = std::exchange(registers[*rmw.target], cell);
      for (const AsyncStep::Rule& rule : step.rules) {
        state.has_failed |= rule.completion == number && evaluate(rule.rule.condition, registers) == 0;
      }
      cell = rmw.access.type.wrap(evaluate(rmw.operand, registers));
      registers[*rmw.target] = before;
    }
    ++operation.reported_completions;
    operation.reported_mask |= 1U << number;
  }
  if (is_finished(operation)) state.operations.erase(state.operations.begin() + part.operation);
  return event;
}

}  // namespace ambit::sim
