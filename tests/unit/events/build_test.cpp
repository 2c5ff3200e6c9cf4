// Tests straight-line code, branches, joins, sets and simple relations.

#include <string>

#include "model/events/execution.h"
#include "tests/unit/events/graph_helpers.h"

namespace ambit::events {
namespace {

using ::testing::Test;

class Build : public BuiltProgram {};
class BuildOfOneThread : public OneThread {};
class Executions : public OneThread {};

TEST_F(Build, MessagePassing) {
  const auto [x, flag] = p.globals("x", "flag");
  ThreadBuilder& p0 = p.thread("P0", {.block = 0});
  p0.store(x, 1).fence().exchange(flag, 1);
  ThreadBuilder& p1 = p.thread("P1", {.block = 1, .warp = 1});
  const RegisterId r0 = p1.load(flag, acquire(Scope::Device));
  const RegisterId r1 = p1.load(x);
  p.exists(p.observe(p1, r0) == 1 && p.observe(p1, r1) == 0 && p.observe(x) == 1);
  const EventGraph graph = graph_of(p);

  EXPECT_EQ(described(graph, kNoThread), (Strings{"init x", "init flag"}));
  EXPECT_EQ(described(graph, 0), (Strings{"W x", "F.sc.gpu", "R.relaxed.gpu flag", "W.relaxed.gpu flag"}));
  EXPECT_EQ(described(graph, 1), (Strings{"R.acquire.gpu flag", "R x"}));
  EXPECT_TRUE(all_unconditional(graph));
  EXPECT_EQ(graph.thread_name(0), "init");
  EXPECT_EQ(graph.thread_name(6), "P1");

  EXPECT_EQ(always_pairs(graph, BaseRelation::ProgramOrder),
            (Pairs{{2, 3}, {2, 4}, {2, 5}, {3, 4}, {3, 5}, {4, 5}, {6, 7}}));
  EXPECT_EQ(always_pairs(graph, BaseRelation::ReadModifyWritePair), (Pairs{{4, 5}}));
  EXPECT_EQ(graph.events[4].rmw_partner, 5U);
  EXPECT_EQ(graph.events[5].rmw_partner, 4U);
  // An exchange reads a value and writes another value. The written value does not depend on the value read.
  EXPECT_TRUE(always_pairs(graph, BaseRelation::DataDependency).empty());
  EXPECT_TRUE(always_pairs(graph, BaseRelation::ControlDependency).empty());
  EXPECT_EQ(always_members(graph, BaseSet::Atomic), (std::vector<EventId>{4, 5, 6}));
  EXPECT_EQ(always_members(graph, BaseSet::NonAtomic), (std::vector<EventId>{0, 1, 2, 7}));
  EXPECT_EQ(always_members(graph, BaseSet::Acquire), (std::vector<EventId>{6}));
  EXPECT_EQ(always_members(graph, BaseSet::SeqCst), (std::vector<EventId>{3}));
  EXPECT_EQ(always_members(graph, BaseSet::ScopeDevice), (std::vector<EventId>{3, 4, 5, 6}));
  EXPECT_EQ(always_members(graph, BaseSet::InitialWrite), (std::vector<EventId>{0, 1}));
  EXPECT_EQ(graph.values[graph.observables[0]].read, 6U);
  EXPECT_EQ(graph.observables[2], ValueGraph::kFalse);  // memory
}

TEST_F(Build, PlacesGiveTheScopeRelations) {
  const Expr x = p.global("x");
  p.thread("A", {.gpu = 0, .cluster = 0, .block = 0, .warp = 0}).store(x, 1);
  p.thread("B", {.gpu = 0, .cluster = 0, .block = 0, .warp = 1}).store(x, 2);
  p.thread("C", {.gpu = 0, .cluster = 1, .block = 1, .warp = 0}).store(x, 3);
  p.thread("D", {.gpu = 1, .cluster = 0, .block = 0, .warp = 0}).store(x, 4);
  const EventGraph graph = graph_of(p);
  // Events: 0 init, 1..4 the stores.
  EXPECT_EQ(always_pairs(graph, BaseRelation::SameBlock), (Pairs{{1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 3}, {4, 4}}));
  EXPECT_EQ(always_pairs(graph, BaseRelation::SameWarp), (Pairs{{1, 1}, {2, 2}, {3, 3}, {4, 4}}));
  EXPECT_EQ(always_pairs(graph, BaseRelation::SameDevice).size(), 10U);
  EXPECT_EQ(always_pairs(graph, BaseRelation::Internal), (Pairs{{1, 1}, {2, 2}, {3, 3}, {4, 4}}));
  EXPECT_EQ(always_pairs(graph, BaseRelation::External).size(), 20U);  // all but the diagonal
  EXPECT_EQ(always_pairs(graph, BaseRelation::SameLocation).size(), 25U);
  EXPECT_EQ(always_pairs(graph, BaseRelation::Identity).size(), 5U);
}

TEST_F(Build, VolatileIsRelaxedSystemAndNotAtomic) {
  p.thread("P0", {}).store(p.global("x"), 1, volatile_access());
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(described(graph, 0), (Strings{"W.volatile x"}));
  EXPECT_EQ(always_members(graph, BaseSet::Volatile), (std::vector<EventId>{1}));
  EXPECT_EQ(always_members(graph, BaseSet::Relaxed), (std::vector<EventId>{1}));
  EXPECT_EQ(always_members(graph, BaseSet::ScopeSystem), (std::vector<EventId>{1}));
  EXPECT_TRUE(always_members(graph, BaseSet::Atomic).empty());
}

TEST_F(Build, UninitializedMemoryIsMarked) {
  p.global("x");
  p.declare("y", 2, true, MemorySpace::Shared, 0, kInt, false);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(always_members(graph, BaseSet::UninitializedWrite), (std::vector<EventId>{1, 2}));
}

TEST_F(BuildOfOneThread, CodeAfterAJoinIsUnconditional) {
  const auto [x, y, z] = p.globals("x", "y", "z");
  const RegisterId r0 = t.load(x);  // event 3
  const RegisterId r1 = t.declare("v");
  const Label otherwise = t.later();
  const Label end = t.later();
  t.branch(logical_not(t.value(r0) == 1), otherwise);
  t.store(y, 1);  // event 4: r0 == 1
  t.assign(r1, 10);
  t.jump(end);
  t.place(otherwise).store(y, 2);  // event 5: r0 != 1
  t.assign(r1, 20);
  t.place(end).store(z, t.value(r1));  // event 6
  p.exists(p.observe(t, r1) == 10);
  const EventGraph graph = graph_of(p);
  ASSERT_EQ(graph.size(), 7U);
  EXPECT_TRUE(graph.events[6].is_unconditional());
  expect_distinguishes(graph, graph.events[4].guard, {{3, 1}}, {{3, 2}});
  expect_distinguishes(graph, graph.events[5].guard, {{3, 2}}, {{3, 1}});
  EXPECT_EQ(value_of(graph, graph.events[6].value, {{3, 1}}), 10);
  EXPECT_EQ(value_of(graph, graph.observables[0], {{3, 5}}), 20);
  // The branch controls only its two arms. The value stored after the branch depends on the read.
  EXPECT_EQ(always_pairs(graph, BaseRelation::ControlDependency), (Pairs{{3, 4}, {3, 5}}));
  EXPECT_EQ(always_pairs(graph, BaseRelation::DataDependency), (Pairs{{3, 6}}));
}

TEST_F(BuildOfOneThread, EarlyReturnMakesTheRestConditional) {
  const auto [x, y] = p.globals("x", "y");
  const RegisterId r0 = t.load(x);
  const Label end = t.later();
  t.branch(t.value(r0) == 0, end);
  t.store(y, 1);
  t.place(end);
  const EventGraph graph = graph_of(p);
  expect_distinguishes(graph, graph.events[3].guard, {{2, 7}}, {{2, 0}});
}

TEST_F(BuildOfOneThread, TheSameConditionTwiceIsOneBranch) {
  const auto [x, y] = p.globals("x", "y");
  const RegisterId r0 = t.load(x);
  const Label skip = t.later();
  t.branch(t.value(r0) != 1, skip);
  t.branch(t.value(r0) == 1, skip);  // Always taken here.
  t.store(y, 1);                     // Unreachable.
  t.place(skip).store(y, 2);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(described(graph, 0), (Strings{"R x", "W y"}));
  EXPECT_TRUE(all_unconditional(graph));
}

TEST_F(BuildOfOneThread, FailedCompareExchangeIsAReadOnly) {
  const Expr x = p.global("x");
  t.cas(x, 3, 4);
  const EventGraph graph = graph_of(p);
  ASSERT_EQ(graph.size(), 3U);
  EXPECT_TRUE(graph.events[1].is_unconditional());
  EXPECT_TRUE(graph.events[1].is_rmw);
  expect_distinguishes(graph, graph.events[2].guard, {{1, 3}}, {{1, 0}});
  EXPECT_EQ(value_of(graph, graph.events[2].value, {}), 4);
  EXPECT_EQ(always_pairs(graph, BaseRelation::ControlDependency), (Pairs{{1, 2}}));
  EXPECT_TRUE(always_pairs(graph, BaseRelation::DataDependency).empty());
}

TEST_F(BuildOfOneThread, ReadModifyWriteDependsOnWhatItRead) {
  const Expr x = p.global("x", 5);
  t.fetch(RmwOp::Add, x, 2);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(always_pairs(graph, BaseRelation::DataDependency), (Pairs{{1, 2}}));
  EXPECT_EQ(value_of(graph, graph.events[2].value, {{1, 5}}), 7);
  EXPECT_EQ(value_of(graph, graph.events[0].value, {}), 5);
}

TEST_F(BuildOfOneThread, SeqCstAccessesAsFences) {
  const Expr x = p.global("x");
  t.store(x, 1, seq_cst(Scope::Block));
  t.load(x, seq_cst(Scope::System));
  t.fetch(RmwOp::Add, x, 1, seq_cst());
  EXPECT_EQ(described(graph_of(p), 0), (Strings{"W.sc.cta x", "R.sc.sys x", "R.sc.gpu x", "W.sc.gpu x"}));
  EXPECT_EQ(described(graph_of(p, {.unroll = 3, .mappings = {.seq_cst_as_fences = true}}), 0),
            (Strings{"F.sc.cta", "W.relaxed.cta x", "F.sc.sys", "R.acquire.sys x", "F.sc.gpu", "R.acquire.gpu x",
                     "W.acquire.gpu x"}));
}

TEST_F(BuildOfOneThread, AssertionIsAnIncidentAndAssumptionARequirement) {
  const auto [x, y] = p.globals("x", "y");
  const RegisterId r0 = t.load(x);
  t.assume(t.value(r0) < 5);
  t.check(t.value(r0) != 3);
  t.store(y, 1);
  const EventGraph graph = graph_of(p);
  ASSERT_EQ(graph.requirements.size(), 1U);
  expect_distinguishes(graph, graph.requirements[0], {{2, 4}}, {{2, 5}});
  ASSERT_EQ(graph.incidents.size(), 1U);
  EXPECT_EQ(graph.incidents[0].kind, Incident::Kind::AssertionFailed);
  expect_distinguishes(graph, graph.incidents[0].condition, {{2, 3}}, {{2, 4}});
  EXPECT_EQ(graph.incidents[0].span.column, 3U);
  // An assumption is like a branch: the thread executes the store only if the assumption holds.
  EXPECT_EQ(always_pairs(graph, BaseRelation::ControlDependency), (Pairs{{2, 3}}));
}

TEST_F(BuildOfOneThread, TooManyEventsIsAnErrorAtTheInstruction) {
  const Expr x = p.global("x");
  for (std::size_t i = 0; i < kMaxEvents; ++i) t.store(x, 1);
  const auto built = build(p.build(), {});
  ASSERT_FALSE(built.ok());
  EXPECT_NE(built.errors().front().message.find(std::to_string(kMaxEvents) + " events"), std::string::npos);
  EXPECT_EQ(built.errors().front().span.column, kMaxEvents);  // the initial write of x is one of the events
}

// In the order a0 a1 ... b0 b1 ..., the decision diagram of (a0 && b0) || (a1 && b1) || ... has exponential size.
TEST_F(BuildOfOneThread, ConditionMadeToExplodeIsAnError) {
  constexpr int kPairs = 40;
  const Expr x = p.global("x");
  std::vector<RegisterId> a;
  for (int i = 0; i < 2 * kPairs; ++i) a.push_back(t.load(x));
  Expr condition = constant(0);
  // First creates all atoms, in the order that makes the diagram large.
  for (int i = 0; i < 2 * kPairs; ++i) condition = condition || t.value(a[static_cast<std::size_t>(i)]) == 1;
  const Label end = t.later();
  t.branch(condition, end);
  Expr pairs = constant(0);
  for (std::size_t i = 0; i < kPairs; ++i) pairs = pairs || (t.value(a[i]) == 1 && t.value(a[i + kPairs]) == 1);
  t.branch(pairs, end);
  t.place(end).store(x, 1);
  const auto built = build(p.build(), {});
  ASSERT_FALSE(built.ok());
  EXPECT_EQ(built.errors().front().message, "the conditions of thread P0 are too complex to follow");
}

TEST_F(Build, AddressAndDataDependencies) {
  const auto [x, y] = p.globals("x", "y");
  const Expr a = p.array("a", 2);
  ThreadBuilder& t = p.thread("P0", {});                                                   // initial writes are 0..3
  const RegisterId r0 = t.load(x);                                                         // 4
  const RegisterId r1 = t.load(element(a, binary(Op::BitAnd, t.value(r0), constant(1))));  // 5
  t.store(y, t.value(r1) + t.value(r0));                                                   // 6
  t.rmw(std::nullopt, RmwOp::Exchange, y, t.value(r1));                                    // 7 8
  p.thread("P1", {}).store(x, 1);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(always_pairs(graph, BaseRelation::AddressDependency), (Pairs{{4, 5}}));
  EXPECT_EQ(always_pairs(graph, BaseRelation::DataDependency), (Pairs{{4, 6}, {5, 6}, {5, 8}}));
}

TEST_F(Build, AwaitsOfOneThreadControlOnlyThatThread) {
  const Expr x = p.global("x");
  ThreadBuilder& a = p.thread("P0", {});
  a.spin_load(x, 1);  // 1
  a.store(x, 2);      // 2
  ThreadBuilder& b = p.thread("P1", {});
  b.store(x, 1);      // 3
  b.spin_load(x, 2);  // 4
  b.store(x, 3);      // 5
  EXPECT_EQ(always_pairs(graph_of(p), BaseRelation::ControlDependency), (Pairs{{1, 2}, {4, 5}}));
}

TEST_F(BuildOfOneThread, Descriptions) {
  const Expr s = p.declare("b0:s", 2, true, MemorySpace::Shared, 0);
  t.store(element(s, constant(1)), 1, release(Scope::Cluster));
  t.load(s, atomic(Order::Relaxed, Scope::Thread));
  t.fence(Order::AcqRel, Scope::System);
  Barrier warp;
  warp.kind = BarrierKind::Warp;
  warp.mask = 3;
  t.add(warp);
  EXPECT_EQ(described(graph_of(p), 0),
            (Strings{"W.release.cluster b0:s[1]", "R.relaxed.thread b0:s[0]", "F.acq_rel.sys", "bar.warp 0x3"}));
}

TEST_F(Executions, OutcomeTakesRegistersFromReadsAndMemoryFromTheLastWrite) {
  const Expr x = p.global("x", 4);
  const RegisterId r = t.load(x);  // 1
  const RegisterId s = t.declare("s");
  t.assign(s, t.value(r) + 10);
  t.store(x, t.value(s));  // 2
  const Expr proposition = p.observe(t, s) == 14 && p.observe(x) == 14;
  p.exists(proposition);
  const EventGraph graph = graph_of(p);
  Execution execution;
  execution.values = {4, 4, 14};
  execution.coherence = {{0, 2}};
  std::vector<Value> nodes;
  const Outcome outcome = outcome_of(graph, execution, nodes);
  EXPECT_EQ(outcome, (Outcome{14, 14}));
  EXPECT_TRUE(holds(proposition, outcome));
  EXPECT_FALSE(holds(proposition, {14, 4}));
  EXPECT_EQ(nodes.size(), graph.values.size());
}

}  // namespace
}  // namespace ambit::events
