// Tests accesses and fences of other proxies, and memory with several names (PTX ISA 8.3, 8.4; definitions.md 3.3).

#include "tests/unit/events/graph_helpers.h"

namespace ambit::events {
namespace {

using Events = std::vector<EventId>;

/// Returns the condition under which a relation contains a pair; kFalse if the pair is never in the relation.
NodeId condition_of(const EventGraph& graph, BaseRelation relation, EventId from, EventId to) {
  if (graph.relation(relation).always.contains(from, to)) return ValueGraph::kTrue;
  for (const auto& pair : graph.relation(relation).sometimes) {
    if (pair.from == from && pair.to == to) return pair.condition;
  }
  return ValueGraph::kFalse;
}

class ProxiesOfOneThread : public OneThread {};

TEST_F(ProxiesOfOneThread, EachAccessIsInTheSetOfItsProxy) {
  const Expr x = p.global("x");       // 0
  t.store(x, 1);                      // 1
  t.load(x, by(Proxy::Constant));     // 2
  t.load(x, by(Proxy::Texture));      // 3
  t.store(x, 2, by(Proxy::Surface));  // 4
  t.store(x, 3, by(Proxy::Async));    // 5
  t.fetch(RmwOp::Add, x, 1);          // 6, 7
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(always_members(graph, BaseSet::GenericProxy), (Events{0, 1, 6, 7}));
  EXPECT_EQ(always_members(graph, BaseSet::ConstantProxy), (Events{2}));
  EXPECT_EQ(always_members(graph, BaseSet::TextureProxy), (Events{3}));
  EXPECT_EQ(always_members(graph, BaseSet::SurfaceProxy), (Events{4}));
  EXPECT_EQ(always_members(graph, BaseSet::AsyncProxy), (Events{5}));
  EXPECT_EQ(described(graph, 0), (std::vector<std::string>{"W x", "R.constant x", "R.texture x", "W.surface x",
                                                           "W.async x", "R.relaxed.gpu x", "W.relaxed.gpu x"}));
}

TEST_F(ProxiesOfOneThread, ProxyFencesAreNotMemoryFences) {
  t.fence();                       // 0
  t.proxy_fence(Proxy::Texture);   // 1
  t.proxy_fence(Proxy::Async);     // 2
  t.alias_fence();                 // 3
  t.proxy_fence(Proxy::Constant);  // 4
  t.proxy_fence(Proxy::Surface);   // 5
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(always_members(graph, BaseSet::Fence), (Events{0}));
  EXPECT_EQ(always_members(graph, BaseSet::ProxyFence), (Events{1, 2, 4, 5}));
  EXPECT_EQ(always_members(graph, BaseSet::AliasFence), (Events{3}));
  EXPECT_EQ(always_members(graph, BaseSet::TextureProxy), (Events{1}));
  EXPECT_EQ(always_members(graph, BaseSet::AsyncProxy), (Events{2}));
  EXPECT_EQ(always_members(graph, BaseSet::ConstantProxy), (Events{4}));
  EXPECT_EQ(always_members(graph, BaseSet::SurfaceProxy), (Events{5}));
  EXPECT_TRUE(always_members(graph, BaseSet::GenericProxy).empty());  // the alias fence does not belong to a proxy
  // These fences have no order and no scope. In program order, they are ordered with all events of their thread.
  EXPECT_EQ(always_members(graph, BaseSet::ScopeDevice), (Events{0}));
  EXPECT_EQ(always_members(graph, BaseSet::SeqCst), (Events{0}));
  EXPECT_TRUE(graph.relation(BaseRelation::ProgramOrder).always.contains(1, 3));
  EXPECT_EQ(described(graph, 0),
            (std::vector<std::string>{"F.sc.gpu", "fence.proxy.texture", "fence.proxy.async", "fence.proxy.alias",
                                      "fence.proxy.constant", "fence.proxy.surface"}));
}

TEST(Proxies, FencesOfOneDirection) {
  ProgramBuilder p;
  p.thread("P0", {}).fence(Order::Acquire, Scope::Block).fence(Order::Release, Scope::System);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(always_members(graph, BaseSet::Fence), (Events{0, 1}));
  EXPECT_EQ(always_members(graph, BaseSet::Acquire), (Events{0}));
  EXPECT_EQ(always_members(graph, BaseSet::Release), (Events{1}));
  EXPECT_EQ(always_members(graph, BaseSet::ScopeBlock), (Events{0}));
  EXPECT_EQ(always_members(graph, BaseSet::ScopeSystem), (Events{1}));
  EXPECT_EQ(described(graph, 0), (std::vector<std::string>{"F.acquire.cta", "F.release.sys"}));
}

TEST(Aliases, SameCellUnderAnotherAddress) {
  ProgramBuilder p;
  const Expr x = p.global("x");  // 0
  const Expr t = p.alias("t", x);
  p.thread("P0", {}).store(x, 1).store(t, 2);  // 1, 2
  ThreadBuilder& other = p.thread("P1", {.block = 1});
  other.load(t, by(Proxy::Texture));  // 3
  other.load(x);                      // 4
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(graph.program->locations.size(), 1U);
  for (EventId e = 1; e < 5; ++e) EXPECT_EQ(graph.events[e].locations, (std::vector<LocationId>{0}));
  // All names refer to one cell, so the relation loc contains all pairs of accesses.
  EXPECT_EQ(always_pairs(graph, BaseRelation::SameLocation).size(), 25U);
  // Events 1 and 4 use the address x. Events 2 and 3 use the address t. The initial write has both addresses.
  EXPECT_EQ(always_pairs(graph, BaseRelation::SameVirtualAddress), (Pairs{{0, 0},
                                                                          {0, 1},
                                                                          {0, 2},
                                                                          {0, 3},
                                                                          {0, 4},
                                                                          {1, 0},
                                                                          {1, 1},
                                                                          {1, 4},
                                                                          {2, 0},
                                                                          {2, 2},
                                                                          {2, 3},
                                                                          {3, 0},
                                                                          {3, 2},
                                                                          {3, 3},
                                                                          {4, 0},
                                                                          {4, 1},
                                                                          {4, 4}}));
  EXPECT_TRUE(graph.relation(BaseRelation::SameVirtualAddress).sometimes.empty());
  EXPECT_EQ(described(graph, 0), (std::vector<std::string>{"W x", "W x as t"}));
  EXPECT_EQ(described(graph, 1), (std::vector<std::string>{"R.texture x as t", "R x"}));
}

TEST(Aliases, WithoutThemAnAddressIsALocation) {
  ProgramBuilder p;
  const Expr x = p.global("x");
  const Expr a = p.array("a", 2);
  ThreadBuilder& t = p.thread("P0", {});
  const RegisterId r = t.load(x);
  t.store(element(a, t.value(r)), 1).store(a, 2);
  p.thread("P1", {.block = 1}).store(x, 1);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(always_pairs(graph, BaseRelation::SameVirtualAddress), always_pairs(graph, BaseRelation::SameLocation));
  const auto& loc = graph.relation(BaseRelation::SameLocation).sometimes;
  const auto& vloc = graph.relation(BaseRelation::SameVirtualAddress).sometimes;
  ASSERT_EQ(vloc.size(), loc.size());
  EXPECT_GT(loc.size(), 0U);
  for (std::size_t i = 0; i < loc.size(); ++i) EXPECT_EQ(vloc[i].condition, loc[i].condition);
}

TEST(Aliases, ElementsOfAnArray) {
  ProgramBuilder p;
  const Expr x = p.global("x");    // 0
  const Expr a = p.array("a", 2);  // 1, 2
  const Expr b = p.alias("b", a);
  ThreadBuilder& t = p.thread("P0", {});
  const RegisterId r = t.load(x);       // 3
  t.store(element(b, t.value(r)), 1);   // 4: b[r]
  t.store(element(a, constant(1)), 2);  // 5: a[1]
  t.store(element(b, constant(1)), 3);  // 6: b[1]
  p.thread("P1", {.block = 1}).store(x, 1);
  const EventGraph graph = graph_of(p);
  EXPECT_EQ(graph.events[4].locations, (std::vector<LocationId>{1, 2}));
  EXPECT_EQ(value_of(graph, graph.events[4].address, {{3, 1}}), make_address(2, 1));
  EXPECT_EQ(value_of(graph, graph.events[4].cell, {{3, 1}}), make_address(1, 1));
  for (const EventId other : {EventId{5}, EventId{6}}) {
    const NodeId met = condition_of(graph, BaseRelation::SameLocation, 4, other);
    EXPECT_EQ(value_of(graph, met, {{3, 1}}), 1);
    EXPECT_EQ(value_of(graph, met, {{3, 0}}), 0);
  }
  EXPECT_EQ(condition_of(graph, BaseRelation::SameVirtualAddress, 4, 5), ValueGraph::kFalse);
  const NodeId by_one_name = condition_of(graph, BaseRelation::SameVirtualAddress, 6, 4);
  expect_distinguishes(graph, by_one_name, {{3, 1}}, {{3, 0}});
  // The initial write of a[0] applies to every name of this cell.
  const NodeId initial = condition_of(graph, BaseRelation::SameVirtualAddress, 1, 4);
  expect_distinguishes(graph, initial, {{3, 0}}, {{3, 1}});
  EXPECT_TRUE(graph.incidents.empty());
}

class AliasPointer : public ::testing::Test {
 protected:
  ProgramBuilder program_;
  Expr x_ = program_.global("x");  // location 0
  Expr y_ = program_.global("y");  // location 1
  Expr t_ = program_.alias("t", x_);
  Expr pointer_ = program_.declare("p", 1, false, MemorySpace::Global, x_.constant, kLongLong);  // location 2
};

TEST_F(AliasPointer, OneCellByOneOfTwoNames) {
  ThreadBuilder& t = program_.thread("P0", {});
  const RegisterId r = t.load(pointer_, {}, kLongLong);  // 3
  t.store(t.value(r), 1);                                // 4: x or t
  t.store(x_, 2);                                        // 5
  t.store(t_, 3);                                        // 6
  program_.thread("P1", {.block = 1}).store(pointer_, t_, {}, LockRole::None, kLongLong);
  const EventGraph graph = graph_of(program_);
  EXPECT_EQ(graph.events[4].locations, (std::vector<LocationId>{0}));
  EXPECT_TRUE(graph.events[4].is_unconditional());
  EXPECT_EQ(condition_of(graph, BaseRelation::SameLocation, 4, 5), ValueGraph::kTrue);
  EXPECT_EQ(condition_of(graph, BaseRelation::SameLocation, 4, 6), ValueGraph::kTrue);
  const NodeId as_x = condition_of(graph, BaseRelation::SameVirtualAddress, 4, 5);
  const NodeId as_t = condition_of(graph, BaseRelation::SameVirtualAddress, 4, 6);
  expect_distinguishes(graph, as_x, {{3, x_.constant}}, {{3, t_.constant}});
  expect_distinguishes(graph, as_t, {{3, t_.constant}}, {{3, x_.constant}});
  EXPECT_TRUE(graph.incidents.empty());
}

TEST_F(AliasPointer, UnknownPointer) {
  ThreadBuilder& t = program_.thread("P0", {});
  const RegisterId r = t.load(pointer_, {}, kLongLong);  // 3
  t.store(t.value(r), 1);                                // 4: anywhere
  t.store(x_, 2);                                        // 5
  ThreadBuilder& other = program_.thread("P1", {.block = 1});
  const RegisterId s = other.load(pointer_, {}, kLongLong);
  other.store(pointer_, binary(Op::Add, other.value(s), constant(1, kLongLong), kLongLong), {}, LockRole::None,
              kLongLong);
  const EventGraph graph = graph_of(program_);
  EXPECT_EQ(graph.events[4].locations, (std::vector<LocationId>{0, 1, 2}));
  for (const Value address : {x_.constant, t_.constant}) {
    EXPECT_EQ(value_of(graph, graph.events[4].guard, {{3, address}}), 1);
    EXPECT_EQ(value_of(graph, condition_of(graph, BaseRelation::SameLocation, 4, 5), {{3, address}}), 1);
    EXPECT_EQ(value_of(graph, condition_of(graph, BaseRelation::SameVirtualAddress, 4, 5), {{3, address}}),
              address == x_.constant ? 1 : 0);
  }
  EXPECT_EQ(value_of(graph, condition_of(graph, BaseRelation::SameLocation, 4, 5), {{3, y_.constant}}), 0);
  EXPECT_EQ(value_of(graph, graph.events[4].guard, {{3, t_.constant + 1}}), 0);  // past the end of t
}

TEST_F(AliasPointer, ALockHasOneStateUnderAllNames) {
  ThreadBuilder& t = program_.thread("P0", {});
  t.spin_cas(x_);     // 3, 4
  t.fence();          // 5
  t.store(y_, 1);     // 6
  t.fence();          // 7
  t.exchange(t_, 0);  // 8, 9
  const EventGraph graph = graph_of(program_);
  EXPECT_EQ(always_pairs(graph, BaseRelation::CriticalSection), (Pairs{{3, 9}}));
}

}  // namespace
}  // namespace ambit::events
