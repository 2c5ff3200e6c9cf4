#include "model/events/value_sets.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/overloaded.h"

namespace ambit::events {
namespace {

using Possible = ValueSets::Possible;

Possible only(Value value) { return std::vector<Value>{value}; }

Possible alternatives(std::uint32_t count) {
  if (count > ValueSets::kMaxValues) return std::nullopt;
  std::vector<Value> values(count);
  std::iota(values.begin(), values.end(), Value{0});
  return values;
}

/// Adds `values` to `into`. Returns true if `into` grew.
bool unite(Possible& into, const Possible& values) {
  if (!into) return false;
  if (!values) {
    into.reset();
    return true;
  }
  std::vector<Value> merged;
  std::set_union(into->begin(), into->end(), values->begin(), values->end(), std::back_inserter(merged));
  if (merged.size() == into->size()) return false;
  if (merged.size() > ValueSets::kMaxValues) {
    into.reset();
  } else {
    into = std::move(merged);
  }
  return true;
}

Possible apply_to_sets(Op op, ScalarType type, const std::vector<Possible>& arguments) {
  std::size_t combinations = 1;
  for (const Possible& argument : arguments) {
    if (argument) combinations *= argument->size();
    if (argument && combinations <= ValueSets::kMaxCombinations) continue;
    return is_boolean(op) ? Possible(std::vector<Value>{0, 1}) : std::nullopt;
  }
  std::vector<Value> results;
  for (std::size_t c = 0; c < combinations; ++c) {
    std::array<Value, 3> chosen{};
    std::size_t rest = c;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      chosen[i] = (*arguments[i])[rest % arguments[i]->size()];
      rest /= arguments[i]->size();
    }
    results.push_back(apply(op, type, std::span(chosen.data(), arguments.size())));
  }
  std::sort(results.begin(), results.end());
  results.erase(std::unique(results.begin(), results.end()), results.end());
  if (results.size() > ValueSets::kMaxValues) return std::nullopt;
  return results;
}

Possible wrap(const Possible& values, ScalarType type) {
  return values ? apply_to_sets(Op::Cast, type, {values}) : std::nullopt;
}

Possible possible_values(const Expr& expr, const std::vector<Possible>& registers) {
  if (expr.op == Op::Const) return only(expr.constant);
  if (expr.op == Op::Register) return wrap(registers[expr.reg], expr.type);
  std::vector<Possible> arguments;
  arguments.reserve(expr.arguments.size());
  for (const Expr& argument : expr.arguments) arguments.push_back(possible_values(argument, registers));
  return apply_to_sets(expr.op, expr.type, arguments);
}

/// Returns the values that a read-modify-write can store. For a repeated addition of a value other than 0, the analysis
/// assumes all values.
Possible stored_values(RmwOp operation, ScalarType type, const Possible& old, const Possible& operand) {
  const std::optional<Op> op = operator_of(operation);
  if (!op) return operand;
  if ((op == Op::Add || op == Op::Subtract) && operand != only(0)) return std::nullopt;
  return apply_to_sets(*op, type, {old, operand});
}

/// Returns the values that a thread may receive if any set of threads contributes.
Possible received_values(const ValueExchange& exchange) {
  using Function = ValueExchange::Function;
  const bool is_truth = exchange.function == Function::Any || exchange.function == Function::All;
  return is_truth ? Possible(std::vector<Value>{0, 1}) : std::nullopt;
}

}  // namespace

Possible ValueSets::of_address(const Possible& addresses) const {
  Possible result = std::vector<Value>{};
  if (!addresses) {
    for (const Possible& location : locations_) unite(result, location);
    unite(result, only(0));
    return result;
  }
  for (const Value address : *addresses) {
    const auto location = program_->location_at(address);
    unite(result, location ? locations_[*location] : only(0));  // an out-of-bounds access has the value 0
  }
  return result;
}

bool ValueSets::add_to_locations(const Possible& addresses, const Possible& values) {
  bool grew = false;
  if (!addresses) {
    for (LocationId l = 0; l < locations_.size(); ++l) {
      grew |= unite(locations_[l], wrap(values, program_->locations[l].type));
    }
    return grew;
  }
  for (const Value address : *addresses) {
    const auto location = program_->location_at(address);
    if (location) grew |= unite(locations_[*location], wrap(values, program_->locations[*location].type));
  }
  return grew;
}

/// Adds the values that an asynchronous operation writes. Returns whether a set of values grew.
bool ValueSets::add_stores(const AsyncStep& step, const std::vector<Possible>& registers) {
  bool grew = false;
  for (const AsyncElement& element : step.elements) {
    if (!element.target) continue;
    const Possible addresses = possible_values(element.target->address, registers);
    const Possible from = element.source ? of_address(possible_values(element.source->address, registers))
                                         : possible_values(element.value, registers);
    const Possible stored =
        element.reduction ? stored_values(*element.reduction, element.target->type, of_address(addresses), from) : from;
    grew |= add_to_locations(addresses, stored);
  }
  return grew;
}

void ValueSets::compute() {
  is_computed_ = true;
  for (const Location& location : program_->locations) locations_.push_back(only(location.initial));
  std::vector<std::vector<Possible>> registers;
  registers.reserve(program_->threads.size());
  for (const Thread& thread : program_->threads) registers.emplace_back(thread.registers.size(), only(0));
  // The loop terminates: each round with a change makes a set larger, and the size of sets is bounded.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t t = 0; t < program_->threads.size(); ++t) {
      const Thread& thread = program_->threads[t];
      std::vector<Possible>& mine = registers[t];
      const auto set_register = [&](RegisterId r, const Possible& values) {
        changed |= unite(mine[r], wrap(values, thread.registers[r].type));
      };
      for (const Instruction& instruction : thread.code) {
        context_->poll(10);
        std::visit(
            Overloaded{[&](const Assign& assign) { set_register(assign.target, possible_values(assign.value, mine)); },
                       [&](const Load& load) {
                         set_register(load.target, of_address(possible_values(load.access.address, mine)));
                       },
                       [&](const Store& store) {
                         changed |= add_to_locations(possible_values(store.access.address, mine),
                                                     possible_values(store.value, mine));
                       },
                       [&](const Rmw& rmw) {
                         const Possible addresses = possible_values(rmw.access.address, mine);
                         const Possible old = of_address(addresses);
                         if (rmw.op == RmwOp::Update) set_register(*rmw.target, old);
                         const Possible stored =
                             stored_values(rmw.op, rmw.access.type, old, possible_values(rmw.operand, mine));
                         changed |= add_to_locations(addresses, stored);
                         if (rmw.target) set_register(*rmw.target, old);
                       },
                       [&](const Barrier& barrier) {
                         if (barrier.exchange)
                           set_register(barrier.exchange->target, received_values(*barrier.exchange));
                       },
                       [&](const AsyncStep& step) {
                         changed |= add_stores(step, mine);
                         for (const Rmw& completion : step.completions) {
                           const Possible addresses = possible_values(completion.access.address, mine);
                           set_register(*completion.target, of_address(addresses));
                           changed |= add_to_locations(addresses, possible_values(completion.operand, mine));
                         }
                       },
                       [](const OneOf<Fence, ProxyFence, Branch, Jump, Assume, Assert, TransactionBegin,
                                      TransactionEnd> auto&) {}},
            instruction.operation);
      }
    }
  }
}

Possible ValueSets::of_read(std::span<const LocationId> locations, ScalarType type) {
  if (!is_computed_) compute();
  // A read without locations is never executed. But this read still needs a value, because otherwise the reads would
  // have no combination of values.
  if (locations.empty()) return only(0);
  Possible result = std::vector<Value>{};
  for (const LocationId location : locations) unite(result, locations_[location]);
  return wrap(result, type);
}

bool ValueSets::for_each_combination(const ValueGraph& graph, const std::vector<Event>& events,
                                     std::span<const NodeId> nodes,
                                     const std::function<bool(std::span<const Value>)>& visit) {
  EventSet reads(events.size());
  context_->poll(graph.size() / 100);
  for (const NodeId node : nodes) graph.collect_reads(node, reads);
  std::vector<std::pair<NodeId, std::vector<Value>>> choices;
  std::size_t combinations = 1;
  bool is_known = true;
  reads.for_each([&](EventId e) {
    Possible possible;
    if (events[e].kind == EventKind::Choice) {
      possible = alternatives(events[e].alternatives);
    } else if (events[e].kind != EventKind::Barrier) {  // the values that threads exchange are not known yet
      possible = of_read(events[e].locations, events[e].type);
    }
    if (!possible || combinations > kMaxCombinations) {
      is_known = false;
      return;
    }
    combinations *= possible->size();
    choices.emplace_back(events[e].value, std::move(*possible));
  });
  if (!is_known || combinations > kMaxCombinations) return false;
  const ReadValue no_read = [](EventId) -> std::optional<Value> { return std::nullopt; };  // `known` contains all reads
  std::vector<Value> values(nodes.size());
  for (std::size_t c = 0; c < combinations; ++c) {
    context_->poll(10 * nodes.size());
    std::unordered_map<NodeId, Value> known;
    std::size_t rest = c;
    for (const auto& [node, possible] : choices) {
      known.emplace(node, possible[rest % possible.size()]);
      rest /= possible.size();
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::optional<Value> value = evaluate(graph, nodes[i], no_read, known);
      AMBIT_ASSERT(value);
      values[i] = *value;
    }
    if (!visit(values)) return true;
  }
  return true;
}

}  // namespace ambit::events
