// Tests barrier instances, the relation syncbar, and divergence (definitions.md 3.2, 4.3).

#include "tests/unit/events/graph_helpers.h"

namespace ambit::events {
namespace {

Barrier named(std::uint32_t id, std::optional<std::uint32_t> count, bool arrive_only = false) {
  Barrier barrier;
  barrier.id = id;
  if (count) barrier.count = constant(*count);
  barrier.arrive_only = arrive_only;
  return barrier;
}
Barrier of_kind(BarrierKind kind, std::uint32_t mask = 0xffffffffU) {
  Barrier barrier;
  barrier.kind = kind;
  barrier.mask = mask;
  return barrier;
}

class Barriers : public BuiltProgram {};

TEST_F(Barriers, ArrivalsOfOneInstanceSynchronise) {
  p.thread("A", {.block = 0, .warp = 0}).barrier().barrier();
  p.thread("B", {.block = 0, .warp = 1}).barrier().barrier();
  p.thread("C", {.block = 1, .warp = 0}).barrier();
  p.block(0, 0, 2);
  p.block(0, 1, 1);
  const EventGraph graph = graph_of(p);
  // A: 0 1, B: 2 3, C: 4. Arrivals of different blocks do not meet.
  EXPECT_EQ(always_pairs(graph, BaseRelation::BarrierSync), (Pairs{{0, 2}, {1, 3}, {2, 0}, {3, 1}}));
  EXPECT_EQ(always_members(graph, BaseSet::Barrier), (std::vector<EventId>{0, 1, 2, 3, 4}));
  EXPECT_EQ(always_members(graph, BaseSet::ScopeBlock), (std::vector<EventId>{0, 1, 2, 3, 4}));
  EXPECT_TRUE(graph.incidents.empty());
  EXPECT_EQ(graph.describe(0), "bar 0");
}

TEST_F(Barriers, DifferentIdsAreDifferentBarriers) {
  p.thread("A", {.warp = 0}).barrier(0).barrier(1);
  p.thread("B", {.warp = 1}).barrier(0).barrier(1);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(always_pairs(graph, BaseRelation::BarrierSync), (Pairs{{0, 2}, {1, 3}, {2, 0}, {3, 1}}));
}

TEST_F(Barriers, ThreadsThatWaitInACycle) {
  p.thread("A", {.warp = 0}).barrier(0).barrier(1);  // 0 1
  p.thread("B", {.warp = 1}).barrier(1).barrier(0);  // 2 3
  const EventGraph graph = graph_of(p);
  EXPECT_TRUE(always_pairs(graph, BaseRelation::BarrierSync).empty());
  EXPECT_EQ(graph.stuck, ValueGraph::kTrue);
  EXPECT_EQ(graph.events[1].guard, ValueGraph::kFalse);
  EXPECT_EQ(graph.events[3].guard, ValueGraph::kFalse);
  ASSERT_EQ(graph.waits.size(), 2U);
  const std::vector<Value> nodes = nodes_of(graph, {});
  EXPECT_EQ(describe_wait(graph, nodes, graph.waits[0]),
            "A waits at barrier 0 of block 0 (line 1) with 1 of 2 arrivals");
  EXPECT_EQ(describe_wait(graph, nodes, graph.waits[1]),
            "B waits at barrier 1 of block 0 (line 2) with 1 of 2 arrivals");
  ASSERT_EQ(graph.incidents.size(), 2U);
  EXPECT_EQ(graph.incidents[0].condition, ValueGraph::kTrue);
}

TEST_F(Barriers, NothingAfterAPhaseThatNeverCompletes) {
  const auto [x, y] = p.globals("x", "y");  // 0 1
  ThreadBuilder& a = p.thread("A", {.warp = 0});
  const RegisterId r = a.declare("r");
  a.assign(r, 1).store(x, 1).add(named(0, 2)).assign(r, 2).store(y, 1);  // 2 3 4
  p.thread("B", {.warp = 1}).store(x, 2);                                // 5
  p.exists(p.observe(a, r) == 1);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(graph.events[2].guard, ValueGraph::kTrue);
  EXPECT_EQ(graph.events[3].guard, ValueGraph::kTrue);   // The arrival itself.
  EXPECT_EQ(graph.events[4].guard, ValueGraph::kFalse);  // The store after the arrival.
  EXPECT_EQ(nodes_of(graph, {})[graph.observables[0]], 1);
}

TEST_F(Barriers, RequirementsAndBoundsAfterAWaitNeedThePhase) {
  // A: bar; while (x != 1) {}   B: r = y; if (r == 1) bar;
  const auto [x, y] = p.globals("x", "y");  // 0 1
  ThreadBuilder& a = p.thread("A", {.warp = 0});
  a.add(named(0, 2));  // 2
  a.spin_load(x, 1);   // 3
  ThreadBuilder& b = p.thread("B", {.warp = 1});
  const RegisterId r = b.load(y);  // 4
  const Label skip = b.later();
  b.branch(b.value(r) != 1, skip).add(named(0, 2)).place(skip);  // 5
  p.thread("C", {.block = 1}).store(x, 1).store(y, 1);           // 6 7
  const EventGraph graph = graph_of(p);
  ASSERT_EQ(graph.requirements.size(), 1U);
  EXPECT_EQ(value_of(graph, graph.requirements[0], {{4, 0}}), 1);  // A does not reach the loop
  EXPECT_EQ(value_of(graph, graph.requirements[0], {{4, 1}, {3, 0}}), 0);
  EXPECT_EQ(value_of(graph, graph.requirements[0], {{4, 1}, {3, 1}}), 1);
  expect_distinguishes(graph, graph.events[3].guard, {{4, 1}}, {{4, 0}});
  expect_distinguishes(graph, graph.stuck, {{4, 0}}, {{4, 1}});
}

TEST_F(Barriers, OneBarrierInEachArmIsOneInstance) {
  // if (x == 1) bar; else bar;   against a single bar
  const Expr x = p.global("x");
  ThreadBuilder& a = p.thread("A", {.warp = 0});
  const RegisterId r = a.load(x);  // 1
  const Label otherwise = a.later();
  const Label end = a.later();
  a.branch(a.value(r) != 1, otherwise);
  a.barrier();  // 2
  a.jump(end);
  a.place(otherwise).barrier();  // 3
  a.place(end);
  p.thread("B", {.warp = 1}).barrier();  // 4
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(always_pairs(graph, BaseRelation::BarrierSync), (Pairs{{2, 4}, {3, 4}, {4, 2}, {4, 3}}));
  EXPECT_TRUE(graph.relation(BaseRelation::BarrierSync).sometimes.empty());
  EXPECT_TRUE(graph.incidents.empty());
}

TEST_F(Barriers, ConditionalBarrierShiftsTheInstances) {
  // A: if (x == 1) bar; bar;   B: bar; bar;
  const Expr x = p.global("x");
  ThreadBuilder& a = p.thread("A", {.warp = 0});
  const RegisterId r = a.load(x);  // 1
  const Label skip = a.later();
  a.branch(a.value(r) != 1, skip);
  a.barrier();                                     // 2
  a.place(skip).barrier();                         // 3: instance 1 if x == 1, else 0
  p.thread("B", {.warp = 1}).barrier().barrier();  // 4, 5
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(always_pairs(graph, BaseRelation::BarrierSync), (Pairs{{2, 4}, {4, 2}}));
  const auto& sometimes = graph.relation(BaseRelation::BarrierSync).sometimes;
  ASSERT_EQ(sometimes.size(), 4U);  // event 3 with event 4 and with event 5, in both directions
  for (const auto& pair : sometimes) {
    const EventId other = pair.from == 3 ? pair.to : pair.from;
    EXPECT_EQ(value_of(graph, pair.condition, {{1, 1}}), other == 5 ? 1 : 0);
    EXPECT_EQ(value_of(graph, pair.condition, {{1, 0}}), other == 4 ? 1 : 0);
  }
  // If x != 1, thread A has exited when B waits at its second barrier.
  EXPECT_TRUE(graph.incidents.empty());
  EXPECT_EQ(graph.remarks.size(), 1U);
  const auto& after_exit = graph.relation(BaseRelation::BarrierOrder).sometimes;
  ASSERT_EQ(after_exit.size(), 1U);  // A's last arrival and B's second arrival
  EXPECT_EQ(after_exit[0].from, 3U);
  EXPECT_EQ(after_exit[0].to, 5U);
  expect_distinguishes(graph, after_exit[0].condition, {{1, 0}}, {{1, 1}});
}

TEST_F(Barriers, ExitedThreadDoesNotBlockOthers) {
  const Expr x = p.global("x");
  p.thread("A", {.warp = 0}).barrier();    // 1
  p.thread("B", {.warp = 1}).store(x, 1);  // 2
  p.thread("C", {.warp = 2}).barrier();    // 3
  const EventGraph graph = graph_of(p);
  EXPECT_TRUE(graph.incidents.empty());
  EXPECT_EQ(graph.stuck, ValueGraph::kFalse);
  EXPECT_EQ(always_pairs(graph, BaseRelation::BarrierSync), (Pairs{{1, 3}, {3, 1}}));  // an exit does not synchronise
  EXPECT_EQ(always_pairs(graph, BaseRelation::BarrierOrder), (Pairs{{2, 1}, {2, 3}}));
  ASSERT_EQ(graph.remarks.size(), 1U);
  EXPECT_EQ(graph.remarks[0].message,
            "barrier 0 of block 0 completes without 1 of the 3 threads, which has exited (B): CUDA promises this since "
            "compute capability 7.0");
}

// All threads read one flag and exit if it is set. So no thread waits for a thread that has exited.
TEST_F(Barriers, ThreadsThatLeaveByOneFlagGetNoRemark) {
  const Expr x = p.global("x");
  for (const char* name : {"A", "B"}) {
    ThreadBuilder& thread = p.thread(name, {.warp = name[0] == 'A' ? 0 : 1});
    const RegisterId r = thread.load(x);
    const Label end = thread.later();
    thread.branch(thread.value(r) != 1, end);
    thread.barrier();
    thread.place(end);
  }
  EXPECT_TRUE(graph_of(p).remarks.empty());
}

TEST_F(Barriers, ThreadsWithoutEventsHaveExited) {
  p.thread("b0t0", {.warp = 0}).barrier();
  p.thread("b0t32", {.warp = 1}).barrier();
  p.block(0, 0, 33);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(always_pairs(graph, BaseRelation::BarrierSync), (Pairs{{0, 1}, {1, 0}}));
  EXPECT_TRUE(graph.incidents.empty());
  ASSERT_EQ(graph.remarks.size(), 1U);
  EXPECT_EQ(graph.remarks[0].message,
            "barrier 0 of block 0 completes without 31 of the 33 threads, which have exited: CUDA promises this since "
            "compute capability 7.0");
}

TEST_F(Barriers, AThreadThatWaitsElsewhereHasNotExited) {
  const Expr x = p.global("x");
  p.thread("A", {.warp = 0}).barrier();
  p.thread("B", {.warp = 1}).store(x, 1);
  p.thread("C", {.warp = 2}).add(named(1, 2));
  p.thread("D", {.warp = 3}).add(named(2, 2));
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(graph.stuck, ValueGraph::kTrue);
  ASSERT_EQ(graph.incidents.size(), 3U);
  const auto says = [&](const std::string& message) {
    return std::ranges::any_of(graph.incidents, [&](const Incident& one) { return one.message == message; });
  };
  EXPECT_TRUE(says("barrier 0 of block 0 is not reached by 2 of the 4 threads that must reach it: C, D never do"));
}

TEST_F(Barriers, AThreadThatHasStoppedForGoodHasNotExited) {
  p.thread("A", {.warp = 0}).barrier();
  ThreadBuilder& b = p.thread("B", {.warp = 1});
  const RegisterId stop = b.declare(std::string(kStopRegister));
  b.assign(stop, constant(1));
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(graph.stuck, ValueGraph::kTrue);
}

TEST_F(Barriers, ConditionalBarrierBeforeCommonCode) {
  const Expr x = p.global("x");
  for (int w = 0; w < 3; ++w) {
    ThreadBuilder& t = p.thread("T" + std::to_string(w), {.warp = w});
    if (w == 0) t.barrier();
    t.load(x);
  }
  const auto program = std::make_shared<Program>(*p.build());
  for (Thread& thread : program->threads) thread.code.back().span = {9, 1, 1};
  const Result<EventGraph> built = build(program, {});
  ASSERT_TRUE(built.ok());
  const EventGraph& graph = built.value();
  EXPECT_EQ(graph.stuck, ValueGraph::kFalse);  // Ambit also checks the code after the barrier
  ASSERT_EQ(graph.incidents.size(), 1U);
  EXPECT_EQ(graph.incidents[0].message,
            "barrier 0 of block 0 is in conditional code: 2 of the 3 threads skip it and run code that the others run "
            "after it: T1, T2");
  EXPECT_TRUE(graph.remarks.empty());
  program->threads[0].registers.push_back({std::string(kStopRegister), kInt});
  const Result<EventGraph> hanging = build(program, {});
  ASSERT_TRUE(hanging.ok());
  EXPECT_EQ(hanging.value().stuck, ValueGraph::kTrue);
}

TEST_F(Barriers, AGridBarrierNeedsTheFirstThreadOfEachBlock) {
  const Expr x = p.global("x");
  p.thread("A", {.block = 0, .lane = 0}).add(of_kind(BarrierKind::Grid));
  p.thread("B", {.block = 0, .lane = 1}).store(x, 1);
  p.thread("C", {.cluster = 1, .block = 1}).add(of_kind(BarrierKind::Grid));
  EXPECT_EQ(graph_of(p).stuck, ValueGraph::kFalse);
  ProgramBuilder q;
  const Expr y = q.global("y");
  q.thread("A", {.block = 0, .lane = 0}).store(y, 1);
  q.thread("B", {.block = 0, .lane = 1}).add(of_kind(BarrierKind::Grid));
  EXPECT_EQ(graph_of(q).stuck, ValueGraph::kTrue);
}

TEST_F(Barriers, ACountInWarpsTakesWarpsWithExitedLanes) {
  const Expr x = p.global("x");
  p.thread("A", {.warp = 0, .lane = 0}).add(named(1, 64));
  p.thread("B", {.warp = 0, .lane = 1}).store(x, 1);
  p.thread("C", {.warp = 1, .lane = 0}).add(named(1, 64));
  EXPECT_EQ(graph_of(p).stuck, ValueGraph::kFalse);
  p.thread("D", {.warp = 2, .lane = 0}).add(named(2, 64));
  p.thread("E", {.warp = 3, .lane = 0}).store(x, 1);
  EXPECT_EQ(graph_of(p).stuck, ValueGraph::kTrue);  // a whole warp that has exited does not arrive
}

TEST_F(Barriers, ArrivingWithoutWaitingReceivesNothing) {
  p.thread("producer", {.warp = 0}).add(named(1, 2, true));
  p.thread("consumer", {.warp = 1}).add(named(1, 2));
  p.thread("other", {.warp = 2}).add(named(2, 1));
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(always_pairs(graph, BaseRelation::BarrierSync), (Pairs{{0, 1}}));
  EXPECT_TRUE(graph.incidents.empty());
  EXPECT_EQ(graph.describe(0), "bar.arrive 1");
}

TEST_F(Barriers, CountThatCannotBeReached) {
  p.thread("A", {.warp = 0}).add(named(1, 3));
  p.thread("B", {.warp = 1}).add(named(1, 3));
  p.thread("C", {.warp = 2}).barrier(2);
  p.thread("D", {.warp = 3}).barrier(2);
  const EventGraph graph = graph_of(p);
  ASSERT_EQ(graph.incidents.size(), 2U);
  EXPECT_EQ(graph.incidents[0].message, "barrier 1 of block 0 waits for 3 threads, but 2 use it");
  EXPECT_EQ(graph.incidents[1].message,
            "barrier 2 of block 0 is not reached by 2 of the 4 threads that must reach it: A, B never do");
}

TEST_F(Barriers, DifferentCountsForOneBarrier) {
  p.thread("A", {.warp = 0}).add(named(1, 2));
  p.thread("B", {.warp = 1}).add(named(1, 3));
  const EventGraph graph = graph_of(p);
  ASSERT_EQ(graph.incidents.size(), 1U);
  EXPECT_EQ(graph.incidents[0].message, "barrier 1 of block 0 is used with different thread counts (2 and 3)");
  EXPECT_TRUE(always_pairs(graph, BaseRelation::BarrierSync).empty());
}

// ---- counted phases ----

TEST_F(Barriers, AnOrderFixedByAnotherBarrierIsNotAChoice) {
  // Producer and consumer: barrier 2 orders the second arrival at barrier 1 after the wait for the first arrival.
  p.thread("A", {.warp = 0}).add(named(1, 2, true)).add(named(2, 2)).add(named(1, 2, true));  // 0 1 2
  p.thread("B", {.warp = 1}).add(named(1, 2)).add(named(2, 2, true)).add(named(1, 2));        // 3 4 5
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(graph.size(), 6U);
  EXPECT_EQ(always_pairs(graph, BaseRelation::BarrierSync), (Pairs{{0, 3}, {2, 5}, {4, 1}}));
  EXPECT_TRUE(graph.incidents.empty());
}

TEST_F(Barriers, WarpBarrierTakesItsMask) {
  for (int lane = 0; lane < 3; ++lane) {
    ThreadBuilder& t = p.thread("L" + std::to_string(lane), {.warp = 0, .lane = lane});
    if (lane < 2) t.add(of_kind(BarrierKind::Warp, 0x3));
    t.add(of_kind(BarrierKind::Warp));
  }
  p.thread("other warp", {.warp = 1}).add(of_kind(BarrierKind::Warp));
  const EventGraph graph = graph_of(p);
  // L0: 0 1, L1: 2 3, L2: 4, other: 5
  EXPECT_EQ(always_pairs(graph, BaseRelation::BarrierSync),
            (Pairs{{0, 2}, {1, 3}, {1, 4}, {2, 0}, {3, 1}, {3, 4}, {4, 1}, {4, 3}}));
  EXPECT_TRUE(graph.incidents.empty());
}

TEST_F(Barriers, GridBarrierCrossesBlocks) {
  p.thread("A", {.block = 0}).add(of_kind(BarrierKind::Grid));
  p.thread("B", {.cluster = 1, .block = 1}).add(of_kind(BarrierKind::Grid));
  p.thread("C", {.gpu = 1, .block = 0}).add(of_kind(BarrierKind::Grid));
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(always_pairs(graph, BaseRelation::BarrierSync), (Pairs{{0, 1}, {1, 0}}));
  EXPECT_EQ(always_members(graph, BaseSet::ScopeDevice), (std::vector<EventId>{0, 1, 2}));
}

TEST_F(Barriers, ClusterBarrierStaysInTheCluster) {
  p.thread("A", {.cluster = 0, .block = 0}).add(of_kind(BarrierKind::Cluster));
  p.thread("B", {.cluster = 0, .block = 1}).add(of_kind(BarrierKind::Cluster));
  p.thread("C", {.cluster = 1, .block = 2}).add(of_kind(BarrierKind::Cluster));
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(always_pairs(graph, BaseRelation::BarrierSync), (Pairs{{0, 1}, {1, 0}}));
}

TEST_F(Barriers, InALoopOfConstantLength) {
  for (int w = 0; w < 2; ++w) {
    ThreadBuilder& t = p.thread("T" + std::to_string(w), {.warp = w});
    const RegisterId i = t.declare("i");
    const Label top = t.here();
    t.barrier();
    t.assign(i, t.value(i) + 1);
    t.branch(t.value(i) < 3, top);
  }
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(always_pairs(graph, BaseRelation::BarrierSync), (Pairs{{0, 3}, {1, 4}, {2, 5}, {3, 0}, {4, 1}, {5, 2}}));
  EXPECT_TRUE(graph.incidents.empty());
}

}  // namespace
}  // namespace ambit::events
