// Tests accesses with an address that depends on a value read.

#include "tests/unit/events/graph_helpers.h"

namespace ambit::events {
namespace {

using Locations = std::vector<LocationId>;

class Addresses : public ::testing::Test {
 protected:
  /// Adds a thread that increments x, so the static analysis does not know which values x has.
  void count_on(const Expr& x) { program_.thread("counter", {}).fetch(RmwOp::Add, x, 1); }

  ProgramBuilder program_;
  Expr x_ = program_.global("x");    // location 0
  Expr a_ = program_.array("a", 3);  // locations 1 2 3
  Expr y_ = program_.global("y");    // location 4
  ThreadBuilder& t_ = program_.thread("P0", {});
};

TEST_F(Addresses, UnknownIndexMayTouchTheWholeArrayAndFallOutside) {
  const RegisterId r = t_.load(x_);       // 5
  t_.store(element(a_, t_.value(r)), 7);  // 6
  t_.load(element(a_, constant(1)));      // 7
  count_on(x_);
  const EventGraph graph = graph_of(program_);
  EXPECT_EQ(graph.events[6].locations, (Locations{1, 2, 3}));
  expect_distinguishes(graph, graph.events[6].guard, {{5, 2}}, {{5, 3}});
  EXPECT_EQ(value_of(graph, graph.events[6].guard, {{5, -1}}), 0);
  EXPECT_EQ(value_of(graph, graph.events[6].address, {{5, 2}}), make_address(1, 2));
  ASSERT_EQ(graph.incidents.size(), 1U);
  EXPECT_EQ(graph.incidents[0].kind, Incident::Kind::OutOfBounds);
  expect_distinguishes(graph, graph.incidents[0].condition, {{5, 3}}, {{5, 0}});
  EXPECT_EQ(graph.describe(6), "W a[?]");

  EXPECT_EQ(always_pairs(graph, BaseRelation::AddressDependency), (Pairs{{5, 6}}));
  // The check that an address is within its array is not a branch.
  EXPECT_TRUE(always_pairs(graph, BaseRelation::ControlDependency).empty());
  // The relation loc is symmetric. If the index matches, loc relates the store to the initial writes of the array's
  // cells and to the read of a[1].
  const auto& same = graph.relation(BaseRelation::SameLocation);
  EXPECT_TRUE(same.always.contains(6, 6));
  EXPECT_TRUE(same.always.contains(2, 7));
  EXPECT_EQ(same.sometimes.size(), 8U);
  for (const auto& pair : same.sometimes) {
    const EventId other = pair.from == 6 ? pair.to : pair.from;
    const Value index = other == 7 ? 1 : static_cast<Value>(other) - 1;
    EXPECT_EQ(value_of(graph, pair.condition, {{5, index}}), 1);
    EXPECT_EQ(value_of(graph, pair.condition, {{5, index + 1}}), 0);
  }
}

// Each step uses the previous value twice, so there are 2^60 paths through the operands.
TEST_F(Addresses, OperandsThatManyPathsShareAreVisitedOnce) {
  const RegisterId r = t_.load(x_, {}, kLongLong);  // 5
  for (int i = 0; i < 60; ++i) t_.assign(r, binary(Op::Add, t_.value(r), t_.value(r), kLongLong));
  const Expr masked = binary(Op::BitAnd, t_.value(r), constant(1, kLongLong), kLongLong);
  t_.store(element(a_, masked), 7);  // 6
  count_on(x_);
  const EventGraph graph = graph_of(program_);
  EXPECT_EQ(value_of(graph, graph.events[6].address, {{5, 3}}), make_address(1, 0));
}

TEST_F(Addresses, StaticValuesNarrowTheIndex) {
  program_.thread("P1", {}).store(x_, 1);
  const RegisterId r = t_.load(x_);       // 0 or 1
  t_.store(element(a_, t_.value(r)), 7);  // 6
  const EventGraph graph = graph_of(program_);
  EXPECT_EQ(graph.events[6].locations, (Locations{1, 2}));
  EXPECT_TRUE(graph.events[6].is_unconditional());
  EXPECT_TRUE(graph.incidents.empty());
}

TEST_F(Addresses, BranchOnTheIndexProvesTheBounds) {
  program_.thread("P1", {}).store(x_, 9);
  const RegisterId r = t_.load(x_);  // 0 or 9
  const Label end = t_.later();
  t_.branch(logical_not(t_.value(r) < 3), end);
  t_.store(element(a_, t_.value(r)), 7);  // 6
  t_.place(end);
  const EventGraph graph = graph_of(program_);
  EXPECT_EQ(graph.events[6].locations, (Locations{1}));
  EXPECT_TRUE(graph.incidents.empty());
}

TEST_F(Addresses, TwoUnknownAddressesMeetWhereTheyAreEqual) {
  const RegisterId r = t_.load(x_);       // 5
  const RegisterId s = t_.load(x_);       // 6
  t_.store(element(a_, t_.value(r)), 7);  // 7
  t_.store(element(a_, t_.value(s)), 8);  // 8
  count_on(x_);
  const EventGraph graph = graph_of(program_);
  bool found = false;
  for (const auto& pair : graph.relation(BaseRelation::SameLocation).sometimes) {
    if (pair.from != 7 || pair.to != 8) continue;
    EXPECT_FALSE(found);
    found = true;
    EXPECT_EQ(value_of(graph, pair.condition, {{5, 2}, {6, 2}}), 1);
    EXPECT_EQ(value_of(graph, pair.condition, {{5, 2}, {6, 1}}), 0);
  }
  EXPECT_TRUE(found);
}

TEST_F(Addresses, PointerFromMemoryMayPointAnywhere) {
  const Expr pointer = program_.declare("p", 1, false, MemorySpace::Global, make_address(2, 0), kLongLong);  // 5
  const RegisterId r = t_.load(pointer, {}, kLongLong);                                                      // event 6
  t_.store(t_.value(r), 7);                                                                                  // event 7
  ThreadBuilder& other = program_.thread("P1", {});
  const RegisterId s = other.load(pointer, {}, kLongLong);
  other.store(pointer, binary(Op::Add, other.value(s), constant(1, kLongLong), kLongLong), {}, LockRole::None,
              kLongLong);
  const EventGraph graph = graph_of(program_);
  EXPECT_EQ(graph.events[7].locations.size(), 6U);
  EXPECT_EQ(value_of(graph, graph.events[7].guard, {{6, make_address(2, 0)}}), 1);
  EXPECT_EQ(value_of(graph, graph.events[7].guard, {{6, make_address(2, 1)}}), 0);
  EXPECT_EQ(value_of(graph, graph.events[7].guard, {{6, 0}}), 0);
}

TEST_F(Addresses, PointerThatIsOneOfTwo) {
  const Expr pointer = program_.declare("p", 1, false, MemorySpace::Global, make_address(0, 0), kLongLong);
  program_.thread("P1", {}).store(pointer, constant(make_address(2, 0), kLongLong), {}, LockRole::None, kLongLong);
  const RegisterId r = t_.load(pointer, {}, kLongLong);
  t_.store(t_.value(r), 7);  // event 7: x or y
  const EventGraph graph = graph_of(program_);
  EXPECT_EQ(graph.events[7].locations, (Locations{0, 4}));
  EXPECT_TRUE(graph.incidents.empty());
  EXPECT_EQ(graph.describe(7), "W x|y");
}

TEST_F(Addresses, NullPointer) {
  const RegisterId r = t_.load(constant(0, kLongLong));
  t_.store(y_, t_.value(r));
  const EventGraph graph = graph_of(program_);
  EXPECT_EQ(described(graph, 0), (std::vector<std::string>{"W y"}));
  ASSERT_EQ(graph.incidents.size(), 1U);
  EXPECT_EQ(graph.incidents[0].kind, Incident::Kind::OutOfBounds);
}

TEST_F(Addresses, FailedLoadGivesZero) {
  const RegisterId r = t_.load(x_);                        // 5
  const RegisterId s = t_.load(element(a_, t_.value(r)));  // 6
  t_.store(y_, t_.value(s));                               // 7
  count_on(x_);
  const EventGraph graph = graph_of(program_);
  EXPECT_EQ(value_of(graph, graph.events[7].value, {{5, 1}, {6, 42}}), 42);
  EXPECT_EQ(value_of(graph, graph.events[7].value, {{5, 5}, {6, 42}}), 0);
}

TEST_F(Addresses, DependencyThroughAnIndexThatCancelsOut) {
  const RegisterId r = t_.load(x_);                                        // 5
  t_.store(element(a_, binary(Op::BitXor, t_.value(r), t_.value(r))), 1);  // 6: a[r ^ r]
  count_on(x_);
  const EventGraph graph = graph_of(program_);
  EXPECT_EQ(always_pairs(graph, BaseRelation::AddressDependency), (Pairs{{5, 6}}));
}

}  // namespace
}  // namespace ambit::events
