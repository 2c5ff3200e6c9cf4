// Tests which loops Ambit treats as awaits, and which events of an await remain in the graph (language/statements.md
// "Loops"; spin.cpp gives the proof).

#include "tests/unit/events/graph_helpers.h"

namespace ambit::events {
namespace {

/// Expects that the graph has one await, `read`. This read must return `wanted`, and it cannot return `other`.
void expect_await(const EventGraph& graph, EventId read, Value wanted, Value other) {
  EXPECT_TRUE(graph.events[read].is_await);
  EXPECT_EQ(graph.bound_reached, ValueGraph::kFalse);
  ASSERT_EQ(graph.requirements.size(), 1U);
  expect_distinguishes(graph, graph.requirements[0], {{read, wanted}}, {{read, other}});
}

class Spin : public BuiltProgram {};
class SpinOfOneThread : public OneThread {};

TEST_F(SpinOfOneThread, LoadUntilOne) {
  const auto [x, f] = p.globals("x", "f");
  t.spin_load(f, 1);
  t.load(x);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(described(graph, 0), (Strings{"R.relaxed.gpu f", "R x"}));
  EXPECT_TRUE(all_unconditional(graph));
  expect_await(graph, 2, 1, 0);
  EXPECT_FALSE(graph.events[3].is_await);
  EXPECT_EQ(always_pairs(graph, BaseRelation::ControlDependency), (Pairs{{2, 3}}));
}

TEST_F(SpinOfOneThread, CompareExchangeWritesOnlyInTheLastIteration) {
  const auto [l, x] = p.globals("l", "x");
  t.spin_cas(l);
  t.fence();
  t.store(x, 1);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(described(graph, 0), (Strings{"R.relaxed.gpu l", "W.relaxed.gpu l", "F.sc.gpu", "W x"}));
  // The graph requires that the loop ends, so the write and all later events are unconditional.
  EXPECT_TRUE(all_unconditional(graph));
  expect_await(graph, 2, 0, 1);
  EXPECT_EQ(always_pairs(graph, BaseRelation::ControlDependency), (Pairs{{2, 3}, {2, 4}, {2, 5}}));
}

// while (atomicExch(&f, 0) != 1): the only possible values of f are 0 and 1. A failing iteration reads 0 and does not
// change f.
TEST_F(Spin, PollingExchangeOfAFlagThatIsZeroOrOne) {
  const Expr f = p.global("f");
  p.thread("P0", {}).exchange(f, 1);
  ThreadBuilder& t = p.thread("P1", {});
  t.spin_rmw(RmwOp::Exchange, f, 0, 1);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(described(graph, 1), (Strings{"R.relaxed.gpu f", "W.relaxed.gpu f"}));
  EXPECT_TRUE(all_unconditional(graph));
  expect_await(graph, 3, 1, 0);
}

TEST_F(Spin, PollingExchangeThatCanSwallowAnotherValueIsNotAnAwait) {
  const Expr f = p.global("f");
  p.thread("P0", {}).exchange(f, 1).exchange(f, 2);
  ThreadBuilder& t = p.thread("P1", {});
  t.spin_rmw(RmwOp::Exchange, f, 0, 1);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(of_thread(graph, 1).size(), 6U);  // three iterations
  EXPECT_NE(graph.bound_reached, ValueGraph::kFalse);
  EXPECT_TRUE(graph.requirements.empty());
}

TEST_F(Spin, PollingExchangeOfAFlagWithUnboundedValuesIsNotAnAwait) {
  const auto [f, n] = p.globals("f", "n");
  ThreadBuilder& counter = p.thread("P0", {});
  const RegisterId r = counter.fetch(RmwOp::Add, n, 1);
  counter.store(f, counter.value(r), relaxed());
  ThreadBuilder& t = p.thread("P1", {});
  t.spin_rmw(RmwOp::Exchange, f, 0, 1);
  EXPECT_NE(graph_of(p).bound_reached, ValueGraph::kFalse);
}

TEST_F(Spin, PollingExchangeStartingFromAnotherValueIsNotAnAwait) {
  const Expr f = p.global("f", 5);  // the first iteration would turn 5 into 0
  p.thread("P0", {}).exchange(f, 1);
  p.thread("P1", {}).spin_rmw(RmwOp::Exchange, f, 0, 1);
  EXPECT_NE(graph_of(p).bound_reached, ValueGraph::kFalse);
}

TEST_F(Spin, PollingAddOfZeroNeedsNoValueSets) {
  const Expr f = p.global("f", 7);
  ThreadBuilder& counter = p.thread("P0", {});
  counter.fetch(RmwOp::Add, f, 1);  // any value
  ThreadBuilder& t = p.thread("P1", {});
  t.spin_rmw(RmwOp::Add, f, 0, 3);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(of_thread(graph, 1).size(), 2U);
  expect_await(graph, 3, 3, 2);
}

// In ScoR's tests with four threads, f becomes 1, 2 and 3. Each thread polls f with atomicAdd(&f, 0).
TEST_F(Spin, ChainOfPolledFlags) {
  const Expr f = p.global("f");
  for (Value step = 0; step < 3; ++step) {
    ThreadBuilder& t = p.thread("P" + std::to_string(step), {});
    if (step > 0) t.spin_rmw(RmwOp::Add, f, 0, step);
    t.exchange(f, step + 1);
  }
  const EventGraph graph = graph_of(p);
  EXPECT_TRUE(all_unconditional(graph));
  EXPECT_EQ(graph.bound_reached, ValueGraph::kFalse);
  EXPECT_EQ(graph.requirements.size(), 2U);
}

// while (1) { r = f; if (r == 1) break; }   t = r;
TEST_F(SpinOfOneThread, BreakOutOfAnEndlessLoop) {
  const auto [f, x] = p.globals("f", "x");
  const RegisterId r = t.declare("r");
  const Label end = t.later();
  const Label top = t.here();
  t.load_into(r, f, volatile_access());
  t.branch(t.value(r) == 1, end);
  t.jump(top);
  t.place(end).store(x, t.value(r));
  p.exists(p.observe(t, r) == 1);
  const EventGraph graph = graph_of(p);
  EXPECT_TRUE(all_unconditional(graph));
  expect_await(graph, 2, 1, 0);
  EXPECT_EQ(value_of(graph, graph.events[3].value, {{2, 1}}), 1);
}

TEST_F(SpinOfOneThread, LoopWhoseCounterIsUsedLaterIsNotASpinLoop) {
  const Expr f = p.global("f");
  const RegisterId n = t.declare("n");
  const RegisterId r = t.declare("r");
  const Label top = t.here();
  t.assign(n, t.value(n) + 1);
  t.load_into(r, f, relaxed());
  t.branch(t.value(r) != 1, top);
  p.exists(p.observe(t, n) == 2);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(of_thread(graph, 0).size(), 3U);
  EXPECT_NE(graph.bound_reached, ValueGraph::kFalse);
  EXPECT_EQ(value_of(graph, graph.observables[0], {{1, 0}, {2, 1}}), 2);
}

TEST_F(SpinOfOneThread, UnusedCounterDoesNotMatter) {
  const Expr f = p.global("f");
  const RegisterId n = t.declare("n");
  const RegisterId r = t.declare("r");
  const Label top = t.here();
  t.assign(n, t.value(n) + 1);
  t.load_into(r, f, relaxed());
  t.branch(t.value(r) != 1, top);
  p.exists(p.observe(t, r) == 1);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(of_thread(graph, 0).size(), 1U);
  expect_await(graph, 1, 1, 0);
}

TEST_F(SpinOfOneThread, FailingIterationThatWritesIsNotAnAwait) {
  const auto [f, x] = p.globals("f", "x");
  const RegisterId r = t.declare("r");
  const Label top = t.here();
  t.load_into(r, f, relaxed());
  t.store(x, 1);
  t.branch(t.value(r) != 1, top);
  EXPECT_NE(graph_of(p).bound_reached, ValueGraph::kFalse);
}

// while (1) { if (CAS(&l, 0, 1) == 0) { fence; x = 1; break; } }: failing iterations write nothing.
TEST_F(SpinOfOneThread, WorkInsideTheSuccessfulIteration) {
  const auto [l, x] = p.globals("l", "x");
  const RegisterId r = t.declare("r");
  const Label end = t.later();
  const Label top = t.here();
  t.cas_into(r, l, 0, 1);
  t.branch(t.value(r) != 0, top);
  t.fence();
  t.store(x, 1);
  t.jump(end);
  t.jump(top);  // the end of the loop body is unreachable
  t.place(end);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(described(graph, 0), (Strings{"R.relaxed.gpu l", "W.relaxed.gpu l", "F.sc.gpu", "W x"}));
  EXPECT_TRUE(all_unconditional(graph));
  expect_await(graph, 2, 0, 1);
  // The thread reaches the fence and the store only after a successful exchange.
  EXPECT_EQ(always_pairs(graph, BaseRelation::ControlDependency), (Pairs{{2, 3}, {2, 4}, {2, 5}}));
}

// while (CAS(&l, 0, 1) != 0) { while (l != 0) {} }: only failing iterations perform the accesses of the inner loop, so
// the graph omits these accesses.
TEST_F(SpinOfOneThread, TestAndTestAndSet) {
  const Expr l = p.global("l");
  const RegisterId r = t.declare("r");
  const RegisterId s = t.declare("s");
  const Label end = t.later();
  const Label top = t.here();
  t.cas_into(r, l, 0, 1);
  t.branch(t.value(r) == 0, end);
  const Label inner = t.here();
  t.load_into(s, l, relaxed());
  t.branch(t.value(s) != 0, inner);
  t.jump(top);
  t.place(end);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(described(graph, 0), (Strings{"R.relaxed.gpu l", "W.relaxed.gpu l"}));
  EXPECT_TRUE(all_unconditional(graph));
  EXPECT_EQ(graph.bound_reached, ValueGraph::kFalse);
  for (const NodeId requirement : graph.requirements) {
    EXPECT_EQ(value_of(graph, requirement, {{1, 0}}), 1);
  }
}

// do { while (l != 0) {} } while (CAS(&l, 0, 1) != 0): both loops start at the same instruction.
TEST_F(SpinOfOneThread, TestThenTestAndSet) {
  const Expr l = p.global("l");
  const RegisterId r = t.declare("r");
  const RegisterId s = t.declare("s");
  const Label top = t.here();
  t.load_into(s, l, relaxed());
  t.branch(t.value(s) != 0, top);
  t.cas_into(r, l, 0, 1);
  t.branch(t.value(r) != 0, top);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(described(graph, 0), (Strings{"R.relaxed.gpu l", "R.relaxed.gpu l", "W.relaxed.gpu l"}));
  EXPECT_TRUE(all_unconditional(graph));
  ASSERT_EQ(graph.requirements.size(), 1U);
  expect_distinguishes(graph, graph.requirements[0], {{1, 0}, {2, 0}}, {{1, 1}, {2, 0}});
  EXPECT_EQ(value_of(graph, graph.requirements[0], {{1, 0}, {2, 1}}), 0);
}

// if (x == 1) { while (f != 1) {} y = 1; }: f must be 1 only if the thread enters the loop.
TEST_F(SpinOfOneThread, LoopUnderABranch) {
  const auto [x, f, y] = p.globals("x", "f", "y");
  const RegisterId r0 = t.load(x);  // event 3
  const Label end = t.later();
  t.branch(t.value(r0) != 1, end);
  t.spin_load(f, 1);  // event 4
  t.store(y, 1);      // event 5
  t.place(end).store(y, 2);
  const EventGraph graph = graph_of(p);
  ASSERT_EQ(graph.size(), 7U);
  EXPECT_EQ(graph.events[4].guard, graph.events[5].guard);
  expect_distinguishes(graph, graph.events[4].guard, {{3, 1}}, {{3, 0}});
  EXPECT_TRUE(graph.events[6].is_unconditional());
  ASSERT_EQ(graph.requirements.size(), 1U);
  expect_distinguishes(graph, graph.requirements[0], {{3, 0}, {4, 0}}, {{3, 1}, {4, 0}});
  EXPECT_EQ(value_of(graph, graph.requirements[0], {{3, 1}, {4, 1}}), 1);
}

TEST_F(SpinOfOneThread, ConditionDecidedByTheLoopIsNotTestedAgain) {
  const auto [f, y] = p.globals("f", "y");
  const RegisterId r = t.spin_load(f, 1);
  const Label end = t.later();
  t.branch(t.value(r) != 1, end);
  t.store(y, 1);
  t.place(end);
  EXPECT_TRUE(all_unconditional(graph_of(p)));
}

// A plain read in the loop could race in a failing iteration, so Ambit unrolls the loop.
TEST_F(SpinOfOneThread, PlainReadOutsideTheConditionIsNotAnAwait) {
  const auto [f, x] = p.globals("f", "x");
  const RegisterId r = t.declare("r");
  const RegisterId s = t.declare("s");
  const Label top = t.here();
  t.load_into(s, x);
  t.load_into(r, f, relaxed());
  t.branch(t.value(r) != 1, top);
  EXPECT_NE(graph_of(p).bound_reached, ValueGraph::kFalse);
}

TEST_F(SpinOfOneThread, BarrierInTheLoopIsNotAnAwait) {
  const Expr f = p.global("f");
  const RegisterId r = t.declare("r");
  const Label top = t.here();
  t.load_into(r, f, relaxed());
  t.barrier();
  t.branch(t.value(r) != 1, top);
  EXPECT_NE(graph_of(p).bound_reached, ValueGraph::kFalse);
}

TEST_F(SpinOfOneThread, TwoWaysOut) {
  // while (1) { r = f; if (r == 1) break; if (r == 2) { y = 1; break; } }  z = 1;
  const auto [f, y, z] = p.globals("f", "y", "z");
  const RegisterId r = t.declare("r");
  const Label end = t.later();
  const Label top = t.here();
  t.load_into(r, f, relaxed());
  t.branch(t.value(r) == 1, end);
  t.branch(t.value(r) != 2, top);
  t.store(y, 1);
  t.jump(end);
  t.jump(top);
  t.place(end).store(z, 1);
  const EventGraph graph = graph_of(p);
  // 0..2 init, 3 R f, 4 W y, 5 W z
  ASSERT_EQ(graph.size(), 6U);
  EXPECT_TRUE(graph.events[5].is_unconditional());
  expect_distinguishes(graph, graph.events[4].guard, {{3, 2}}, {{3, 1}});
  ASSERT_EQ(graph.requirements.size(), 1U);
  expect_distinguishes(graph, graph.requirements[0], {{3, 1}}, {{3, 0}});
  EXPECT_EQ(value_of(graph, graph.requirements[0], {{3, 2}}), 1);
}

// int s = 0; while (s == 0) s = f;   x: the loop tests a register that each iteration assigns.
TEST_F(SpinOfOneThread, PollIntoARegister) {
  const auto [f, x] = p.globals("f", "x");
  const RegisterId s = t.declare("s");
  const Label end = t.later();
  const Label top = t.here();
  t.branch(t.value(s) != 0, end);
  t.load_into(s, f, relaxed());
  t.jump(top);
  t.place(end).load(x);
  p.exists(p.observe(t, s) == 1);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(described(graph, 0), (Strings{"R.relaxed.gpu f", "R x"}));
  EXPECT_TRUE(all_unconditional(graph));
  expect_await(graph, 2, 1, 0);
}

// while (!done) { if (CAS(&l, 0, 1) == 0) { x = 1; l = 0; done = 1; } }
TEST_F(SpinOfOneThread, LockWhoseLoopEndsByAFlag) {
  const auto [l, x] = p.globals("l", "x");
  const RegisterId done = t.declare("done");
  const RegisterId r = t.declare("r");
  const Label end = t.later();
  const Label top = t.here();
  t.branch(t.value(done) != 0, end);
  const Label next = t.later();
  t.cas_into(r, l, 0, 1);
  t.branch(t.value(r) != 0, next);
  t.store(x, 1);
  t.store(l, 0, relaxed());
  t.assign(done, 1);
  t.place(next).jump(top);
  t.place(end);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(described(graph, 0), (Strings{"R.relaxed.gpu l", "W.relaxed.gpu l", "W x", "W.relaxed.gpu l"}));
  EXPECT_TRUE(all_unconditional(graph));
  expect_await(graph, 2, 0, 1);
}

// The delay grows up to a limit and has no effect: do { r = f; if (d < 4) d = d * 2; } while (r != 1);
TEST_F(SpinOfOneThread, DelayThatGrowsDoesNotMatter) {
  const Expr f = p.global("f");
  const RegisterId delay = t.declare("delay");
  const RegisterId r = t.declare("r");
  const Label top = t.here();
  t.load_into(r, f, relaxed());
  const Label skip = t.later();
  t.branch(logical_not(t.value(delay) < 4), skip);
  t.assign(delay, t.value(delay) + t.value(delay));
  t.place(skip).branch(t.value(r) != 1, top);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(of_thread(graph, 0).size(), 1U);
  expect_await(graph, 1, 1, 0);
}

// i = 0; while (i < 2) { r = f; if (r == 0) continue; i = i + 1; }: iterations that read 0 repeat. Two others remain.
TEST_F(SpinOfOneThread, LoopThatWaitsAndSteps) {
  const Expr f = p.global("f");
  const RegisterId i = t.declare("i");
  const RegisterId r = t.declare("r");
  t.assign(i, 0);
  const Label end = t.later();
  const Label top = t.here();
  t.branch(logical_not(t.value(i) < 2), end);
  t.load_into(r, f, relaxed());
  t.branch(t.value(r) == 0, top);
  t.assign(i, t.value(i) + 1);
  t.jump(top);
  t.place(end);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(of_thread(graph, 0).size(), 2U);
  EXPECT_EQ(graph.requirements.size(), 2U);
  EXPECT_EQ(graph.bound_reached, ValueGraph::kFalse);
  EXPECT_TRUE(graph.spin_loops.empty());  // an iteration with the increment makes progress
}

// An iteration writes only if its read returns 2. The loop continues if the read returns 0.
TEST_F(SpinOfOneThread, ConditionalWriteIsProgress) {
  const auto [f, x] = p.globals("f", "x");
  const RegisterId r = t.declare("r");
  const Label end = t.later();
  const Label top = t.here();
  t.load_into(r, f, relaxed());
  t.branch(t.value(r) == 1, end);
  t.branch(t.value(r) != 2, top);
  t.store(x, 1);
  t.jump(top);
  t.place(end);
  const EventGraph graph = graph_of(p);
  EXPECT_NE(graph.bound_reached, ValueGraph::kFalse);
  ASSERT_FALSE(graph.requirements.empty());
  expect_distinguishes(graph, graph.requirements[0], {{2, 2}}, {{2, 0}});
  EXPECT_EQ(value_of(graph, graph.requirements[0], {{2, 1}}), 1);
}

// for (i = 0; i < n && f == 0; ++i) {} y = (i == n): the graph keeps only the last iterations before the limit.
class LimitedWait : public OneThread {
 protected:
  /// `in_loop` adds code to the body of the loop.
  template <typename InLoop>
  EventGraph wait(Value limit, InLoop in_loop) {
    const auto [f, x, y] = p.globals("f", "x", "y");
    const RegisterId i = t.declare("i");
    const RegisterId r = t.declare("r");
    const Label end = t.later();
    const Label top = t.here();
    t.branch(logical_not(t.value(i) < limit), end);
    t.load_into(r, f, relaxed());
    t.branch(t.value(r) != 0, end);
    in_loop(x);
    t.assign(i, t.value(i) + 1);
    t.jump(top);
    t.place(end);
    const Label seen = t.later();
    t.branch(t.value(i) < limit, seen);
    t.store(y, 1);
    t.place(seen);
    return graph_of(p);
  }
};

TEST_F(LimitedWait, MayGiveUp) {
  const EventGraph graph = wait(1000000, [](const Expr&) {});
  EXPECT_EQ(graph.bound_reached, ValueGraph::kFalse);
  EXPECT_TRUE(graph.requirements.empty());
  const std::vector<EventId> events = of_thread(graph, 0);
  ASSERT_GT(events.size(), 4U);
  EXPECT_LT(events.size(), 16U);
  const NodeId gives_up = graph.events[events.back()].guard;
  EXPECT_EQ(value_of(graph, gives_up, {}), 1);                                // Every poll reads 0.
  EXPECT_EQ(value_of(graph, gives_up, {{events[1], 1}}), 0);                  // An early poll reads 1.
  EXPECT_EQ(value_of(graph, gives_up, {{events[events.size() - 2], 1}}), 0);  // The last poll reads 1.
}

TEST_F(LimitedWait, IterationThatWritesIsCounted) {
  EXPECT_NE(wait(1000000, [&](const Expr& x) { t.store(x, 1); }).bound_reached, ValueGraph::kFalse);
}

// Between two polls, the second read in the loop may return another thread's new value. So the iterations
// differ.
TEST_F(LimitedWait, IterationWithTwoReadsIsCounted) {
  EXPECT_NE(wait(1000000, [&](const Expr& x) { t.load(x, relaxed()); }).bound_reached, ValueGraph::kFalse);
}

TEST_F(LimitedWait, IterationWithAFenceIsCounted) {
  EXPECT_NE(wait(1000000, [&](const Expr&) { t.fence(); }).bound_reached, ValueGraph::kFalse);
}

// The code after the loop stores the counter (x = i), so its value matters.
TEST_F(LimitedWait, CounterWhoseValueIsUsedIsCounted) {
  const auto [f, x] = p.globals("f", "x");
  const RegisterId i = t.declare("i");
  const RegisterId r = t.declare("r");
  const Label end = t.later();
  const Label top = t.here();
  t.branch(logical_not(t.value(i) < 1000000), end);
  t.load_into(r, f, relaxed());
  t.assign(i, t.value(i) + 1);
  t.branch(t.value(r) == 0, top);
  t.place(end).store(x, t.value(i));
  EXPECT_NE(graph_of(p).bound_reached, ValueGraph::kFalse);
}

}  // namespace
}  // namespace ambit::events
