#include "runner/cuda/emit/emit_flow.h"

#include <algorithm>
#include <optional>
#include <set>
#include <variant>

#include "base/overloaded.h"

namespace ambit::cuda {
namespace {

/// Returns whether the compiler can see that the value of the expression does not depend on its arguments.
bool ignores_arguments(const Expr& expr) {
  if (expr.arguments.size() != 2) return false;
  const Expr& second = expr.arguments[1];
  const auto is_constant = [&](Value value) { return second.is_constant() && second.constant == value; };
  switch (expr.op) {
    case Op::Remainder: return is_constant(1);
    case Op::Multiply:
    case Op::BitAnd: return is_constant(0);
    case Op::Subtract:
    case Op::BitXor: return expr.arguments[0] == second;
    default: return false;
  }
}

void add_registers(const Expr& expr, std::vector<bool>& registers) {
  if (ignores_arguments(expr)) return;
  if (expr.op == Op::Register) registers[expr.reg] = true;
  for (const Expr& argument : expr.arguments) add_registers(argument, registers);
}

/// Adds the registers that an instruction reads.
void add_reads(const Operation& operation, std::vector<bool>& registers) {
  const auto add = [&](const Expr& expr) { add_registers(expr, registers); };
  std::visit(Overloaded{[&](const OneOf<Assign, Store> auto& writing) { add(writing.value); },
                        [&](const OneOf<Branch, Assume, Assert> auto& test) { add(test.condition); },
                        [&](const TransactionEnd& end) {
                          if (end.aborted) add(*end.aborted);
                        },
                        [&](const Rmw& rmw) {
                          add(rmw.operand);
                          if (rmw.op == RmwOp::CompareExchange) add(rmw.compare);
                        },
                        [&](const Barrier& barrier) {
                          if (barrier.resource) add(*barrier.resource);
                          if (barrier.count) add(*barrier.count);
                        },
                        [&](const AsyncStep& step) {
                          for (const AsyncElement& element : step.elements) {
                            if (element.source) add(element.source->address);
                            if (element.target) add(element.target->address);
                            add(element.value);
                          }
                        },
                        [](const OneOf<Load, Fence, ProxyFence, Jump, TransactionBegin> auto&) {}},
             operation);
  if (const MemoryAccess* access = access_of(operation)) add_registers(access->address, registers);
}

}  // namespace

ThreadFlow::ThreadFlow(const Program& program, std::size_t thread)
    : thread_(program.threads[thread]), observed_(thread_.registers.size(), false) {
  for (const Observable& observable : program.observables) {
    if (observable.kind == Observable::Kind::Register && observable.thread == thread) observed_[observable.reg] = true;
  }
  find_live();
}

std::vector<std::size_t> ThreadFlow::successors(std::size_t instruction) const {
  const Operation& operation = thread_.code[instruction].operation;
  if (const auto* jump = std::get_if<Jump>(&operation)) return {jump->target};
  std::vector<std::size_t> next = {instruction + 1};
  if (const auto* branch = std::get_if<Branch>(&operation)) next.push_back(branch->target);
  if (std::holds_alternative<Assume>(operation)) next.push_back(thread_.code.size());
  return next;
}

/// Computes the live registers backwards, until a fixed point.
void ThreadFlow::find_live() {
  live_.assign(thread_.code.size() + 1, std::vector<bool>(thread_.registers.size(), false));
  live_.back() = observed_;
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (std::size_t i = thread_.code.size(); i-- > 0;) {
      std::vector<bool> live(thread_.registers.size(), false);
      for (const std::size_t next : successors(i)) {
        for (std::size_t r = 0; r < live.size(); ++r) live[r] = live[r] || live_[next][r];
      }
      const Operation& operation = thread_.code[i].operation;
      if (const auto target = assigned_register(operation)) live[*target] = false;
      add_reads(operation, live);
      has_changed = has_changed || live != live_[i];
      live_[i] = std::move(live);
    }
  }
}

bool ThreadFlow::is_result_read(std::size_t instruction) const {
  const auto target = assigned_register(thread_.code[instruction].operation);
  const std::vector<std::size_t> next = successors(instruction);
  return target && std::any_of(next.begin(), next.end(), [&](std::size_t at) { return live_[at][*target]; });
}

std::uint32_t ThreadFlow::accesses_before(std::size_t instruction) const {
  const MemoryAccess* access = access_of(thread_.code[instruction].operation);
  std::uint32_t count = 0;
  for (std::size_t i = 0; access != nullptr && i < instruction; ++i) {
    const MemoryAccess* other = access_of(thread_.code[i].operation);
    if (other == nullptr) continue;
    const bool may_differ = other->address.is_constant() && access->address.is_constant();
    count += !may_differ || other->address.constant == access->address.constant ? 1 : 0;
  }
  return count;
}

std::vector<std::vector<std::size_t>> ThreadFlow::followers(const std::vector<std::size_t>& owners) const {
  std::vector<std::vector<std::size_t>> all;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (i + 1 < owners.size() && owners[i + 1] == owners[i]) {
      all.push_back({i + 1});
      continue;
    }
    // Searches forward from the instruction to the first PTX instruction on each path.
    std::set<std::size_t> found;
    std::vector<bool> seen(thread_.code.size() + 1, false);
    std::vector<std::size_t> open = successors(owners[i]);
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      if (seen[at] || at == thread_.code.size()) continue;
      seen[at] = true;
      const auto owned = std::find(owners.begin(), owners.end(), at);
      if (owned != owners.end()) {
        found.insert(static_cast<std::size_t>(owned - owners.begin()));
      } else {
        for (const std::size_t next : successors(at)) open.push_back(next);
      }
    }
    all.emplace_back(found.begin(), found.end());
  }
  return all;
}

}  // namespace ambit::cuda
