#include "model/events/value_graph.h"

#include <gtest/gtest.h>

#include <random>

namespace ambit::events {
namespace {

constexpr NodeId kFalse = ValueGraph::kFalse;
constexpr NodeId kTrue = ValueGraph::kTrue;

class ValueGraphTest : public ::testing::Test {
 protected:
  NodeId is(EventId event, Value value) { return graph_.equal(graph_.read(event, kInt), graph_.constant(value), kInt); }
  NodeId both(NodeId a, NodeId b) { return graph_.conjunction(a, b); }
  NodeId either(NodeId a, NodeId b) { return graph_.disjunction(a, b); }
  NodeId no(NodeId a) { return graph_.negation(a); }
  NodeId make(Op op, ScalarType type, NodeId a, NodeId b) { return graph_.make(op, type, std::array{a, b}); }

  ValueGraph graph_;
};

TEST_F(ValueGraphTest, ConstantsZeroAndOneHaveTheirPlaces) {
  EXPECT_EQ(graph_.constant(0), kFalse);
  EXPECT_EQ(graph_.constant(1), kTrue);
  EXPECT_NE(graph_.constant(0, kLongLong), kFalse);
  EXPECT_EQ(graph_.truth(graph_.constant(0, kLongLong)), kFalse);
  EXPECT_EQ(graph_.truth(graph_.constant(7, kLongLong)), kTrue);
}

TEST_F(ValueGraphTest, EqualNodesHaveEqualIds) {
  const NodeId a = make(Op::Add, kInt, graph_.read(3, kInt), graph_.constant(5));
  EXPECT_EQ(a, make(Op::Add, kInt, graph_.constant(5), graph_.read(3, kInt)));
  EXPECT_EQ(is(3, 1), graph_.equal(graph_.constant(1), graph_.read(3, kInt), kInt));
}

TEST_F(ValueGraphTest, ConstantsAreFoldedInTheOperandType) {
  // As an unsigned number, -1 is the largest value.
  EXPECT_EQ(make(Op::Less, kUnsigned, graph_.constant(0), graph_.constant(-1)), kTrue);
  EXPECT_EQ(make(Op::Less, kInt, graph_.constant(0), graph_.constant(-1)), kFalse);
  EXPECT_EQ(make(Op::Add, ScalarType({8, false}), graph_.constant(255), graph_.constant(1)),
            graph_.constant(0, {8, false}));
}

TEST_F(ValueGraphTest, JoinOfBothBranchesIsTheIncomingGuard) {
  const NodeId g = is(0, 1);
  const NodeId c = is(1, 1);
  EXPECT_EQ(either(both(g, c), both(g, no(c))), g);
  EXPECT_EQ(either(c, no(c)), kTrue);
  EXPECT_EQ(both(g, both(c, no(g))), kFalse);
}

TEST_F(ValueGraphTest, JoinsInAnyOrderOfThreeWaysOut) {
  const NodeId g = is(0, 1);
  const NodeId c = is(1, 1);
  const NodeId d = is(2, 1);
  const NodeId paths[3] = {both(both(g, c), d), both(g, no(c)), both(both(g, c), no(d))};
  EXPECT_EQ(either(either(paths[0], paths[1]), paths[2]), g);
  EXPECT_EQ(either(paths[1], either(paths[2], paths[0])), g);
}

TEST_F(ValueGraphTest, ComparisonsWithConstantsSeeThroughCastsSumsAndSelections) {
  const NodeId r = graph_.read(0, kInt);
  const NodeId wide = graph_.cast(r, kLongLong);
  const NodeId address = make(Op::Add, kLongLong, wide, graph_.constant(Value{1} << 32, kLongLong));
  EXPECT_EQ(graph_.equal(address, graph_.constant((Value{1} << 32) + 2, kLongLong), kLongLong), is(0, 2));
  EXPECT_EQ(graph_.equal(address, graph_.constant(Value{1} << 33, kLongLong), kLongLong), kFalse);
  // int r1 = -1; if (r0 == 1) r1 = x;   r1 == 0
  const NodeId selected = graph_.select(is(0, 1), graph_.read(1, kInt), graph_.constant(-1), kInt);
  EXPECT_EQ(graph_.equal(selected, graph_.constant(0), kInt), both(is(0, 1), is(1, 0)));
  EXPECT_EQ(graph_.equal(selected, graph_.constant(-1), kInt), either(no(is(0, 1)), is(1, -1)));
}

TEST_F(ValueGraphTest, TruthOfAReadAndItsComparisonsAgree) {
  const NodeId r = graph_.read(0, kInt);
  EXPECT_EQ(graph_.truth(r), no(is(0, 0)));
  EXPECT_EQ(make(Op::NotEqual, kInt, r, graph_.constant(0)), no(is(0, 0)));
  EXPECT_EQ(graph_.negation(r), is(0, 0));
  const NodeId c = graph_.constant(4);
  EXPECT_EQ(make(Op::GreaterEqual, kInt, r, c), no(make(Op::Less, kInt, r, c)));
  EXPECT_EQ(make(Op::LessEqual, kInt, r, c), no(make(Op::Less, kInt, c, r)));
}

TEST_F(ValueGraphTest, ArithmeticThatCarriesASyntacticDependencyStays) {
  const NodeId r = graph_.read(0, kInt);
  EventSet reads(4);
  graph_.collect_reads(make(Op::BitXor, kInt, r, r), reads);
  EXPECT_TRUE(reads.contains(0));
  EXPECT_EQ(make(Op::Add, kInt, r, graph_.constant(0)), r);
}

TEST_F(ValueGraphTest, GivenUsesTheAssumption) {
  const NodeId success = is(0, 0);
  EXPECT_EQ(graph_.given(success, success), kTrue);
  EXPECT_EQ(graph_.given(no(success), success), kFalse);
  const NodeId g = is(1, 1);
  const NodeId c = is(2, 1);
  EXPECT_EQ(graph_.given(both(g, c), g), c);
  EXPECT_EQ(graph_.given(both(g, c), c), g);
  EXPECT_EQ(graph_.given(g, both(g, c)), kTrue);
}

TEST_F(ValueGraphTest, CollectReadsFollowsSelections) {
  const NodeId node = graph_.select(is(3, 1), graph_.read(5, kInt), graph_.constant(-1), kInt);
  EventSet reads(8);
  graph_.collect_reads(node, reads);
  EXPECT_EQ(reads.count(), 2U);
  EXPECT_TRUE(reads.contains(3));
  EXPECT_TRUE(reads.contains(5));
}

TEST_F(ValueGraphTest, CompactKeepsWhatRootsNeed) {
  make(Op::Multiply, kInt, graph_.read(7, kInt), graph_.constant(3));
  const NodeId root = both(is(1, 4), is(2, 5));
  const std::vector<EventId> events = {0, 10, 20, 3, 4, 5, 6, 7};
  const std::vector<NodeId> map = graph_.compact(std::array{root}, events);
  // The nodes are the constants 0, 1, 4 and 5, two reads, two comparisons, and the conjunction of the comparisons.
  EXPECT_EQ(graph_.size(), 9U);
  EXPECT_EQ(map[root], both(is(10, 4), is(20, 5)));
}

/// Compares random boolean combinations of four comparisons with separately computed truth tables. Two combinations
/// with equal tables must be the same node.
TEST_F(ValueGraphTest, BooleansAreCanonical) {
  std::mt19937 random(7);
  std::vector<std::pair<NodeId, std::uint16_t>> known = {{kFalse, 0}, {kTrue, 0xffff}};
  constexpr std::uint16_t kTables[4] = {0xaaaa, 0xcccc, 0xf0f0, 0xff00};
  for (EventId e = 0; e < 4; ++e) known.emplace_back(is(e, 1), kTables[e]);
  const auto pick = [&] { return known[random() % known.size()]; };
  for (int round = 0; round < 4000; ++round) {
    const auto [a, table_a] = pick();
    const auto [b, table_b] = pick();
    const auto [c, table_c] = pick();
    switch (random() % 4) {
      case 0: known.emplace_back(both(a, b), table_a & table_b); break;
      case 1: known.emplace_back(either(a, b), table_a | table_b); break;
      case 2: known.emplace_back(no(a), ~table_a); break;
      default: known.emplace_back(graph_.select(a, b, c, kInt), (table_a & table_b) | (~table_a & table_c)); break;
    }
    const NodeId simplified = graph_.given(a, c);
    EXPECT_EQ(both(simplified, c), both(a, c));
  }
  std::vector<NodeId> by_table(0x10000, kNoEvent);
  for (const auto& [node, table] : known) {
    if (by_table[table] == kNoEvent) by_table[table] = node;
    ASSERT_EQ(by_table[table], node) << table;
  }
  std::vector<Value> values;
  for (unsigned row = 0; row < 16; ++row) {
    const std::array<Value, 4> reads = {row & 1U, (row >> 1U) & 1U, (row >> 2U) & 1U, (row >> 3U) & 1U};
    evaluate(graph_, reads, values);
    for (const auto& [node, table] : known) ASSERT_EQ(values[node], (table >> row) & 1U);
  }
}

TEST(ValueGraphLimits, MoreNodesThanAllowedStop) {
  ValueGraph graph;
  graph.set_most_nodes(graph.size() + 2);
  graph.read(0, kInt);
  const NodeId last = graph.read(1, kInt);
  EXPECT_EQ(graph.read(1, kInt), last);  // it already exists
  EXPECT_THROW(graph.read(2, kInt), Stopped);
}

}  // namespace
}  // namespace ambit::events
