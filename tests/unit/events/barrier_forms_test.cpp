// Tests the barriers of PTX that __syncthreads() cannot express: barriers with a number or count in a register, split
// cluster barriers, and barriers for all threads of a GPU (definitions.md 3.2; PTX ISA bar, barrier.cluster).

#include "tests/unit/events/graph_helpers.h"

namespace ambit::events {
namespace {

Barrier named(Expr resource, Value count) {
  Barrier barrier;
  barrier.id = 1;
  barrier.resource = std::move(resource);
  barrier.count = constant(count);
  return barrier;
}
Barrier counted(Expr count) {
  Barrier barrier;
  barrier.id = 1;
  barrier.count = std::move(count);
  return barrier;
}
Barrier cluster() {
  Barrier barrier;
  barrier.kind = BarrierKind::Cluster;
  return barrier;
}
Barrier cluster_arrive(bool is_relaxed = false) {
  Barrier barrier = cluster();
  barrier.arrive_only = true;
  barrier.is_relaxed = is_relaxed;
  return barrier;
}
Barrier cluster_wait() {
  Barrier barrier = cluster();
  barrier.wait_only = true;
  return barrier;
}

/// Returns whether the events `from` and `to` can meet at a barrier if the reads return the values in `reads`.
bool meet(const EventGraph& graph, EventId from, EventId to, const Reads& reads) {
  const ConditionalRelation& relation = graph.relation(BaseRelation::BarrierSync);
  if (relation.always.contains(from, to)) return true;
  bool found = false;
  for_each_choice(graph, reads, [&](const std::vector<Value>& nodes) {
    if (nodes[graph.events[from].guard] == 0 || nodes[graph.events[to].guard] == 0) return;
    for (const auto& pair : relation.sometimes) {
      found = found || (pair.from == from && pair.to == to && nodes[pair.condition] != 0);
    }
  });
  return found;
}
bool diverges(const EventGraph& graph, const Reads& reads) {
  bool found = false;
  for_each_choice(graph, reads, [&](const std::vector<Value>& nodes) {
    for (const Incident& incident : graph.incidents) {
      found = found || (incident.kind == Incident::Kind::BarrierDivergence && nodes[incident.condition] != 0);
    }
  });
  return found;
}

// ---- resources ----

TEST(BarrierResources, OnlyEqualOnesMeet) {
  ProgramBuilder p;
  p.thread("A", {.warp = 0}).add(named(constant(3), 2)).add(named(constant(4), 1));  // 0, 1
  p.thread("B", {.warp = 1}).add(named(constant(5), 1)).add(named(constant(3), 2));  // 2, 3
  const EventGraph graph = graph_of(p);
  // At barrier 3, A's first event and B's second event are the first arrivals of A and B.
  EXPECT_EQ(always_pairs(graph, BaseRelation::BarrierSync), (Pairs{{0, 3}, {3, 0}}));
  EXPECT_TRUE(graph.incidents.empty());
  EXPECT_EQ(graph.describe(0), "bar 1, 3");
}

class BarrierRegisters : public ::testing::Test {
 protected:
  ProgramBuilder program_;
  Expr x_ = program_.global("x");  // 0
  Expr y_ = program_.global("y");  // 1
  ThreadBuilder& a_ = program_.thread("A", {.warp = 0});
  ThreadBuilder& b_ = program_.thread("B", {.warp = 1});
};

TEST_F(BarrierRegisters, ResourceInARegister) {
  const RegisterId r = a_.load(x_);  // 2
  a_.add(named(a_.value(r), 2));     // 3
  b_.add(named(constant(1), 2));     // 4
  program_.thread("C", {.block = 1}).store(x_, 1);
  const EventGraph graph = graph_of(program_);
  EXPECT_TRUE(meet(graph, 3, 4, {{2, 1}}));
  EXPECT_TRUE(meet(graph, 4, 3, {{2, 1}}));
  EXPECT_FALSE(meet(graph, 3, 4, {{2, 0}}));
  EXPECT_FALSE(diverges(graph, {{2, 1}}));
  EXPECT_TRUE(diverges(graph, {{2, 0}}));  // the two threads wait at different barriers
  EXPECT_EQ(graph.describe(3), "bar 1, r0");
}

TEST_F(BarrierRegisters, InstancesAreNumberedByResource) {
  const RegisterId r = a_.load(x_);                          // 2
  a_.add(named(a_.value(r), 2)).add(named(constant(1), 2));  // 3, 4
  b_.add(named(constant(1), 2)).add(named(constant(1), 2));  // 5, 6
  program_.thread("C", {.block = 1}).store(x_, 1);
  const EventGraph graph = graph_of(program_);
  // If r == 1, both A and B arrive twice at barrier 1. If r == 0, A waits alone at barrier 0.
  EXPECT_TRUE(meet(graph, 3, 5, {{2, 1}}));
  EXPECT_TRUE(meet(graph, 4, 6, {{2, 1}}));
  EXPECT_FALSE(meet(graph, 4, 5, {{2, 1}}));
  EXPECT_FALSE(diverges(graph, {{2, 1}}));
  EXPECT_FALSE(meet(graph, 3, 5, {{2, 0}}));
  EXPECT_FALSE(meet(graph, 4, 6, {{2, 0}}));
  EXPECT_FALSE(meet(graph, 4, 5, {{2, 0}}));
  EXPECT_TRUE(diverges(graph, {{2, 0}}));
}

TEST_F(BarrierRegisters, UnknownResource) {
  const RegisterId r = a_.load(x_);  // 2
  a_.add(named(a_.value(r), 2));     // 3
  b_.add(named(constant(7), 2));     // 4
  program_.thread("C", {.block = 1}).fetch(RmwOp::Add, x_, 1);
  const EventGraph graph = graph_of(program_);
  EXPECT_TRUE(meet(graph, 3, 4, {{2, 7}}));
  EXPECT_FALSE(meet(graph, 3, 4, {{2, 6}}));
  ASSERT_FALSE(graph.incidents.empty());
  const Incident& outside = graph.incidents.front();
  EXPECT_EQ(outside.kind, Incident::Kind::OutOfBounds);
  EXPECT_EQ(value_of(graph, outside.condition, {{2, 16}}), 1);
  expect_distinguishes(graph, outside.condition, {{2, -1}}, {{2, 15}});
}

// ---- counts ----

TEST_F(BarrierRegisters, CountInARegister) {
  const RegisterId r = a_.load(x_);  // 2
  a_.add(counted(a_.value(r)));      // 3
  b_.add(counted(constant(2)));      // 4
  program_.thread("C", {.block = 1}).store(x_, 1).store(x_, 2).store(x_, 3);
  const EventGraph graph = graph_of(program_);
  for (const Value count : {0, 1, 2, 3}) {
    EXPECT_EQ(meet(graph, 3, 4, {{2, count}}), count == 2) << count;
    EXPECT_EQ(diverges(graph, {{2, count}}), count != 2) << count;
  }
  EXPECT_EQ(graph.incidents.front().message, "barrier 1 of block 0 is not reached by as many threads as it waits for");
}

TEST_F(BarrierRegisters, AnyThreadsCompleteTheCount) {
  // A arrives if x == 1, B arrives if y == 1, and C always arrives. The barrier waits for two arrivals.
  for (auto [thread, cell] : {std::pair(&a_, x_), std::pair(&b_, y_)}) {
    const Label skip = thread->later();
    const RegisterId r = thread->load(cell);
    thread->branch(thread->value(r) != 1, skip);
    thread->add(counted(constant(2)));
    thread->place(skip);
  }
  program_.thread("C", {.warp = 2}).add(counted(constant(2)));
  program_.thread("D", {.block = 1}).store(x_, 1).store(y_, 1);
  const EventGraph graph = graph_of(program_);  // A: 2, 3; B: 4, 5; C: 6
  EXPECT_TRUE(meet(graph, 3, 6, {{2, 1}, {4, 0}}));
  EXPECT_TRUE(meet(graph, 6, 5, {{2, 0}, {4, 1}}));
  EXPECT_FALSE(diverges(graph, {{2, 1}, {4, 0}}));
  EXPECT_FALSE(diverges(graph, {{2, 0}, {4, 1}}));
  EXPECT_TRUE(diverges(graph, {{2, 0}, {4, 0}}));
  // If all three threads arrive, any two of the threads can meet. The third thread then waits forever.
  EXPECT_TRUE(diverges(graph, {{2, 1}, {4, 1}}));
  for (const auto& [a, b] : Pairs{{3, 5}, {3, 6}, {5, 6}}) {
    EXPECT_TRUE(meet(graph, a, b, {{2, 1}, {4, 1}})) << a << " " << b;
    EXPECT_TRUE(meet(graph, b, a, {{2, 1}, {4, 1}})) << b << " " << a;
  }
}

TEST_F(BarrierRegisters, EachInstanceHasItsCount) {
  a_.add(counted(constant(2))).add(counted(constant(1)));  // 2, 3
  b_.add(counted(constant(2)));                            // 4
  const EventGraph graph = graph_of(program_);
  EXPECT_EQ(always_pairs(graph, BaseRelation::BarrierSync), (Pairs{{2, 4}, {4, 2}}));
  EXPECT_TRUE(graph.incidents.empty());
}

TEST_F(BarrierRegisters, ArrivingAloneDoesNotWait) {
  Barrier arrival = counted(constant(2));
  arrival.arrive_only = true;
  a_.add(arrival);
  const EventGraph graph = graph_of(program_);
  EXPECT_TRUE(graph.incidents.empty());
}

// ---- split cluster barriers ----

class ClusterBarriers : public ::testing::Test {
 protected:
  ProgramBuilder program_;
  ThreadBuilder& a_ = program_.thread("A", {.cluster = 0, .block = 0});
  ThreadBuilder& b_ = program_.thread("B", {.cluster = 0, .block = 1});
};

TEST_F(ClusterBarriers, ArrivalsAreReceivedByWaits) {
  const Expr x = program_.global("x");                                     // 0
  a_.add(cluster_arrive()).store(x, 1).add(cluster_wait());                // 1, 2, 3
  b_.add(cluster_arrive()).add(cluster_wait());                            // 4, 5
  program_.thread("C", {.cluster = 1, .block = 2}).add(cluster_arrive());  // 6
  const EventGraph graph = graph_of(program_);
  EXPECT_EQ(always_pairs(graph, BaseRelation::BarrierSync), (Pairs{{1, 5}, {4, 3}}));
  EXPECT_EQ(always_members(graph, BaseSet::Barrier), (std::vector<EventId>{1, 3, 4, 5, 6}));
  EXPECT_EQ(always_members(graph, BaseSet::ScopeCluster), (std::vector<EventId>{1, 3, 4, 5, 6}));
  EXPECT_TRUE(graph.incidents.empty());
  EXPECT_EQ(described(graph, 1), (std::vector<std::string>{"bar.cluster.arrive", "bar.cluster.wait"}));
}

TEST_F(ClusterBarriers, AWaitIsForTheLastArrival) {
  for (ThreadBuilder* t : {&a_, &b_}) {
    t->add(cluster_arrive()).add(cluster_wait()).add(cluster_arrive()).add(cluster_wait());
  }
  const EventGraph graph = graph_of(program_);  // A: 0 1 2 3, B: 4 5 6 7
  EXPECT_EQ(always_pairs(graph, BaseRelation::BarrierSync), (Pairs{{0, 5}, {2, 7}, {4, 1}, {6, 3}}));
  EXPECT_TRUE(graph.incidents.empty());
}

TEST_F(ClusterBarriers, SplitAndWholeOnesMeet) {
  a_.add(cluster());                             // 0
  b_.add(cluster_arrive()).add(cluster_wait());  // 1, 2
  const EventGraph graph = graph_of(program_);
  EXPECT_EQ(always_pairs(graph, BaseRelation::BarrierSync), (Pairs{{0, 2}, {1, 0}}));
  EXPECT_TRUE(graph.incidents.empty());
}

TEST_F(ClusterBarriers, RelaxedArrivalOrdersNothing) {
  a_.add(cluster_arrive(true)).add(cluster_wait());  // 0, 1
  b_.add(cluster_arrive()).add(cluster_wait());      // 2, 3
  const EventGraph graph = graph_of(program_);
  EXPECT_EQ(always_pairs(graph, BaseRelation::BarrierSync), (Pairs{{2, 1}}));
  EXPECT_TRUE(graph.incidents.empty());  // a relaxed arrival still counts as an arrival
  EXPECT_EQ(graph.describe(0), "bar.cluster.arrive.relaxed");
}

TEST_F(ClusterBarriers, ExitedThreadsDoNotBlockOthers) {
  a_.add(cluster_arrive()).add(cluster_wait());
  b_.store(program_.global("x"), 1);
  const EventGraph graph = graph_of(program_);
  EXPECT_TRUE(graph.incidents.empty());
  EXPECT_EQ(graph.stuck, ValueGraph::kFalse);
  EXPECT_TRUE(graph.remarks.empty());  // every PTX with clusters says "all non-exited threads of the cluster"
}

TEST_F(ClusterBarriers, WaitingForOneThatNeverArrives) {
  a_.add(cluster_arrive()).add(cluster_wait());
  Barrier barrier;
  barrier.id = 1;
  barrier.count = constant(2);
  b_.add(barrier);  // B waits forever and does not exit
  const EventGraph graph = graph_of(program_);
  ASSERT_EQ(graph.incidents.size(), 2U);
  const auto found = std::ranges::find(graph.incidents,
                                       "the barrier of cluster 0 is not reached by 1 of the 2 threads that must reach "
                                       "it: B never does",
                                       &Incident::message);
  ASSERT_NE(found, graph.incidents.end());
  EXPECT_EQ(found->span.column, 2U);  // the wait
}

TEST_F(ClusterBarriers, WaitingWithoutHavingArrived) {
  a_.add(cluster_wait());
  b_.add(cluster_arrive());
  const EventGraph graph = graph_of(program_);
  ASSERT_EQ(graph.incidents.size(), 1U);
  EXPECT_EQ(graph.incidents[0].message, "A waits for the barrier of cluster 0 without having arrived at it");
  EXPECT_TRUE(always_pairs(graph, BaseRelation::BarrierSync).empty());
}

TEST_F(ClusterBarriers, ArrivingTwiceWithoutWaiting) {
  const Expr x = program_.global("x");  // 0
  const RegisterId r = a_.load(x);      // 1
  a_.add(cluster_arrive());             // 2
  const Label skip = a_.later();
  a_.branch(a_.value(r) == 1, skip);
  a_.add(cluster_wait());                                              // 3
  a_.place(skip).add(cluster_arrive());                                // 4
  b_.add(cluster_arrive()).add(cluster_wait()).add(cluster_arrive());  // 5 6 7
  program_.thread("C", {.cluster = 1, .block = 2}).store(x, 1);
  const EventGraph graph = graph_of(program_);
  ASSERT_EQ(graph.incidents.size(), 1U);
  EXPECT_EQ(graph.incidents[0].message, "A arrives again at the barrier of cluster 0 without having waited for it");
  expect_distinguishes(graph, graph.incidents[0].condition, {{1, 1}}, {{1, 0}});
}

// ---- across a gpu ----

TEST(BarriersPerGpu, MeetAcrossBlocksWhenTheModelSaysSo) {
  ProgramBuilder p;
  p.thread("A", {.block = 0}).barrier(2);
  p.thread("B", {.cluster = 1, .block = 1}).barrier(2);
  p.thread("C", {.gpu = 1, .block = 0}).barrier(2);
  EXPECT_TRUE(always_pairs(graph_of(p), BaseRelation::BarrierSync).empty());
  const EventGraph graph = graph_of(p, {.unroll = 3, .mappings = {.barriers_per_gpu = true}});
  EXPECT_EQ(always_pairs(graph, BaseRelation::BarrierSync), (Pairs{{0, 1}, {1, 0}}));
  EXPECT_TRUE(graph.incidents.empty());
}

TEST(BarriersPerGpu, AllThreadsOfTheGpuMustArrive) {
  ProgramBuilder p;
  p.thread("A", {.block = 0}).barrier();
  Barrier other;
  other.id = 1;
  other.count = constant(2);
  p.thread("B", {.cluster = 1, .block = 1}).add(other);
  EXPECT_EQ(graph_of(p).incidents.size(), 1U);
  const EventGraph graph = graph_of(p, {.unroll = 3, .mappings = {.barriers_per_gpu = true}});
  const auto found = std::ranges::find(
      graph.incidents, "barrier 0 of gpu 0 is not reached by 1 of the 2 threads that must reach it: B never does",
      &Incident::message);
  EXPECT_NE(found, graph.incidents.end());
}

}  // namespace
}  // namespace ambit::events
