// The events that each instruction adds to the event graph (definitions/events.md 2.1).

#include <fmt/format.h>

#include <utility>

#include "core/value_exchange.h"
#include "model/events/exchanges.h"
#include "model/events/thread_walker.h"

namespace ambit::events {
namespace {

/// Limit on the number of value nodes of a program. Ordinary programs have a few hundred nodes.
constexpr std::size_t kMaxNodes = std::size_t{1} << 18U;

}  // namespace

NodeId updated_value(ValueGraph& values, RmwOp op, ScalarType type, NodeId old, NodeId operand) {
  const std::optional<Op> combine = operator_of(op);
  return combine ? values.make(*combine, type, std::array{old, operand}) : values.cast(operand, type);
}

/// Stops the walk if conditions become too large: some conditions have very large decision diagrams.
bool ThreadWalker::is_too_complex() {
  if (values().size() <= kMaxNodes) return false;
  fail(thread().span, fmt::format("the conditions of thread {} are too complex to follow", thread().name),
       "fewer variables in one condition, or shorter loops (--unroll)");
  return true;
}

NodeId ThreadWalker::lower(const Expr& expr, const State& state) {
  if (is_too_complex()) return ValueGraph::kFalse;
  if (expr.op == Op::Const) return values().constant(expr.constant, expr.type);
  if (expr.op == Op::Register) return values().cast(state.registers[expr.reg], expr.type);
  std::array<NodeId, 3> arguments{};
  for (std::size_t i = 0; i < expr.arguments.size(); ++i) arguments[i] = lower(expr.arguments[i], state);
  return values().make(expr.op, expr.type, std::span(arguments.data(), expr.arguments.size()));
}

void ThreadWalker::set_register(State& state, RegisterId target, NodeId value) {
  state.registers[target] = values().cast(value, thread().registers[target].type);
}

Event ThreadWalker::make_event(EventKind kind, std::size_t at, const State& state) const {
  Event event;
  event.kind = kind;
  event.thread = thread_;
  event.guard = state.guard;
  if (open_) event.transaction = open_->run;
  event.instruction = static_cast<std::uint32_t>(at);
  event.span = thread().code[at].span;
  return event;
}

EventId ThreadWalker::emit(Event event, const State& state) {
  draft_.graph.events.push_back(std::move(event));
  draft_.notes.push_back({.path = state.guard});
  return static_cast<EventId>(draft_.graph.events.size() - 1);
}

std::optional<Event> ThreadWalker::make_access(EventKind kind, std::size_t at, const State& state,
                                               const MemoryAccess& access) {
  AccessTarget target = resolve_address(draft_, lower(access.address, state), state.guard);
  if (target.in_bounds != ValueGraph::kTrue) {
    add_incident(Incident::Kind::OutOfBounds, values().conjunction(state.guard, values().negation(target.in_bounds)),
                 at, "the access is out of its object's bounds");
  }
  Event event = make_event(kind, at, state);
  event.guard = values().conjunction(state.guard, target.in_bounds);
  if (event.guard == ValueGraph::kFalse) return std::nullopt;
  event.order = access.order;
  event.scope = access.scope;
  event.has_scope = access.is_atomic || access.is_volatile;
  event.is_atomic = access.is_atomic;
  event.is_volatile = access.is_volatile;
  event.proxy = access.proxy;
  event.type = access.type;
  event.address = target.address;
  event.cell = target.cell;
  event.locations = std::move(target.locations);
  return event;
}

void ThreadWalker::emit_fence(std::size_t at, const State& state, Order order, Scope scope, bool is_shared_only) {
  Event event = make_event(EventKind::Fence, at, state);
  event.order = order;
  event.scope = scope;
  event.has_scope = true;
  event.is_shared_only = is_shared_only;
  emit(std::move(event), state);
}

/// Returns the access that the current CUDA ABI uses. The ABI has no seq_cst accesses: it uses a fence.sc and an access
/// whose order is at most `strongest` (definitions 2.1).
MemoryAccess ThreadWalker::mapped(const MemoryAccess& access, Order strongest, std::size_t at, const State& state) {
  MemoryAccess result = access;
  if (!draft_.graph.options.mappings.seq_cst_as_fences || access.order != Order::SeqCst) return result;
  emit_fence(at, state, Order::SeqCst, access.scope);
  result.order = strongest;
  return result;
}

/// Sets the target register of a load. A load that is out of bounds is not executed, and its result is 0.
void ThreadWalker::set_loaded(State& state, RegisterId target, NodeId value, NodeId executed) {
  const NodeId happens = values().given(executed, state.guard);
  const ScalarType type = values().result_type(value);
  set_register(state, target, values().select(happens, value, values().constant(0, type), type));
}

void ThreadWalker::execute(const Assign& assign, std::size_t /*at*/, State& state) {
  set_register(state, assign.target, lower(assign.value, state));
}

void ThreadWalker::execute(const Load& load, std::size_t at, State& state) {
  const MemoryAccess access = mapped(load.access, Order::Acquire, at, state);
  auto event = make_access(EventKind::Read, at, state, access);
  if (!event) return set_register(state, load.target, ValueGraph::kFalse);
  const auto id = static_cast<EventId>(draft_.graph.events.size());
  const NodeId executed = event->guard;
  event->value = values().read(id, access.type);
  note_phase(*event, access, event->value);
  const NodeId value = value_in_transaction(*event);
  emit(*std::move(event), state);
  set_loaded(state, load.target, value, executed);
  if (load.succeeds) draft_.notes[id].succeeds = values().truth(lower(*load.succeeds, state));
}

void ThreadWalker::execute(const Store& store, std::size_t at, State& state) {
  const MemoryAccess access = mapped(store.access, Order::Relaxed, at, state);
  auto event = make_access(EventKind::Write, at, state, access);
  if (!event) return;
  event->value = values().cast(lower(store.value, state), access.type);
  event->is_mbarrier = access.phase_size > 0;
  write_in_transaction(*event);
  emit(*std::move(event), state);
}

void ThreadWalker::execute(const Rmw& rmw, std::size_t at, State& state) {
  const MemoryAccess access = mapped(rmw.access, Order::Acquire, at, state);
  const NodeId chosen = rmw.takes_either_way ? choose() : ValueGraph::kFalse;
  auto read = make_access(EventKind::Read, at, state, access);
  if (!read) {
    if (rmw.target) set_register(state, *rmw.target, ValueGraph::kFalse);
    return;
  }
  const auto id = static_cast<EventId>(draft_.graph.events.size());
  read->value = values().read(id, access.type);
  read->is_rmw = true;
  read->is_reduction = rmw.is_reduction;
  read->is_arrival = rmw.is_arrival;
  note_phase(*read, access, read->value);
  Event write = *read;
  const NodeId executed = read->guard;
  const NodeId old = value_in_transaction(*read);
  if (rmw.op == RmwOp::Update) set_register(state, *rmw.target, old);
  write.kind = EventKind::Write;
  EventNote note{.path = state.guard};
  note.desired = updated_value(values(), rmw.op, access.type, old, lower(rmw.operand, state));
  write.value = note.desired;
  if (rmw.op == RmwOp::CompareExchange) {
    note.compare = values().cast(lower(rmw.compare, state), access.type);
    NodeId equal = values().equal(old, note.compare, access.type);
    if (rmw.takes_either_way) equal = either_way(equal, chosen);
    if (draft_.graph.options.mappings.cas_always_writes) {
      note.succeeds = equal;
      write.value = values().select(equal, note.desired, old, access.type);
    } else {
      write.guard = values().conjunction(write.guard, equal);
    }
  }
  write_in_transaction(write);
  if (write.guard != ValueGraph::kFalse) {
    read->rmw_partner = id + 1;
    write.rmw_partner = id;
    emit(*std::move(read), state);
    draft_.notes[emit(std::move(write), state)] = note;
  } else {
    emit(*std::move(read), state);
  }
  if (rmw.target) set_loaded(state, *rmw.target, old, executed);
}

void ThreadWalker::execute(const Fence& fence, std::size_t at, State& state) {
  emit_fence(at, state, fence.order, fence.scope, fence.is_shared_only);
}

void ThreadWalker::execute(const ProxyFence& fence, std::size_t at, State& state) {
  Event event = make_event(EventKind::ProxyFence, at, state);
  event.proxy = fence.proxy;
  event.is_alias_fence = fence.is_alias;
  event.is_mbarrier_init_fence = fence.is_mbarrier_init;
  event.direction = fence.direction;
  event.scope = fence.scope;
  event.has_scope = fence.direction != ProxyFence::Direction::Both;
  emit(std::move(event), state);
}

void ThreadWalker::execute(const Barrier& barrier, std::size_t at, State& state) {
  Event event = make_event(EventKind::Barrier, at, state);
  event.scope = scope_of(barrier);
  event.has_scope = true;
  const EventId id = emit(std::move(event), state);
  if (!barrier.arrive_only) take_snapshot(id, state);
  EventNote& note = draft_.notes[id];
  if (barrier.resource) note.resource = values().cast(lower(*barrier.resource, state), kLongLong);
  if (barrier.count) note.count = values().cast(lower(*barrier.count, state), kLongLong);
  if (!barrier.exchange) return;
  const ValueExchange& exchange = *barrier.exchange;
  note.given = values().cast(lower(exchange.value, state), exchange.type);
  note.source = values().cast(lower(exchange.source, state), kInt);
  draft_.graph.events[id].value = received_value(values(), id, joined_type(exchange));
  set_register(state, exchange.target, draft_.graph.events[id].value);
}

void ThreadWalker::execute(const Assume& assume, std::size_t /*at*/, State& state) {
  const NodeId condition = values().truth(lower(assume.condition, state));
  const NodeId requirement = values().disjunction(values().negation(state.guard), condition);
  if (requirement == ValueGraph::kTrue) return;
  draft_.graph.requirements.push_back(requirement);
  draft_.control_points.push_back({thread_, static_cast<EventId>(draft_.graph.events.size()), condition});
  if (trial_depth_ == 0) facts_ = values().conjunction(facts_, requirement);
}

void ThreadWalker::execute(const Assert& assertion, std::size_t at, State& state) {
  const NodeId fails = values().conjunction(state.guard, values().negation(lower(assertion.condition, state)));
  if (!assertion.misuse.empty()) return add_incident(Incident::Kind::Misuse, fails, at, assertion.misuse);
  add_incident(Incident::Kind::AssertionFailed, fails, at, "the assertion can fail");
}

}  // namespace ambit::events
