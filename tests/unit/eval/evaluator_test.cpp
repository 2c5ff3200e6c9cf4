#include "model/eval/evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/eval/enumerate.h"
#include "model/eval/plan.h"
#include "tests/support/models.h"
#include "tests/support/programs.h"

namespace ambit::eval {
namespace {

using events::EventGraph;
using events::EventId;
using events::Execution;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ModelBuilder;
using testing::ProgramBuilder;
using Pairs = std::vector<std::pair<EventId, EventId>>;

/// Message passing, with the interleaving W x, W y, R y = 1, R x = 1. The events are 0 IW x, 1 IW y, 2 W x, 3 W y, 4 R
/// y, 5 R x.
class MessagePassing : public ::testing::Test {
 protected:
  MessagePassing() {
    ProgramBuilder p({"x", "y"});
    p.thread().store("x", 1).store("y", 1, Order::Relaxed);
    p.thread().load("r0", "y", Order::Relaxed).load("r1", "x");
    graph = p.graph();
    execution.executed = events::EventSet(6);
    execution.executed.fill();
    execution.values = {0, 0, 1, 1, 1, 1};
    execution.locations = {0, 1, 0, 1, 1, 0};
    execution.reads_from = {events::kNoEvent, events::kNoEvent, events::kNoEvent, events::kNoEvent, 3, 2};
    execution.coherence = {{0, 2}, {1, 3}};
  }

  Pairs pairs(rules::TermId term) {
    Pairs result;
    evaluate_term(graph, m.rules, execution, term).for_each([&](EventId a, EventId b) { result.emplace_back(a, b); });
    return result;
  }
  std::string flaw() { return find_flaw(graph, m.rules, execution).value_or(""); }

  EventGraph graph;
  Execution execution;
  ModelBuilder m{"test"};
};

TEST_F(MessagePassing, ChosenRelations) {
  EXPECT_THAT(pairs(m.rf()), ElementsAre(std::pair(2, 5), std::pair(3, 4)));
  EXPECT_THAT(pairs(m.co()), ElementsAre(std::pair(0, 2), std::pair(1, 3)));
  EXPECT_THAT(pairs(m.fr()), IsEmpty());
  execution.reads_from[5] = 0;
  EXPECT_THAT(pairs(m.fr()), ElementsAre(std::pair(5, 2)));
}

TEST_F(MessagePassing, BaseSetsAndRelations) {
  EXPECT_THAT(pairs(m.set(BaseSet::Read)), ElementsAre(std::pair(4, 4), std::pair(5, 5)));
  EXPECT_THAT(pairs(m.po()), ElementsAre(std::pair(2, 3), std::pair(4, 5)));
}

TEST_F(MessagePassing, BooleanOperators) {
  EXPECT_THAT(pairs(m.any(m.po(), m.rf())),
              ElementsAre(std::pair(2, 3), std::pair(2, 5), std::pair(3, 4), std::pair(4, 5)));
  EXPECT_THAT(pairs(m.both(m.any(m.po(), m.rf()), m.loc())), ElementsAre(std::pair(2, 5), std::pair(3, 4)));
  EXPECT_THAT(pairs(m.without(m.rf(), m.product(m.set(BaseSet::NonAtomic), m.set(BaseSet::Universe)))),
              ElementsAre(std::pair(3, 4)));
}

TEST_F(MessagePassing, ComplementIsOfExecutedEvents) {
  EXPECT_EQ(pairs(m.complement(m.po())).size(), 34U);
  EXPECT_THAT(pairs(m.complement(m.set(BaseSet::Write))), ElementsAre(std::pair(4, 4), std::pair(5, 5)));
}

TEST_F(MessagePassing, SequenceInverseClosure) {
  EXPECT_THAT(pairs(m.sequence(m.po(), m.rf())), ElementsAre(std::pair(2, 4)));
  EXPECT_THAT(pairs(m.inverse(m.po())), ElementsAre(std::pair(3, 2), std::pair(5, 4)));
  EXPECT_THAT(pairs(m.closure(m.any(m.po(), m.rf()))), ElementsAre(std::pair(2, 3), std::pair(2, 4), std::pair(2, 5),
                                                                   std::pair(3, 4), std::pair(3, 5), std::pair(4, 5)));
  EXPECT_EQ(pairs(m.optional(m.po())).size(), 8U);
}

TEST_F(MessagePassing, SetsAndRelations) {
  EXPECT_THAT(pairs(m.identity(m.set(BaseSet::Read))), ElementsAre(std::pair(4, 4), std::pair(5, 5)));
  EXPECT_THAT(pairs(m.product(m.set(BaseSet::InitialWrite), m.set(BaseSet::Read))),
              ElementsAre(std::pair(0, 4), std::pair(0, 5), std::pair(1, 4), std::pair(1, 5)));
  EXPECT_THAT(pairs(m.domain(m.rf())), ElementsAre(std::pair(2, 2), std::pair(3, 3)));
  EXPECT_THAT(pairs(m.range(m.rf())), ElementsAre(std::pair(4, 4), std::pair(5, 5)));
}

// let rec h = po | rf | (h ; h): the closure of po | rf.
TEST_F(MessagePassing, LeastFixedPoint) {
  const auto h = m.variable("h", 0);
  m.body(h, m.any(m.any(m.po(), m.rf()), m.sequence(h, h)));
  EXPECT_EQ(pairs(h), pairs(m.closure(m.any(m.po(), m.rf()))));
}

// let rec a = po | (b ; rf) and b = a. Besides po, a contains the pairs of b ; rf. The only such path is W x po W y rf
// R y, which gives the pair (2, 4).
TEST_F(MessagePassing, MutualFixedPoint) {
  const auto a = m.variable("a", 0);
  const auto b = m.variable("b", 0);
  m.body(a, m.any(m.po(), m.sequence(b, m.rf())));
  m.body(b, a);
  EXPECT_THAT(pairs(b), ElementsAre(std::pair(2, 3), std::pair(2, 4), std::pair(4, 5)));
  // A variable whose definition contains only itself is empty.
  const auto nothing = m.variable("nothing", 1);
  m.body(nothing, m.sequence(nothing, m.po()));
  EXPECT_THAT(pairs(nothing), IsEmpty());
}

TEST_F(MessagePassing, TestsAndFlags) {
  m.acyclic(m.any(m.po(), m.rf()), "a").irreflexive(m.loc(), "i").empty(m.fr(), "e").empty(m.po(), "not empty", true);
  m.flag_not_empty(m.rf());
  m.rules.flags.push_back({"cycle", rules::Test::Acyclic, true, m.any(m.po(), m.inverse(m.po())), {}});
  m.rules.flags.push_back({"loop", rules::Test::Irreflexive, true, m.loc(), {}});
  m.rules.flags.push_back({"silent", rules::Test::Empty, false, m.fr(), {}});
  const Evaluation evaluation = evaluate(graph, m.rules, execution);
  EXPECT_THAT(evaluation.axioms, ElementsAre(true, false, true, true));
  EXPECT_FALSE(evaluation.allowed());
  EXPECT_THAT(evaluation.flags, ElementsAre(true, true, true, true));
  EXPECT_EQ(evaluation.flag_pairs[0].count(), 2U);
  EXPECT_EQ(evaluation.flag_pairs[1].count(), 4U);  // two cycles of two events each
  EXPECT_EQ(evaluation.flag_pairs[2].count(), 6U);
  EXPECT_TRUE(evaluation.flag_pairs[3].empty());
}

TEST_F(MessagePassing, NoFlaw) { EXPECT_EQ(flaw(), ""); }

TEST_F(MessagePassing, FlawsOfExecutions) {
  const auto expect = [&](auto&& spoil, const std::string& message) {
    const Execution saved = execution;
    spoil(execution);
    EXPECT_THAT(flaw(), HasSubstr(message));
    execution = saved;
  };
  expect([](Execution& e) { e.values.pop_back(); }, "does not have 6 events");
  expect([](Execution& e) { e.coherence.pop_back(); }, "orders the writes of 1 locations out of 2");
  expect([](Execution& e) { e.orders.emplace_back(); }, "declared orders");
  expect([](Execution& e) { e.executed.erase(2); }, "is not executed but its guard is 1");
  expect([](Execution& e) { e.values[2] = 7; }, "has the value 7 where the program computes 1");
  expect([](Execution& e) { e.locations[2] = 1; }, "differs from its address");
  expect([](Execution& e) { e.reads_from[5] = events::kNoEvent; }, "reads from no write");
  expect([](Execution& e) { e.reads_from[5] = 4; }, "not an executed write");
  expect([](Execution& e) { e.reads_from[5] = 3; }, "another location");
  expect([](Execution& e) { e.reads_from[5] = 0; }, "which writes 0");
  expect([](Execution& e) { e.reads_from[2] = 0; }, "is not an executed read");
  expect([](Execution& e) { e.coherence[0] = {2, 0}; }, "does not begin with the initial write");
  expect([](Execution& e) { e.coherence[0] = {0}; }, "not an order of its executed writes");
  expect([](Execution& e) { e.coherence[0] = {0, 2, 2}; }, "not an order of its executed writes");
  expect([](Execution& e) { e.coherence[0] = {}; }, "not an order of its executed writes");
}

TEST_F(MessagePassing, FlawsOfModels) {
  m.empty(m.rf(), "no-reads");
  EXPECT_THAT(flaw(), HasSubstr("axiom no-reads of test forbids it"));
}

TEST_F(MessagePassing, FlawsOfDeclaredOrders) {
  m.order_on(m.set(BaseSet::Read), "tr");
  execution.orders = {{4, 5}};
  EXPECT_EQ(flaw(), "");
  execution.orders = {{5, 4}};
  EXPECT_EQ(flaw(), "");
  execution.orders = {{4}};
  EXPECT_THAT(flaw(), HasSubstr("tr is not an order"));
  execution.orders = {{3, 4, 5}};
  EXPECT_THAT(flaw(), HasSubstr("tr is not an order"));
}

TEST(FindFlaw, ValuesOutOfThinAir) {
  ProgramBuilder p({"x", "y"});
  p.thread().load("r0", "x").store_register("y", "r0");
  p.thread().load("r0", "y").store_register("x", "r0");
  Execution execution;  // 0, 1 initial; 2 R x; 3 W y; 4 R y; 5 W x
  execution.executed = events::EventSet(6);
  execution.executed.fill();
  execution.values = {0, 0, 42, 42, 42, 42};
  execution.locations = {0, 1, 0, 1, 1, 0};
  execution.reads_from = {events::kNoEvent, events::kNoEvent, 5, events::kNoEvent, 3, events::kNoEvent};
  execution.coherence = {{0, 5}, {1, 3}};
  const ModelBuilder model = testing::nothing();
  EXPECT_THAT(find_flaw(p.graph(), model.rules, execution).value_or(""), HasSubstr("depends on itself"));
}

TEST(FindFlaw, SpinLoopThatDoesNotEnd) {
  ProgramBuilder p({"x"});
  p.thread().spin_until("x", 1);
  Execution execution;
  execution.executed = events::EventSet(2);
  execution.executed.fill();
  execution.values = {0, 0};
  execution.locations = {0, 0};
  execution.reads_from = {events::kNoEvent, 0};
  execution.coherence = {{0}};
  const ModelBuilder model = testing::nothing();
  EXPECT_THAT(find_flaw(p.graph(), model.rules, execution).value_or(""), HasSubstr("spin loop does not end"));
}

TEST(Plan, StaticLevelMatchesTheStaticTermsOfRules) {
  ModelBuilder m("test");
  const auto v = m.variable("v", 0);
  const auto w = m.variable("w", 1);
  const auto order = m.order_on(m.set(BaseSet::Fence));
  m.body(v, m.any(m.po(), m.sequence(v, m.loc())));
  m.body(w, m.any(m.rf(), m.sequence(w, v)));
  m.acyclic(m.any(m.sequence(w, m.co()), m.both(order, m.complement(v))));
  const Plan plan(m.rules);
  const std::vector<bool> is_static = rules::static_terms(m.rules);
  for (rules::TermId term = 0; term < m.rules.terms.size(); ++term) {
    EXPECT_EQ(plan.level(term) == Level::Static, is_static[term]) << rules::to_string(m.rules, term);
  }
  EXPECT_EQ(plan.level(w), Level::ReadsFrom);
  EXPECT_EQ(plan.level(order), Level::Order);
}

}  // namespace
}  // namespace ambit::eval
