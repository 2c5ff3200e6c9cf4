#include "runner/sim/transactions.h"

#include <algorithm>

namespace ambit::sim {

Transactions::Transactions(const Program& program, ConflictKind conflicts)
    : program_(program), conflicts_(conflicts), exist_(program.first_transaction().has_value()) {
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
}

Value Transactions::load(State& state, std::uint32_t thread, LocationId location) const {
  TransactionCell& own = state.transaction_cells[cell(thread, location)];
  if (own.kind == TransactionCell::Kind::Written) return own.value;
  own.kind = TransactionCell::Kind::Read;
  return state.memory.values[location];
}

void Transactions::store(State& state, std::uint32_t thread, LocationId location, Value value) const {
  state.transaction_cells[cell(thread, location)] = {TransactionCell::Kind::Written, value};
}

void Transactions::end(State& state, std::uint32_t thread, bool commits) const {
  for (LocationId location = 0; location < program_.locations.size(); ++location) {
    TransactionCell& own = state.transaction_cells[cell(thread, location)];
    if (commits && own.kind == TransactionCell::Kind::Written) {
      state.memory.values[location] = own.value;
      begin_others_again(state, thread, location);
    }
    own = {};
  }
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

void Transactions::begin_others_again(State& state, std::uint32_t writer, LocationId location) const {
  if (!exist_) return;
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
  state.transactions[thread] = {};
}

}  // namespace ambit::sim
