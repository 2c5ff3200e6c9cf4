// Handles waits with a limit, such as for (int i = 0; i < 1000000 && !flag; ++i). The iterations of such a wait differ
// in a counter, so no iteration repeats another iteration in the sense of spin.cpp. After the iterations that the bound
// allows, the walker executes one more iteration T. Then the walker advances the counter to just before the next value
// that changes the result of a comparison. The omission of iterations is exact under two conditions:
//
//  * If T does not leave the loop, it changes no other register that is live at the cut, and its only event is a read,
//    or a read-modify-write that writes back the value that it read.
//  * The counter changes by a constant step, and the thread only compares the counter with constants (counter_uses).
//    Between T and the value to which the counter moves, all comparisons have the same results as in T.
//
// Proof. To turn a full execution into an execution with fewer iterations, delete the omitted iterations (spin.cpp). To
// turn an execution with fewer iterations into a full execution, repeat the read of T: place the copies directly after
// the read, with the same source. In every relation, a copy has the same neighbours as the read, so a cycle through the
// copy is also a cycle through the read. The copies of a read-modify-write follow each other in coherence. An event
// that read from the read-modify-write now reads from the last copy. If T has two reads, this proof fails: another
// thread may have written between the two reads, and then the copy of the first read must see this write.

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <set>
#include <utility>

#include "model/events/thread_walker.h"

namespace ambit::events {
namespace {

/// A comparison of the counter plus `offset` with `limit`.
struct Comparison {
  Value offset = 0;
  Value limit = 0;
  ScalarType type;
};

/// Finds the uses of a counter in a thread.
class CounterUses {
 public:
  CounterUses(const Thread& thread, const ControlFlow& flow) : thread_(thread), flow_(flow) {}

  /// Collects the comparisons of `counter` with constants. Returns false if the thread uses the counter in another way.
  bool collect(RegisterId counter) { return collect(counter, 0, 0); }
  const std::vector<Comparison>& comparisons() const { return comparisons_; }

 private:
  bool collect(RegisterId counter, Value offset, unsigned depth) {
    constexpr unsigned kMaxCopies = 8;
    if (depth > kMaxCopies) return false;
    for (std::size_t i = 0; i < thread_.code.size(); ++i) {
      if (!collect_in(i, counter, offset, depth)) return false;
    }
    return true;
  }

  bool collect_in(std::size_t at, RegisterId counter, Value offset, unsigned depth) {
    const Operation& operation = thread_.code[at].operation;
    if (const auto* branch = std::get_if<Branch>(&operation)) return compares_only(branch->condition, counter, offset);
    if (const auto* assign = std::get_if<Assign>(&operation)) {
      if (!flow_.live[at + 1][assign->target]) return true;
      const std::optional<Value> moved = distance(assign->value, counter);
      if (!moved) return compares_only(assign->value, counter, offset);
      if (assign->target == counter && depth == 0) return true;
      if (flow_.live.back()[assign->target]) return false;
      const auto copy = std::pair{assign->target, offset + *moved};
      return !copies_.insert(copy).second || collect(assign->target, offset + *moved, depth + 1);
    }
    return !uses_register(at, counter);
  }

  /// Returns n if `expr` has the form `counter + n`.
  static std::optional<Value> distance(const Expr& expr, RegisterId counter) {
    if (expr.op == Op::Register) return expr.reg == counter ? std::optional<Value>(0) : std::nullopt;
    if (expr.op == Op::Cast && expr.type.bits >= 32) return distance(expr.arguments[0], counter);
    if (expr.op != Op::Add && expr.op != Op::Subtract) return std::nullopt;
    const bool is_swapped = expr.op == Op::Add && expr.arguments[0].is_constant();
    const Expr& constant = expr.arguments[is_swapped ? 0 : 1];
    if (!constant.is_constant()) return std::nullopt;
    const std::optional<Value> before = distance(expr.arguments[is_swapped ? 1 : 0], counter);
    // Treat the constant as signed, because unsigned code decrements by an addition of 0xffffffff.
    const Value step = ScalarType{expr.type.bits, true}.wrap(constant.constant);
    if (!before || std::abs(step) > std::numeric_limits<int>::max()) return std::nullopt;
    return *before + (expr.op == Op::Add ? step : -step);
  }

  /// Returns whether `expr` uses `counter` only in comparisons with constants.
  bool compares_only(const Expr& expr, RegisterId counter, Value offset) {
    if (expr.op == Op::Register) return expr.reg != counter;
    if (is_comparison(expr.op)) {
      for (const bool is_first : {true, false}) {
        const std::optional<Value> moved = distance(expr.arguments[is_first ? 0 : 1], counter);
        const Expr& other = expr.arguments[is_first ? 1 : 0];
        if (!moved || !other.is_constant()) continue;
        comparisons_.push_back({offset + *moved, other.constant, expr.type});
        return true;
      }
    }
    return std::all_of(expr.arguments.begin(), expr.arguments.end(),
                       [&](const Expr& argument) { return compares_only(argument, counter, offset); });
  }

  /// Returns whether the operation reads the register. The operation is neither an assignment nor a branch.
  bool uses_register(std::size_t at, RegisterId counter) const {
    RegisterSet used(thread_.registers.size(), false);
    add_used_registers(thread_.code[at].operation, used);
    return used[counter];
  }

  const Thread& thread_;
  const ControlFlow& flow_;
  std::vector<Comparison> comparisons_;
  std::set<std::pair<RegisterId, Value>> copies_;
};

/// Returns how many times `step` can be added to the counter value `from` before the result of a comparison can change.
/// Returns nothing if no result can change, or if a wrap-around may change a result.
std::optional<Value> steps_before_decision(const std::vector<Comparison>& comparisons, Value from, Value step) {
  constexpr Value kFar = std::numeric_limits<int>::max();
  std::optional<Value> fewest;
  for (const Comparison& comparison : comparisons) {
    const Value value = from + comparison.offset;
    const Value least = comparison.type.is_signed ? -kFar : 0;
    if (comparison.type.bits < 32 || value < least || value > kFar) return std::nullopt;
    if (comparison.limit < least || comparison.limit > kFar) return std::nullopt;
    const Value distance = step > 0 ? comparison.limit - value : value - comparison.limit;
    if (distance < 0) continue;
    const Value steps = distance / std::abs(step) - 1;
    if (!fewest || steps < *fewest) fewest = steps;
  }
  if (!fewest) return std::nullopt;
  // A wrap-around must not change the result of a comparison whose limit the counter has already passed.
  const Value end = from + step * (*fewest + 1);
  const bool wraps = std::ranges::any_of(comparisons, [&](const Comparison& comparison) {
    const Value value = end + comparison.offset;
    return value > kFar || value < (comparison.type.is_signed ? -kFar : 0);
  });
  return wraps ? std::nullopt : fewest;
}

}  // namespace

/// Executes the iteration T from `state` and advances the counter. If the iterations do more than poll and count,
/// changes nothing and returns false.
bool ThreadWalker::skip_tries(const Loop& loop, State& state, std::vector<Exit>& exits) {
  const Mark before = mark();
  std::vector<Exit> left;
  ++trial_depth_;
  Turn turn = iterate(loop, State{ValueGraph::kTrue, state.registers}, left);
  --trial_depth_;
  const std::optional<RegisterId> counter =
      stopped() || turn.state.guard == ValueGraph::kFalse ? std::nullopt : changed_counter(loop, state, turn.state);
  std::optional<Value> skipped;
  Value step = 0;
  if (counter && only_polls(before, turn.state.guard)) {
    const Value from = values()[state.registers[*counter]].constant;
    step = values()[turn.state.registers[*counter]].constant - from;
    CounterUses uses(thread(), flow_);
    // Omit all iterations before the change except the last two.
    if (uses.collect(*counter)) skipped = steps_before_decision(uses.comparisons(), from, step);
    if (skipped) *skipped -= 2;
  }
  if (!skipped || *skipped < 1) {
    roll_back(before);
    return false;
  }
  commit_iteration(before, state.guard, ValueGraph::kTrue);
  for (Exit& exit : left) {
    place(exit.state, state.guard, ValueGraph::kTrue, false);
    merge_exit(exits, exit.target, std::move(exit.state));
  }
  place(turn.state, state.guard, ValueGraph::kTrue, left.empty());
  NodeId& count = turn.state.registers[*counter];
  const Value moved = values()[count].constant + step * *skipped;
  set_register(turn.state, *counter, values().constant(moved, thread().registers[*counter].type));
  state = std::move(turn.state);
  return true;
}

/// Returns the register that an iteration has changed. No other register that is live at the cut may have changed, and
/// the register's values before and after the iteration must be constants.
std::optional<RegisterId> ThreadWalker::changed_counter(const Loop& loop, const State& entry, const State& back) const {
  const ValueGraph& values = draft_.graph.values;
  std::optional<RegisterId> counter;
  for (const RegisterId r : loop.carried_at_cut) {
    if (back.registers[r] == entry.registers[r]) continue;
    if (counter || !values.is_constant(back.registers[r]) || !values.is_constant(entry.registers[r]))
      return std::nullopt;
    counter = r;
  }
  if (!counter || thread().registers[*counter].type.bits < 32 || flow_.live.back()[*counter]) return std::nullopt;
  return counter;
}

/// Returns whether an iteration that does not leave the loop only polls: each event after `before` is a read, or
/// belongs to a read-modify-write that stores the value that it reads, and at most one such access is executed.
bool ThreadWalker::only_polls(const Mark& before, NodeId goes_on) {
  const EventGraph& graph = draft_.graph;
  NodeId has_read = ValueGraph::kFalse;
  for (auto e = static_cast<EventId>(before.events); e < graph.events.size(); ++e) {
    const NodeId happens = values().conjunction(graph.events[e].guard, goes_on);
    if (happens == ValueGraph::kFalse) continue;
    const Event& event = graph.events[e];
    // The write half of a read-modify-write stores the value that its read half read.
    if (event.is_write() && event.rmw_partner != kNoEvent && change_by(e, goes_on) == ValueGraph::kFalse) continue;
    if (!event.is_read() || event.is_async()) return false;
    if (values().conjunction(happens, has_read) != ValueGraph::kFalse) return false;
    has_read = values().disjunction(has_read, happens);
  }
  return graph.requirements.size() == before.requirements && graph.incidents.size() == before.incidents &&
         draft_.bound_points.size() == before.bound_points;
}

}  // namespace ambit::events
