#include "runner/sim/machine.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "base/overloaded.h"
#include "core/value_exchange.h"

namespace ambit::sim {

Machine::Machine(const Program& program, const Options& options)
    : program_(program),
      is_lockstep_(options.warps == WarpKind::Lockstep),
      barriers_(program),
      memory_(make_memory(program, options)),
      transactions_(program, *memory_, options),
      operations_(program) {
  std::size_t sum = 0;
  for (const Thread& thread : program.threads) {
    first_register_.push_back(sum);
    sum += thread.registers.size();
  }
  first_register_.push_back(sum);
  find_loops();
}

/// Finds the loops. The heads of loops are the targets of backward jumps.
void Machine::find_loops() {
  for (const Thread& thread : program_.threads) {
    first_loop_.push_back(loops_.size());
    const std::vector<Instruction>& code = thread.code;
    std::vector<bool> is_head(code.size() + 1);
    for (std::size_t pc = 0; pc < code.size(); ++pc) {
      std::size_t target = pc + 1;
      if (const auto* branch = std::get_if<Branch>(&code[pc].operation)) target = branch->target;
      if (const auto* jump = std::get_if<Jump>(&code[pc].operation)) target = jump->target;
      if (target <= pc) is_head[target] = true;
    }
    for (std::size_t pc = 0; pc < code.size(); ++pc) {
      if (!is_head[pc]) continue;
      loops_.push_back({static_cast<std::uint32_t>(pc), loop_registers_});
      loop_registers_ += thread.registers.size();
    }
  }
  first_loop_.push_back(loops_.size());
}

void Machine::reset(State& state) const {
  state.threads.assign(program_.threads.size(), {});
  state.registers.assign(first_register_.back(), 0);
  state.arrivals.assign(barriers_.slots(), 0);
  state.phases.assign(barriers_.phase_words(), 0);
  state.loops.assign(loops_.size(), {});
  for (std::uint32_t t = 0; t < program_.threads.size(); ++t) {
    for (std::size_t loop = first_loop_[t]; loop < first_loop_[t + 1]; ++loop) state.loops[loop].thread = t;
  }
  state.watches.assign(loops_.size() * kMaxWatches, {});
  state.loop_registers.assign(loop_registers_, 0);
  state.warps.clear();
  state.is_dropped = state.has_failed = state.is_out_of_bounds = state.is_endless = false;
  memory_->reset(state.memory);
  transactions_.reset(state);
  operations_.reset(state);
  if (is_lockstep_) return;
  for (std::uint32_t t = 0; t < program_.threads.size(); ++t) settle(state, t, nullptr);
}

// ---- register operations ----

const Operation& Machine::next_operation(const State& state, std::uint32_t thread) const {
  return program_.threads[thread].code[state.threads[thread].pc].operation;
}

bool Machine::is_local(const State& state, std::uint32_t thread) const {
  return std::visit(
      Overloaded{[](const OneOf<Assign, Branch, Jump, Assume, Assert, ProxyFence> auto&) { return true; },
                 [](const OneOf<Load, Store, Rmw, Fence, Barrier, AsyncStep, TransactionBegin, TransactionEnd> auto&) {
                   return false;
                 }},
      next_operation(state, thread));
}

/// Runs a thread up to its next step or its end. Adds the proxy fences that the thread executes to `event`, the event
/// of the thread's previous step.
void Machine::settle(State& state, std::uint32_t thread, StepEvent* event) const {
  ThreadState& self = state.threads[thread];
  const std::size_t end = program_.threads[thread].code.size();
  for (std::uint32_t budget = kMaxLocal; self.pc < end && is_local(state, thread); --budget) {
    if (budget == 0 || state.is_dropped) {
      state.is_endless = !state.is_dropped;
      return;
    }
    // The loop has returned to the same state without a read, so it never ends.
    if (self.spin != kNone && state.loops[self.spin].watches == 0) return;
    const std::uint32_t at = self.pc;
    execute_local(state, thread);
    if (event != nullptr && operations_.exist() &&
        std::holds_alternative<ProxyFence>(program_.threads[thread].code[at].operation)) {
      event->proxy_fences.push_back(at);
    }
  }
  if (self.pc >= end) exit(state, thread);
}

void Machine::exit(State& state, std::uint32_t thread) const {
  state.threads[thread].has_exited = true;
  for (const std::uint32_t barrier : barriers_.exit(state, thread)) {
    exchange_values(state, barrier, barriers_.phase(state, barrier) - 1);
  }
}

void Machine::execute_local(State& state, std::uint32_t thread) const {
  ThreadState& self = state.threads[thread];
  const auto value = [&](const Expr& expr) { return evaluate(expr, registers(std::as_const(state), thread)); };
  std::visit(
      Overloaded{[&](const Assign& assign) {
                   set_register(state, thread, assign.target, value(assign.value));
                   ++self.pc;
                 },
                 [&](const Branch& branch) {
                   jump(state, thread, value(branch.condition) != 0 ? branch.target : self.pc + 1);
                 },
                 [&](const Jump& straight) { jump(state, thread, straight.target); },
                 [&](const Assume& assume) {
                   state.is_dropped = state.is_dropped || value(assume.condition) == 0;
                   ++self.pc;
                 },
                 [&](const Assert& assertion) {
                   state.has_failed = state.has_failed || value(assertion.condition) == 0;
                   ++self.pc;
                 },
                 [&](const ProxyFence& fence) {
                   operations_.fence(state, fence);
                   ++self.pc;
                 },
                 [](const OneOf<Load, Store, Rmw, Fence, Barrier, AsyncStep, TransactionBegin, TransactionEnd> auto&) {
                   AMBIT_ASSERT(false && "a register operation");
                 }},
      next_operation(state, thread));
}

void Machine::jump(State& state, std::uint32_t thread, std::size_t target) const {
  ThreadState& self = state.threads[thread];
  const bool is_backward = target <= self.pc;
  self.pc = static_cast<std::uint32_t>(target);
  if (!is_backward) return;
  for (std::size_t loop = first_loop_[thread]; loop < first_loop_[thread + 1]; ++loop) {
    if (loops_[loop].pc == target) return come_to_loop_head(state, thread, loop);
  }
}

void Machine::come_to_loop_head(State& state, std::uint32_t thread, std::size_t loop) const {
  LoopState& round = state.loops[loop];
  const std::span<const Value> now = registers(std::as_const(state), thread);
  Value* saved = state.loop_registers.data() + loops_[loop].first_register;
  const bool is_same = round.has_registers && std::equal(now.begin(), now.end(), saved);
  if (is_same && !round.has_effect && round.watches <= kMaxWatches) {
    state.threads[thread].spin = static_cast<std::uint32_t>(loop);
    return;
  }
  std::copy(now.begin(), now.end(), saved);
  round = {.thread = thread, .watches = 0, .has_registers = true, .has_effect = false};
}

void Machine::set_register(State& state, std::uint32_t thread, RegisterId target, Value value) const {
  registers(state, thread)[target] = program_.threads[thread].registers[target].type.wrap(value);
}

// ---- loops ----

void Machine::note_read(State& state, std::uint32_t thread, const MemoryAccess& access, LocationId location,
                        Value value) const {
  for (std::size_t loop = first_loop_[thread]; loop < first_loop_[thread + 1]; ++loop) {
    LoopState& round = state.loops[loop];
    if (round.has_effect) continue;
    if (round.watches < kMaxWatches) {
      state.watches[loop * kMaxWatches + round.watches] = {location, memory_->level(access, location), value};
    }
    if (round.watches <= kMaxWatches) ++round.watches;
  }
}

void Machine::note_effect(State& state, std::uint32_t thread) const {
  for (std::size_t loop = first_loop_[thread]; loop < first_loop_[thread + 1]; ++loop) {
    LoopState& round = state.loops[loop];
    if (round.has_effect) continue;
    // The iteration is not a wait, so its saved registers are not needed. After the clearing, states that differed only
    // in saved registers are equal.
    round = {.thread = thread};
    Value* saved = state.loop_registers.data() + loops_[loop].first_register;
    std::fill_n(saved, program_.threads[thread].registers.size(), Value{0});
  }
}

bool Machine::spins_in_vain(const State& state, std::uint32_t thread) const {
  const std::uint32_t loop = state.threads[thread].spin;
  if (loop == kNone) return false;
  const Watch* first = state.watches.data() + std::size_t{loop} * kMaxWatches;
  return std::all_of(first, first + state.loops[loop].watches, [&](const Watch& watch) {
    return memory_->finds_only(state.memory, thread, watch.location, watch.level, watch.value);
  });
}

// ---- steps ----

Machine::Waiting Machine::waiting_at(const State& state, std::uint32_t thread) const {
  const auto& barrier = std::get<Barrier>(next_operation(state, thread));
  const Value resource = barrier.resource ? evaluate(*barrier.resource, registers(state, thread)) : 0;
  const auto found = barriers_.find(thread, barrier, resource);
  AMBIT_ASSERT(found);
  return {*found, barriers_.last_phase(state, *found, thread).value_or(0)};
}

bool Machine::can_step(const State& state, std::uint32_t thread) const {
  const ThreadState& self = state.threads[thread];
  if (self.has_exited) return false;
  if (self.is_waiting) {
    const Waiting at = waiting_at(state, thread);
    return barriers_.last_phase(state, at.barrier, thread) && Barriers::is_complete(state, at.barrier, at.instance);
  }
  const Instruction& next = program_.threads[thread].code[self.pc];
  if (const auto* step = std::get_if<AsyncStep>(&next.operation)) return operations_.can_step(state, thread, *step);
  if (operations_.exist() && Operations::ends_kernel(next) && !operations_.are_performed(state, thread)) return false;
  return is_lockstep_ || !spins_in_vain(state, thread);
}

StepEvent Machine::perform(State& state, const Operations::Part& part) const {
  return operations_.perform(state, part, registers(state, state.operations[part.operation].thread));
}

void Machine::perform(State& state, const MemoryAction& action) const {
  memory_->perform(state.memory, action);
  transactions_.find_arrivals(state);
}

unsigned Machine::ways(const State& state, std::uint32_t thread) const {
  if (state.threads[thread].is_waiting) return 1;
  const Operation& operation = next_operation(state, thread);
  if (std::holds_alternative<Store>(operation)) return 1;
  const MemoryAccess* access = access_of(operation);
  if (access == nullptr) return 1;
  const auto location = program_.location_at(evaluate(access->address, registers(state, thread)));
  if (!location) return 1;
  if (!transactions_.is_open(state, thread)) return memory_->ways(state.memory, thread, *access, *location);
  if (transactions_.has_written(state, thread, *location)) return 1;
  return memory_->ways(state.memory, thread, transactions_.access(state, thread), *location);
}

Machine::NextAccess Machine::next_access(const State& state, std::uint32_t thread) const {
  const ThreadState& self = state.threads[thread];
  if (self.has_exited || self.is_waiting) return {};
  const Operation& operation = next_operation(state, thread);
  const MemoryAccess* access = access_of(operation);
  if (access == nullptr) return {};
  const auto location = program_.location_at(evaluate(access->address, registers(state, thread)));
  if (!location) return {};
  return {*location, !std::holds_alternative<Load>(operation)};
}

StepEvent Machine::step(State& state, std::uint32_t thread, unsigned way) const {
  ThreadState& self = state.threads[thread];
  StepEvent event;
  event.thread = thread;
  event.instruction = self.pc;
  if (self.spin != kNone) {
    state.loops[self.spin].watches = 0;
    self.spin = kNone;
  }
  const Operation& operation = next_operation(state, thread);
  bool goes_on = true;
  if (self.is_waiting) {
    const Waiting at = waiting_at(state, thread);
    event.kind = StepEvent::Kind::Pass;
    event.barrier = at.barrier;
    event.instance = at.instance;
    self.is_waiting = false;
    if (std::get<Barrier>(operation).is_boundary) operations_.start_kernel(state);
    if (barriers_.kind(at.barrier) != BarrierKind::Warp) {
      memory_->fence(state.memory, thread, Order::Acquire, scope_of(std::get<Barrier>(operation)));
    }
  } else if (const NextAccess next = next_access(state, thread);
             next.location != kNone && transactions_.yields(state, thread, next.location, next.writes)) {
    return event;
  } else {
    goes_on = execute(state, event, operation, way);
  }
  transactions_.find_arrivals(state);
  if (goes_on && !transactions_.has_failed(state, thread)) {
    ++self.pc;
    if (!is_lockstep_) settle(state, thread, &event);
  }
  return event;
}

/// Executes the operation. Returns false if the thread now waits.
bool Machine::execute(State& state, StepEvent& event, const Operation& operation, unsigned way) const {
  const std::uint32_t thread = event.thread;
  const auto own = [&] { return registers(std::as_const(state), thread); };
  bool goes_on = true;
  std::visit(Overloaded{[&](const OneOf<Load, Rmw> auto& reading) { access(state, event, reading, way); },
                        [&](const Store& store) { access(state, event, store); },
                        [&](const Fence& fence) {
                          event.kind = StepEvent::Kind::Fence;
                          memory_->fence(state.memory, thread, fence.order, fence.scope);
                        },
                        [&](const Barrier& barrier) { goes_on = arrive(state, event, barrier); },
                        [&](const AsyncStep& asynchronous) {
                          note_effect(state, thread);
                          event.kind = StepEvent::Kind::Asynchronous;
                          event.operation = state.issued[thread] + 1;
                          operations_.step(state, thread, asynchronous, own());
                        },
                        [&](const TransactionBegin& begin) {
                          note_effect(state, thread);
                          transactions_.begin(state, thread, begin.scope, own());
                        },
                        [&](const TransactionEnd& end) {
                          const bool aborts = end.aborted && evaluate(*end.aborted, own()) != 0;
                          transactions_.end(state, thread, !aborts);
                          event.is_failed = aborts;
                        },
                        // execute_local() executes register operations.
                        [](const OneOf<Assign, Branch, Jump, Assume, Assert, ProxyFence> auto&) {}},
             operation);
  return goes_on;
}

bool Machine::locate(State& state, StepEvent& event, const MemoryAccess& access) const {
  const auto location = program_.location_at(evaluate(access.address, registers(std::as_const(state), event.thread)));
  if (!location) {
    state.is_out_of_bounds = true;
    return false;
  }
  event.location = *location;
  return true;
}

void Machine::access(State& state, StepEvent& event, const Load& load, unsigned way) const {
  if (locate(state, event, load.access)) {
    event.kind = StepEvent::Kind::Load;
    const bool is_open = transactions_.is_open(state, event.thread);
    event.value = is_open ? transactions_.load(state, event.thread, event.location, way)
                          : memory_->load(state.memory, event.thread, load.access, event.location, way);
    const MemoryAccess& seen = is_open ? transactions_.access(state, event.thread) : load.access;
    note_read(state, event.thread, seen, event.location, event.value);
  }
  set_register(state, event.thread, load.target, event.value);
}

void Machine::access(State& state, StepEvent& event, const Store& store) const {
  if (!locate(state, event, store.access)) return;
  event.kind = StepEvent::Kind::Store;
  const Value value = evaluate(store.value, registers(std::as_const(state), event.thread));
  event.value = store.access.type.wrap(value);
  if (transactions_.is_open(state, event.thread)) {
    transactions_.store(state, event.thread, event.location, event.value);
  } else {
    memory_->store(state.memory, event.thread, store.access, event.location, event.value);
    transactions_.write_outside(state, event.thread, event.location);
  }
  note_effect(state, event.thread);
}

void Machine::access(State& state, StepEvent& event, const Rmw& rmw, unsigned way) const {
  if (locate(state, event, rmw.access)) {
    event.kind = StepEvent::Kind::Update;
    const ScalarType type = rmw.access.type;
    const std::span<const Value> own = registers(std::as_const(state), event.thread);
    const bool is_open = transactions_.is_open(state, event.thread);
    const Value old = is_open ? transactions_.load(state, event.thread, event.location, way)
                              : memory_->begin_update(state.memory, event.thread, rmw.access, event.location, way);
    event.old_value = old;
    if (rmw.op == RmwOp::Update) set_register(state, event.thread, *rmw.target, old);  // the operand reads the target
    event.value = stored_value(rmw.op, type, old, evaluate(rmw.operand, own));
    event.is_failed = rmw.op == RmwOp::CompareExchange && old != type.wrap(evaluate(rmw.compare, own));
    if (event.is_failed) {
      event.value = old;
    } else if (is_open) {
      transactions_.store(state, event.thread, event.location, event.value);
    } else {
      memory_->end_update(state.memory, event.thread, rmw.access, event.location, event.value);
      transactions_.write_outside(state, event.thread, event.location);
    }
    if (!is_open) memory_->acquire_after(state.memory, event.thread, rmw.access);
    const MemoryAccess& seen = is_open ? transactions_.access(state, event.thread) : rmw.access;
    note_read(state, event.thread, seen, event.location, old);
    if (event.value != old) note_effect(state, event.thread);
  }
  if (rmw.target) set_register(state, event.thread, *rmw.target, event.old_value);
}

bool Machine::arrive(State& state, StepEvent& event, const Barrier& barrier) const {
  const std::uint32_t thread = event.thread;
  const std::span<const Value> own = registers(std::as_const(state), thread);
  const Value resource = barrier.resource ? evaluate(*barrier.resource, own) : 0;
  const auto found = barriers_.find(thread, barrier, resource);
  note_effect(state, thread);
  if (!found) {  // the barrier does not exist; this is reported like an access out of bounds
    state.is_out_of_bounds = true;
    return true;
  }
  if (barrier.wait_only) {
    state.threads[thread].is_waiting = true;
    return false;
  }
  const Value count = barrier.count ? evaluate(*barrier.count, own) : barriers_.everyone(*found);
  const Value bounded = std::clamp<Value>(count, 0, kNone);
  event.kind = StepEvent::Kind::Arrive;
  event.barrier = *found;
  // As in the models, a barrier for zero threads never completes.
  event.expected = bounded == 0 ? kNone : static_cast<std::uint32_t>(bounded);
  event.instance = barriers_.arrive(state, *found, thread, event.expected);
  if (!barrier.is_relaxed) memory_->fence(state.memory, thread, Order::Release, scope_of(barrier));
  state.threads[thread].is_waiting = !barrier.arrive_only;
  if (barrier.exchange) set_register(state, thread, barrier.exchange->target, evaluate(barrier.exchange->value, own));
  if (Barriers::is_complete(state, *found, event.instance)) exchange_values(state, *found, event.instance);
  return barrier.arrive_only;
}

/// Exchanges the values of the threads in a complete phase. Before the exchange, the target register of each waiting
/// thread holds the value that the thread sends.
void Machine::exchange_values(State& state, std::uint32_t barrier, std::uint32_t instance) const {
  std::vector<std::pair<std::uint32_t, const ValueExchange*>> receivers;
  std::vector<Gift> gifts;
  for (const std::uint32_t thread : barriers_.members(barrier)) {
    if (!state.threads[thread].is_waiting) continue;
    const Waiting at = waiting_at(state, thread);
    const std::optional<ValueExchange>& exchange = std::get<Barrier>(next_operation(state, thread)).exchange;
    if (!exchange || at.barrier != barrier || at.instance != instance) continue;
    receivers.emplace_back(thread, &*exchange);
    gifts.push_back({static_cast<std::uint32_t>(program_.threads[thread].place.lane),
                     registers(std::as_const(state), thread)[exchange->target]});
  }
  std::vector<Value> results;
  for (std::size_t i = 0; i < receivers.size(); ++i) {
    const auto& [thread, exchange] = receivers[i];
    const Value source = evaluate(exchange->source, registers(std::as_const(state), thread));
    // A lane that reads from an absent lane keeps its own value, which is one of the allowed results.
    results.push_back(received(*exchange, gifts[i].value, source, gifts).value_or(gifts[i].value));
  }
  for (std::size_t i = 0; i < receivers.size(); ++i) {
    set_register(state, receivers[i].first, receivers[i].second->target, results[i]);
  }
}

std::vector<Value> Machine::outcome(const State& state) const {
  std::vector<Value> values;
  values.reserve(program_.observables.size());
  for (const Observable& observable : program_.observables) {
    const Value raw = observable.kind == Observable::Kind::Memory ? state.memory.values[observable.location]
                                                                  : registers(state, observable.thread)[observable.reg];
    values.push_back(raw);
  }
  return values;
}

}  // namespace ambit::sim
