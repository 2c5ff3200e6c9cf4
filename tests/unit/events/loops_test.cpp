// Tests loops that Ambit unrolls, and loops that it cannot unroll because of their jumps.

#include "tests/unit/events/graph_helpers.h"

namespace ambit::events {
namespace {

/// for (i = 0; i < n; i++) a[i] = i;
void counted_loop(ThreadBuilder& t, const Expr& a, Value n) {
  const RegisterId i = t.declare("i");
  t.assign(i, 0);
  const Label end = t.later();
  const Label top = t.here();
  t.branch(logical_not(t.value(i) < n), end);
  t.store(element(a, t.value(i)), t.value(i));
  t.assign(i, t.value(i) + 1);
  t.jump(top);
  t.place(end);
}

class LoopsOfOneThread : public OneThread {};

TEST(Loops, ConstantTripCountIsUnrolledInFull) {
  ProgramBuilder p;
  const Expr a = p.array("a", 10);
  counted_loop(p.thread("P0", {}), a, 10);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(of_thread(graph, 0).size(), 10U);
  EXPECT_TRUE(all_unconditional(graph));
  EXPECT_EQ(graph.bound_reached, ValueGraph::kFalse);
  EXPECT_EQ(graph.describe(10 + 7), "W a[7]");
  EXPECT_EQ(value_of(graph, graph.events[10 + 7].value, {}), 7);
  EXPECT_TRUE(graph.incidents.empty());
}

TEST(Loops, IndexOutOfBoundsIsAnIncidentAndNoAccess) {
  ProgramBuilder p;
  const Expr a = p.array("a", 3);
  counted_loop(p.thread("P0", {}), a, 4);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(of_thread(graph, 0).size(), 3U);
  ASSERT_EQ(graph.incidents.size(), 1U);
  EXPECT_EQ(graph.incidents[0].kind, Incident::Kind::OutOfBounds);
  EXPECT_EQ(graph.incidents[0].condition, ValueGraph::kTrue);
}

TEST_F(LoopsOfOneThread, OtherLoopsStopAtTheBound) {
  // do { r = atomicAdd(&x, 1); } while (r != 5);   failing iterations write, too
  const auto [x, y] = p.globals("x", "y");
  t.spin_rmw(RmwOp::Add, x, 1, 5);
  t.store(y, 1);
  const EventGraph graph = graph_of(p, {.unroll = 2, .mappings = {}});
  // init x, init y, R W, R W, W y
  ASSERT_EQ(graph.size(), 7U);
  EXPECT_TRUE(graph.events[2].is_unconditional());
  expect_distinguishes(graph, graph.events[4].guard, {{2, 4}}, {{2, 5}});
  expect_distinguishes(graph, graph.bound_reached, {{2, 4}, {4, 4}}, {{2, 4}, {4, 5}});
  expect_distinguishes(graph, graph.events[6].guard, {{2, 4}, {4, 5}}, {{2, 4}, {4, 4}});
  EXPECT_EQ(value_of(graph, graph.events[6].guard, {{2, 5}}), 1);
  EXPECT_TRUE(graph.requirements.empty());
  EXPECT_FALSE(graph.events[2].is_await);
}

TEST_F(LoopsOfOneThread, TheTestAfterTheLastIterationIsKept) {
  // while (x != 1) { y = 1; }  z = 1;   two iterations, then the test that ends the loop
  const auto [x, y, z] = p.globals("x", "y", "z");
  const RegisterId a = t.declare("a");
  const Label end = t.later();
  const Label top = t.here();
  t.load_into(a, x);
  t.branch(t.value(a) == 1, end);
  t.store(y, 1);
  t.jump(top);
  t.place(end).store(z, 1);
  const EventGraph graph = graph_of(p, {.unroll = 2, .mappings = {}});
  // 0..2 init; 3 R x, 4 W y, 5 R x, 6 W y, 7 R x, 8 W z
  EXPECT_EQ(described(graph, 0), (Strings{"R x", "W y", "R x", "W y", "R x", "W z"}));
  expect_distinguishes(graph, graph.bound_reached, {{3, 0}, {5, 0}, {7, 0}}, {{3, 0}, {5, 0}, {7, 1}});
  expect_distinguishes(graph, graph.events[8].guard, {{3, 0}, {5, 0}, {7, 1}}, {{3, 0}, {5, 0}, {7, 0}});
}

TEST_F(LoopsOfOneThread, NestedConstantLoops) {
  const Expr x = p.global("x");
  const RegisterId i = t.declare("i");
  const RegisterId j = t.declare("j");
  t.assign(i, 0);
  const Label outer = t.here();
  t.assign(j, 0);
  const Label inner = t.here();
  t.store(x, t.value(j));
  t.assign(j, t.value(j) + 1);
  t.branch(t.value(j) < 3, inner);
  t.assign(i, t.value(i) + 1);
  t.branch(t.value(i) < 4, outer);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(of_thread(graph, 0).size(), 12U);
  EXPECT_EQ(graph.bound_reached, ValueGraph::kFalse);
  EXPECT_EQ(value_of(graph, graph.events[1 + 5].value, {}), 2);
}

TEST_F(LoopsOfOneThread, ContinueAndBreak) {
  // for (i = 0; i < 2; i++) { if (x == 1) continue; if (x == 2) break; y = 1; }  z = 1;
  const auto [x, y, z] = p.globals("x", "y", "z");
  const RegisterId i = t.declare("i");
  const RegisterId a = t.declare("a");
  const Label next = t.later();
  const Label end = t.later();
  const Label top = t.here();
  t.branch(logical_not(t.value(i) < 2), end);
  t.load_into(a, x);
  t.branch(t.value(a) == 1, next);
  t.branch(t.value(a) == 2, end);
  t.store(y, 1);
  t.place(next).assign(i, t.value(i) + 1);
  t.jump(top);
  t.place(end).store(z, 1);
  const EventGraph graph = graph_of(p);
  // 0..2 init; 3 R x, 4 W y, 5 R x, 6 W y, 7 W z
  EXPECT_EQ(described(graph, 0), (Strings{"R x", "W y", "R x", "W y", "W z"}));
  EXPECT_EQ(value_of(graph, graph.events[4].guard, {{3, 1}}), 0);
  expect_distinguishes(graph, graph.events[4].guard, {{3, 0}}, {{3, 2}});
  expect_distinguishes(graph, graph.events[5].guard, {{3, 1}}, {{3, 2}});
  EXPECT_EQ(value_of(graph, graph.events[6].guard, {{3, 1}, {5, 0}}), 1);
  EXPECT_TRUE(graph.events[7].is_unconditional());
  EXPECT_EQ(graph.bound_reached, ValueGraph::kFalse);
}

TEST_F(LoopsOfOneThread, EndlessLoopReachesTheBound) {
  const Label top = t.here();
  t.jump(top);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(graph.bound_reached, ValueGraph::kTrue);
}

TEST_F(LoopsOfOneThread, JumpIntoTheMiddleIsAnError) {
  const Expr x = p.global("x");
  const RegisterId r = t.load(x);  // column 1
  const Label middle = t.later();
  t.branch(t.value(r) == 1, middle);  // column 2: the culprit
  const Label top = t.here();
  t.load_into(r, x);
  t.place(middle).store(x, 1);
  t.branch(t.value(r) != 0, top);
  const auto built = build(p.build(), {});
  ASSERT_FALSE(built.ok());
  EXPECT_EQ(built.errors().front().message, "jump into the middle of a loop");
  EXPECT_EQ(built.errors().front().span.column, 2U);
}

TEST_F(LoopsOfOneThread, OverlappingLoopsAreAnError) {
  const Expr x = p.global("x");
  const RegisterId r = t.declare("r");
  const Label first = t.here();
  t.load_into(r, x);  // 1
  const Label second = t.here();
  t.load_into(r, x);                  // 2
  t.branch(t.value(r) == 1, first);   // 3
  t.branch(t.value(r) == 2, second);  // 4: into the first loop from outside
  const auto built = build(p.build(), {});
  ASSERT_FALSE(built.ok());
  EXPECT_EQ(built.errors().front().span.column, 4U);
}

}  // namespace
}  // namespace ambit::events
