// Mappings::cas_always_writes: a failed compare-exchange writes the value back.

#include "tests/unit/events/graph_helpers.h"

namespace ambit::events {
namespace {

const GraphOptions kAlways = {.unroll = 3, .mappings = {.cas_always_writes = true}};

TEST(CasAlwaysWrites, OldValueOnFailure) {
  ProgramBuilder p;
  const Expr x = p.global("x");     // 0
  p.thread("P0", {}).cas(x, 1, 7);  // 1, 2
  p.thread("P1", {.block = 1}).fetch(RmwOp::Add, x, 1);
  const EventGraph without = graph_of(p);
  expect_distinguishes(without, without.events[2].guard, {{1, 1}}, {{1, 5}});
  const EventGraph graph = graph_of(p, kAlways);
  EXPECT_TRUE(graph.events[2].is_unconditional());
  EXPECT_EQ(value_of(graph, graph.events[2].value, {{1, 1}}), 7);
  EXPECT_EQ(value_of(graph, graph.events[2].value, {{1, 5}}), 5);
  EXPECT_EQ(graph.events[1].rmw_partner, 2U);
}

TEST(CasAlwaysWrites, SpinLoopsAreStillAwaited) {
  ProgramBuilder p;
  const Expr lock = p.global("lock");  // 0
  p.thread("P0", {}).spin_cas(lock);   // 1, 2
  p.thread("P1", {.block = 1}).fetch(RmwOp::Add, lock, 1);
  const EventGraph graph = graph_of(p, kAlways);
  EXPECT_TRUE(graph.events[1].is_await);
  EXPECT_EQ(graph.bound_reached, ValueGraph::kFalse);
  EXPECT_EQ(of_thread(graph, 0), (std::vector<EventId>{1, 2}));
}

TEST(CasAlwaysWrites, OnlyASuccessAcquiresTheLock) {
  // The thread tries once to take the lock: if (CAS(lock, 0, 1) == 0) { fence; data = 1; fence; Exch(lock, 0) }
  ProgramBuilder p;
  const Expr lock = p.global("lock");  // 0
  const Expr data = p.global("data");  // 1
  ThreadBuilder& t = p.thread("P0", {});
  const RegisterId r = t.cas(lock, 0, 1);  // 2, 3
  t.fence();                               // 4
  const Label end = t.later();
  t.branch(t.value(r) != 0, end);
  t.store(data, 1);     // 5
  t.fence();            // 6
  t.exchange(lock, 0);  // 7, 8
  t.place(end);
  p.thread("P1", {.block = 1}).cas(lock, 0, 1);
  const EventGraph graph = graph_of(p, kAlways);
  // The thread runs the fence in both cases. The read of the compare-exchange acquires only if it returns 0.
  EXPECT_FALSE(graph.set(BaseSet::LockAcquire).always.contains(2));
  const auto& acquires = graph.set(BaseSet::LockAcquire).sometimes;
  ASSERT_EQ(acquires.size(), 1U);
  EXPECT_EQ(acquires[0].event, 2U);
  expect_distinguishes(graph, acquires[0].condition, {{2, 0}}, {{2, 1}});
  EXPECT_EQ(always_pairs(graph, BaseRelation::CriticalSection), (Pairs{{2, 8}}));
}

}  // namespace
}  // namespace ambit::events
