// Which loops are awaits, and what an await leaves (language.md "Loops"; spin.cpp has the argument).

#include "graph_helpers.h"

namespace ambit::events {
namespace {

using Strings = std::vector<std::string>;

/// A graph whose only await is `read`: it must return `wanted` and may not return `other`.
void expect_await(const EventGraph& graph, EventId read, Value wanted, Value other) {
  EXPECT_TRUE(graph.events[read].is_await);
  EXPECT_EQ(graph.bound_reached, ValueGraph::kFalse);
  ASSERT_EQ(graph.requirements.size(), 1U);
  EXPECT_EQ(value_of(graph, graph.requirements[0], {{read, wanted}}), 1);
  EXPECT_EQ(value_of(graph, graph.requirements[0], {{read, other}}), 0);
}

TEST(Spin, LoadUntilOne) {
  ProgramBuilder p;
  const Expr x = p.global("x");
  const Expr f = p.global("f");
  ThreadBuilder& t = p.thread("P0", {});
  t.spin_load(f, 1);
  t.load(x);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(described(graph, 0), (Strings{"R.relaxed.gpu f", "R x"}));
  EXPECT_TRUE(all_unconditional(graph));
  expect_await(graph, 2, 1, 0);
  EXPECT_FALSE(graph.events[3].is_await);
  EXPECT_EQ(always_pairs(graph, BaseRelation::ControlDependency), (Pairs{{2, 3}}));
}

TEST(Spin, CompareExchangeWritesOnlyInTheLastIteration) {
  ProgramBuilder p;
  const Expr l = p.global("l");
  const Expr x = p.global("x");
  ThreadBuilder& t = p.thread("P0", {});
  t.spin_cas(l);
  t.fence();
  t.store(x, 1);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(described(graph, 0), (Strings{"R.relaxed.gpu l", "W.relaxed.gpu l", "F.sc.gpu", "W x"}));
  // The requirement makes the write, and all that follows, unconditional.
  EXPECT_TRUE(all_unconditional(graph));
  expect_await(graph, 2, 0, 1);
  EXPECT_EQ(always_pairs(graph, BaseRelation::ControlDependency), (Pairs{{2, 3}, {2, 4}, {2, 5}}));
}

// while (atomicExch(&f, 0) != 1): a failing iteration reads 0, the only other value that f can hold, and leaves it.
TEST(Spin, PollingExchangeOfAFlagThatIsZeroOrOne) {
  ProgramBuilder p;
  const Expr f = p.global("f");
  p.thread("P0", {}).exchange(f, 1);
  ThreadBuilder& t = p.thread("P1", {});
  t.spin_rmw(RmwOp::Exchange, f, 0, 1);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(described(graph, 1), (Strings{"R.relaxed.gpu f", "W.relaxed.gpu f"}));
  EXPECT_TRUE(all_unconditional(graph));
  expect_await(graph, 3, 1, 0);
}

TEST(Spin, PollingExchangeThatCanSwallowAnotherValueIsNoAwait) {
  ProgramBuilder p;
  const Expr f = p.global("f");
  p.thread("P0", {}).exchange(f, 1).exchange(f, 2);
  ThreadBuilder& t = p.thread("P1", {});
  t.spin_rmw(RmwOp::Exchange, f, 0, 1);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(of_thread(graph, 1).size(), 6U);  // three iterations
  EXPECT_NE(graph.bound_reached, ValueGraph::kFalse);
  EXPECT_TRUE(graph.requirements.empty());
}

TEST(Spin, PollingExchangeOfAFlagWithUnboundedValuesIsNoAwait) {
  ProgramBuilder p;
  const Expr f = p.global("f");
  const Expr n = p.global("n");
  ThreadBuilder& counter = p.thread("P0", {});
  const RegisterId r = counter.fetch(RmwOp::Add, n, 1);
  counter.store(f, counter.value(r), relaxed());
  ThreadBuilder& t = p.thread("P1", {});
  t.spin_rmw(RmwOp::Exchange, f, 0, 1);
  EXPECT_NE(graph_of(p).bound_reached, ValueGraph::kFalse);
}

TEST(Spin, PollingExchangeStartingFromAnotherValueIsNoAwait) {
  ProgramBuilder p;
  const Expr f = p.global("f", 5);  // the first iteration would turn 5 into 0
  p.thread("P0", {}).exchange(f, 1);
  p.thread("P1", {}).spin_rmw(RmwOp::Exchange, f, 0, 1);
  EXPECT_NE(graph_of(p).bound_reached, ValueGraph::kFalse);
}

TEST(Spin, PollingAddOfZeroNeedsNoValueSets) {
  ProgramBuilder p;
  const Expr f = p.global("f", 7);
  ThreadBuilder& counter = p.thread("P0", {});
  counter.fetch(RmwOp::Add, f, 1);  // any value
  ThreadBuilder& t = p.thread("P1", {});
  t.spin_rmw(RmwOp::Add, f, 0, 3);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(of_thread(graph, 1).size(), 2U);
  expect_await(graph, 3, 3, 2);
}

// ScoR's four-thread tests hand f on: 1, 2, 3, each polled with atomicAdd(&f, 0).
TEST(Spin, ChainOfPolledFlags) {
  ProgramBuilder p;
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
TEST(Spin, BreakOutOfAnEndlessLoop) {
  ProgramBuilder p;
  const Expr f = p.global("f");
  const Expr x = p.global("x");
  ThreadBuilder& t = p.thread("P0", {});
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

TEST(Spin, CounterThatIsUsedAfterwardsIsNoSpinLoop) {
  ProgramBuilder p;
  const Expr f = p.global("f");
  ThreadBuilder& t = p.thread("P0", {});
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

TEST(Spin, CounterThatNobodyLooksAtDoesNotMatter) {
  ProgramBuilder p;
  const Expr f = p.global("f");
  ThreadBuilder& t = p.thread("P0", {});
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

TEST(Spin, FailingIterationThatWritesIsNoAwait) {
  ProgramBuilder p;
  const Expr f = p.global("f");
  const Expr x = p.global("x");
  ThreadBuilder& t = p.thread("P0", {});
  const RegisterId r = t.declare("r");
  const Label top = t.here();
  t.load_into(r, f, relaxed());
  t.store(x, 1);
  t.branch(t.value(r) != 1, top);
  EXPECT_NE(graph_of(p).bound_reached, ValueGraph::kFalse);
}

// while (1) { if (CAS(&l, 0, 1) == 0) { fence; x = 1; break; } }: only the successful iteration writes.
TEST(Spin, WorkInsideTheSuccessfulIteration) {
  ProgramBuilder p;
  const Expr l = p.global("l");
  const Expr x = p.global("x");
  ThreadBuilder& t = p.thread("P0", {});
  const RegisterId r = t.declare("r");
  const Label end = t.later();
  const Label top = t.here();
  t.cas_into(r, l, 0, 1);
  t.branch(t.value(r) != 0, top);
  t.fence();
  t.store(x, 1);
  t.jump(end);
  t.jump(top);  // unreachable end of the loop body
  t.place(end);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(described(graph, 0), (Strings{"R.relaxed.gpu l", "W.relaxed.gpu l", "F.sc.gpu", "W x"}));
  EXPECT_TRUE(all_unconditional(graph));
  expect_await(graph, 2, 0, 1);
  // Control reaches the fence and the store only when the exchange succeeded.
  EXPECT_EQ(always_pairs(graph, BaseRelation::ControlDependency), (Pairs{{2, 3}, {2, 4}, {2, 5}}));
}

// while (CAS(&l, 0, 1) != 0) { while (l != 0) {} }: what only failing iterations do vanishes.
TEST(Spin, TestAndTestAndSet) {
  ProgramBuilder p;
  const Expr l = p.global("l");
  ThreadBuilder& t = p.thread("P0", {});
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

// do { while (l != 0) {} } while (CAS(&l, 0, 1) != 0): both loops begin at one instruction.
TEST(Spin, TestThenTestAndSet) {
  ProgramBuilder p;
  const Expr l = p.global("l");
  ThreadBuilder& t = p.thread("P0", {});
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
  EXPECT_EQ(value_of(graph, graph.requirements[0], {{1, 0}, {2, 0}}), 1);
  EXPECT_EQ(value_of(graph, graph.requirements[0], {{1, 1}, {2, 0}}), 0);
  EXPECT_EQ(value_of(graph, graph.requirements[0], {{1, 0}, {2, 1}}), 0);
}

// if (x == 1) { while (f != 1) {} y = 1; }: the requirement binds only who enters the loop.
TEST(Spin, LoopUnderABranch) {
  ProgramBuilder p;
  const Expr x = p.global("x");
  const Expr f = p.global("f");
  const Expr y = p.global("y");
  ThreadBuilder& t = p.thread("P0", {});
  const RegisterId r0 = t.load(x);  // event 3
  const Label end = t.later();
  t.branch(t.value(r0) != 1, end);
  t.spin_load(f, 1);  // event 4
  t.store(y, 1);      // event 5
  t.place(end).store(y, 2);
  const EventGraph graph = graph_of(p);
  ASSERT_EQ(graph.size(), 7U);
  EXPECT_EQ(graph.events[4].guard, graph.events[5].guard);
  EXPECT_EQ(value_of(graph, graph.events[4].guard, {{3, 1}}), 1);
  EXPECT_EQ(value_of(graph, graph.events[4].guard, {{3, 0}}), 0);
  EXPECT_TRUE(graph.events[6].is_unconditional());
  ASSERT_EQ(graph.requirements.size(), 1U);
  EXPECT_EQ(value_of(graph, graph.requirements[0], {{3, 0}, {4, 0}}), 1);
  EXPECT_EQ(value_of(graph, graph.requirements[0], {{3, 1}, {4, 0}}), 0);
  EXPECT_EQ(value_of(graph, graph.requirements[0], {{3, 1}, {4, 1}}), 1);
}

TEST(Spin, ConditionThatTheLoopSettledIsNotAskedAgain) {
  ProgramBuilder p;
  const Expr f = p.global("f");
  const Expr y = p.global("y");
  ThreadBuilder& t = p.thread("P0", {});
  const RegisterId r = t.spin_load(f, 1);
  const Label end = t.later();
  t.branch(t.value(r) != 1, end);
  t.store(y, 1);
  t.place(end);
  EXPECT_TRUE(all_unconditional(graph_of(p)));
}

// A plain read beside the polled flag could race in a failing iteration only: such a loop is unrolled.
TEST(Spin, PlainReadOutsideTheConditionIsNoAwait) {
  ProgramBuilder p;
  const Expr f = p.global("f");
  const Expr x = p.global("x");
  ThreadBuilder& t = p.thread("P0", {});
  const RegisterId r = t.declare("r");
  const RegisterId s = t.declare("s");
  const Label top = t.here();
  t.load_into(s, x);
  t.load_into(r, f, relaxed());
  t.branch(t.value(r) != 1, top);
  EXPECT_NE(graph_of(p).bound_reached, ValueGraph::kFalse);
}

TEST(Spin, BarrierInTheLoopIsNoAwait) {
  ProgramBuilder p;
  const Expr f = p.global("f");
  ThreadBuilder& t = p.thread("P0", {});
  const RegisterId r = t.declare("r");
  const Label top = t.here();
  t.load_into(r, f, relaxed());
  t.barrier();
  t.branch(t.value(r) != 1, top);
  EXPECT_NE(graph_of(p).bound_reached, ValueGraph::kFalse);
}

TEST(Spin, TwoWaysOut) {
  // while (1) { r = f; if (r == 1) break; if (r == 2) { y = 1; break; } }  z = 1;
  ProgramBuilder p;
  const Expr f = p.global("f");
  const Expr y = p.global("y");
  const Expr z = p.global("z");
  ThreadBuilder& t = p.thread("P0", {});
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
  EXPECT_EQ(value_of(graph, graph.events[4].guard, {{3, 1}}), 0);
  EXPECT_EQ(value_of(graph, graph.events[4].guard, {{3, 2}}), 1);
  ASSERT_EQ(graph.requirements.size(), 1U);
  EXPECT_EQ(value_of(graph, graph.requirements[0], {{3, 0}}), 0);
  EXPECT_EQ(value_of(graph, graph.requirements[0], {{3, 1}}), 1);
  EXPECT_EQ(value_of(graph, graph.requirements[0], {{3, 2}}), 1);
}

}  // namespace
}  // namespace ambit::events
