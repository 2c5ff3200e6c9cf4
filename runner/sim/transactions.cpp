#include "runner/sim/transactions.h"

#include <fmt/format.h>

#include <algorithm>

namespace ambit::sim {

Transactions::Transactions(const Program& program, const Memory& memory, const Options& options)
    : program_(program),
      memory_(memory),
      conflicts_(options.conflicts),
      writes_arrive_later_(options.memory == MemoryKind::Gpu),
      exist_(program.first_transaction().has_value()) {
  std::size_t sum = 0;
  for (const Thread& thread : program.threads) {
    first_register_.push_back(sum);
    sum += thread.registers.size();
  }
  first_register_.push_back(sum);
}

void Transactions::reset(State& state) const {
  const std::size_t threads = exist_ ? program_.threads.size() : 0;
  state.transactions.assign(threads, {});
  state.transaction_registers.assign(exist_ ? first_register_.back() : 0, 0);
  state.transaction_cells.assign(threads * program_.locations.size(), {});
}

void Transactions::begin(State& state, std::uint32_t thread, Scope scope, std::span<const Value> registers) const {
  state.transactions[thread] = {.is_open = true, .scope = scope, .begin = state.threads[thread].pc};
  std::ranges::copy(registers,
                    state.transaction_registers.begin() + static_cast<std::ptrdiff_t>(first_register_[thread]));
  memory_.fence(state.memory, thread, Order::SeqCst, scope);
}

MemoryAccess Transactions::access(const State& state, std::uint32_t thread) const {
  MemoryAccess access;
  access.order = Order::Relaxed;
  access.scope = state.transactions[thread].scope;
  access.is_atomic = true;
  return access;
}

bool Transactions::has_written(const State& state, std::uint32_t thread, LocationId location) const {
  return state.transaction_cells[cell(thread, location)].kind == TransactionCell::Kind::Written;
}

Value Transactions::load(State& state, std::uint32_t thread, LocationId location, unsigned way) const {
  TransactionCell& own = state.transaction_cells[cell(thread, location)];
  if (own.kind == TransactionCell::Kind::Written) return own.value;
  own.kind = TransactionCell::Kind::Read;
  return memory_.load(state.memory, thread, access(state, thread), location, way);
}

void Transactions::store(State& state, std::uint32_t thread, LocationId location, Value value) const {
  state.transaction_cells[cell(thread, location)] = {TransactionCell::Kind::Written, value};
}

void Transactions::end(State& state, std::uint32_t thread, bool commits) const {
  const MemoryAccess published = access(state, thread);
  for (LocationId location = 0; location < program_.locations.size(); ++location) {
    TransactionCell& own = state.transaction_cells[cell(thread, location)];
    if (commits && own.kind == TransactionCell::Kind::Written) {
      memory_.end_update(state.memory, thread, published, location, own.value);
      begin_others_again(state, thread, location);
    }
    own = {};
  }
  memory_.fence(state.memory, thread, Order::SeqCst, published.scope);
  state.transactions[thread] = {};
}

bool Transactions::yields(State& state, std::uint32_t thread, LocationId location, bool writes) const {
  if (conflicts_ == ConflictKind::Lazy || !is_open(state, thread)) return false;
  for (std::uint32_t other = 0; other < program_.threads.size(); ++other) {
    if (other == thread || !state.transactions[other].is_open || !conflict(state, thread, other)) continue;
    const TransactionCell::Kind kind = state.transaction_cells[cell(other, location)].kind;
    if (kind == TransactionCell::Kind::None || (kind == TransactionCell::Kind::Read && !writes)) continue;
    begin_again(state, thread);
    return true;
  }
  return false;
}

void Transactions::write_outside(State& state, std::uint32_t writer, LocationId location) const {
  if (exist_ && !writes_arrive_later_) begin_others_again(state, writer, location);
}

void Transactions::find_arrivals(State& state) const {
  for (const Arrival& arrival : state.memory.arrivals) {
    for (std::uint32_t thread = 0; thread < program_.threads.size(); ++thread) {
      const TransactionState& open = state.transactions[thread];
      if (!open.is_open || memory_.place(thread, open.scope, arrival.location) != arrival.cache) continue;
      if (state.transaction_cells[cell(thread, arrival.location)].kind == TransactionCell::Kind::None) continue;
      begin_again(state, thread);
    }
  }
  state.memory.arrivals.clear();
}

void Transactions::begin_others_again(State& state, std::uint32_t writer, LocationId location) const {
  for (std::uint32_t other = 0; other < program_.threads.size(); ++other) {
    if (other == writer || !state.transactions[other].is_open) continue;
    if (state.transaction_cells[cell(other, location)].kind == TransactionCell::Kind::None) continue;
    if (conflict(state, writer, other)) begin_again(state, other);
  }
}

bool Transactions::conflict(const State& state, std::uint32_t writer, std::uint32_t other) const {
  const ThreadPlace& here = program_.threads[writer].place;
  const ThreadPlace& there = program_.threads[other].place;
  if (!same_instance(here, there, state.transactions[other].scope)) return false;
  return !state.transactions[writer].is_open || same_instance(here, there, state.transactions[writer].scope);
}

void Transactions::begin_again(State& state, std::uint32_t thread) const {
  const auto first = static_cast<std::ptrdiff_t>(first_register_[thread]);
  const auto last = static_cast<std::ptrdiff_t>(first_register_[thread + 1]);
  std::copy(state.transaction_registers.begin() + first, state.transaction_registers.begin() + last,
            state.registers.begin() + first);
  ThreadState& self = state.threads[thread];
  self.pc = state.transactions[thread].begin;
  self.spin = kNone;
  for (LoopState& loop : state.loops) {
    if (loop.thread == thread) loop = {.thread = thread};
  }
  for (LocationId location = 0; location < program_.locations.size(); ++location) {
    state.transaction_cells[cell(thread, location)] = {};
  }
  state.transactions[thread] = {.has_failed = true};
}

Diagnostics wide_accesses_in_transactions(const Program& program) {
  Diagnostics errors;
  for (const Thread& thread : program.threads) {
    Scope scope = Scope::System;  // outside transactions, no scope is too wide
    for (const Instruction& instruction : thread.code) {
      if (const auto* begin = std::get_if<TransactionBegin>(&instruction.operation)) scope = begin->scope;
      if (std::holds_alternative<TransactionEnd>(instruction.operation)) scope = Scope::System;
      const MemoryAccess* access = access_of(instruction.operation);
      if (access == nullptr || access->order == Order::Weak || access->scope <= scope) continue;
      errors.push_back(
          {program.source, instruction.span,
           fmt::format(
               "the simulated memory of a GPU does not support an access of {} scope in a transaction of {} scope",
               to_string(access->scope), to_string(scope)),
           "widen the transaction's scope; --memory sc ignores the scopes of accesses"});
    }
  }
  return errors;
}

}  // namespace ambit::sim
