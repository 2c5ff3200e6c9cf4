// Loops. Executes loops: omits iterations without effect (spin.cpp), and unrolls other iterations up to the bound.

#include <utility>

#include "model/events/thread_walker.h"

namespace ambit::events {
namespace {

/// Limit on the iterations of a loop with a constant condition.
constexpr std::size_t kMaxConstantIterations = 1024;
/// Limit on iterations that wait and then certainly go on. Further such iterations count towards the bound.
constexpr std::size_t kMaxWaitingIterations = 64;

}  // namespace

/// Executes the test at the loop's start, up to the cut. Returns the state at the cut. Where the test leaves the loop,
/// adds the state to `exits`.
ThreadWalker::State ThreadWalker::pass_test(const Loop& loop, State state, std::vector<Exit>& exits) {
  if (loop.cut == loop.begin) return state;
  Region test{loop.begin, loop.cut, true};
  run(test, std::move(state));
  State passed;
  for (Exit& exit : test.exits) {
    if (exit.target == loop.cut) {
      passed = std::move(exit.state);
    } else {
      merge_exit(exits, exit.target, std::move(exit.state));
    }
  }
  return passed;
}

ThreadWalker::Turn ThreadWalker::iterate(const Loop& loop, State state, std::vector<Exit>& exits) {
  Region iteration{loop.cut, loop.end + 1, loop.cut == loop.begin};
  run(iteration, std::move(state));
  State back = std::move(iteration.back);
  for (Exit& exit : iteration.exits) {
    if (exit.target == loop.begin) {
      back = std::move(exit.state);
    } else {
      merge_exit(exits, exit.target, std::move(exit.state));
    }
  }
  const NodeId guard = back.guard;
  return {pass_test(loop, std::move(back), exits), guard};
}

/// Returns where the test ends in a loop that tests before each iteration. Let B be the last exit branch that only
/// loads, assignments, jumps and branches of the loop precede. The test ends after B, or after the first exit branch if
/// B does not exist. Returns the loop's start if the loop tests after each iteration, so that the last instruction is
/// the test.
std::size_t ThreadWalker::test_end(const Loop& loop) const {
  const std::vector<Instruction>& code = thread().code;
  if (!std::holds_alternative<Jump>(code[loop.end].operation)) return loop.begin;
  std::size_t end = loop.begin;
  bool is_pure = true;
  for (std::size_t i = loop.begin; i < loop.end && (i == loop.begin || !flow_.header[i]); ++i) {
    const Operation& operation = code[i].operation;
    const auto* branch = std::get_if<Branch>(&operation);
    is_pure = is_pure && (branch != nullptr || std::holds_alternative<Load>(operation) ||
                          std::holds_alternative<Assign>(operation) || std::holds_alternative<Jump>(operation));
    if (branch == nullptr || (branch->target >= loop.begin && branch->target <= loop.end)) continue;
    if (!is_pure && end != loop.begin) break;
    end = i + 1;
  }
  return end;
}

/// Returns whether some jump, or some branch with a condition that is not constant, leads out of the loop.
bool ThreadWalker::has_exit(const Loop& loop) const {
  const std::vector<Instruction>& code = thread().code;
  const auto is_outside = [&](std::size_t target) { return target < loop.begin || target > loop.end; };
  for (std::size_t i = loop.begin; i <= loop.end; ++i) {
    if (const auto* jump = std::get_if<Jump>(&code[i].operation)) {
      if (is_outside(jump->target)) return true;
    } else if (const auto* branch = std::get_if<Branch>(&code[i].operation)) {
      const bool is_open = branch->takes_either_way || !branch->condition.is_constant();
      if (is_outside(branch->target) && (is_open || branch->condition.constant != 0)) return true;
      if (i == loop.end && (is_open || branch->condition.constant == 0)) return true;
    } else if (i == loop.end) {
      return true;
    }
  }
  return false;
}

/// Executes the loop's test once more after the last iteration that the bound allows, because this test may end the
/// loop. Drops the state in which the loop continues.
void ThreadWalker::end_at_bound(const Loop& loop, State state, std::vector<Exit>& exits) {
  const std::size_t end = test_end(loop);
  NodeId goes_on = state.guard;
  if (end > loop.cut) {
    Region test{loop.cut, end, loop.cut == loop.begin};
    run(test, std::move(state));
    goes_on = test.back.guard;
    for (Exit& exit : test.exits) {
      if (exit.target >= loop.begin && exit.target <= loop.end) {
        goes_on = values().disjunction(goes_on, exit.state.guard);
      } else {
        merge_exit(exits, exit.target, std::move(exit.state));
      }
    }
  }
  if (goes_on == ValueGraph::kFalse) return;
  BoundPoint point = {thread_, static_cast<EventId>(draft_.graph.events.size()), goes_on};
  if (!has_exit(loop)) point.endless = thread().code[loop.end].span;
  draft_.bound_points.push_back(point);
}

/// Executes the loop. Iterations that certainly continue, because the condition is constant, do not count towards the
/// bound. All other iterations count. In a loop without an exit, all iterations count (end_at_bound()).
std::vector<ThreadWalker::Exit> ThreadWalker::run_loop(const Loop& loop, State state) {
  LoopFate& fate = fates_[*flow_.header[loop.begin]];
  std::vector<Exit> exits;
  const NodeId entry_guard = state.guard;
  const bool is_endless = !has_exit(loop);
  unsigned counted = 0;
  std::size_t waiting = 0;
  state = pass_test(loop, std::move(state), exits);
  if (loop.begins_with_exchange && state.guard != ValueGraph::kFalse) {
    state = iterate(loop, std::move(state), exits).state;
  }
  for (std::size_t total = 0; state.guard != ValueGraph::kFalse && !stopped(); ++total) {
    if (counted == draft_.graph.options.unroll || total == kMaxConstantIterations) {
      fate.was_unrolled = true;
      if (skip_tries(loop, state, exits)) {
        counted = 0;
        total = 0;
        continue;
      }
      end_at_bound(loop, std::move(state), exits);
      break;
    }
    std::optional<Turn> turn = try_spin(loop, state, exits);
    const bool waits = turn.has_value();
    if (!turn) turn = iterate(loop, std::exchange(state, State{}), exits);
    state = std::move(turn->state);
    if (waits) {
      fate.was_awaited = true;
      // If control returns to the cut, the iteration has made progress, so the loop is also unrolled.
      if (loop.cut != loop.begin || state.guard != ValueGraph::kFalse) fate.was_unrolled = true;
      ++waiting;
    } else {
      fate.was_unrolled = true;
    }
    if (is_endless || turn->back != entry_guard || waiting > kMaxWaitingIterations) ++counted;
  }
  return exits;
}

}  // namespace ambit::events
