#include "tests/unit/events/graph_helpers.h"

namespace ambit::events {
namespace {

using Events = std::vector<EventId>;
constexpr GraphOptions kWithTransactions = {.mappings = {.transactions = true}};

class TransactionsOfOneThread : public OneThread {};

TEST_F(TransactionsOfOneThread, AModelWithoutTransactionsRefusesThem) {
  t.begin_transaction().end_transaction();
  const auto built = build(p.build(), {});
  ASSERT_FALSE(built.ok());
  EXPECT_EQ(built.errors().front().message, "this model has no transactions");
}

TEST_F(TransactionsOfOneThread, EventsOfOneTransactionAreRelated) {
  const Expr x = p.global("x");  // Event 0.
  t.store(x, 1);                 // 1
  t.begin_transaction(Scope::Block);
  t.load(x);      // Event 2.
  t.store(x, 2);  // 3
  t.end_transaction();
  t.begin_transaction();
  t.store(x, 3);  // 4
  t.end_transaction();
  const EventGraph graph = graph_of(p, kWithTransactions);
  EXPECT_EQ(always_members(graph, BaseSet::Transaction), (Events{2, 3, 4}));
  EXPECT_EQ(always_members(graph, BaseSet::TransactionBlock), (Events{2, 3}));
  EXPECT_EQ(always_members(graph, BaseSet::TransactionDevice), (Events{4}));
  EXPECT_EQ(always_pairs(graph, BaseRelation::SameTransaction), (Pairs{{2, 2}, {2, 3}, {3, 2}, {3, 3}, {4, 4}}));
  EXPECT_EQ(always_pairs(graph, BaseRelation::SameFailedTransaction), Pairs{});
}

TEST_F(TransactionsOfOneThread, FencesAreOutside) {
  const Expr x = p.global("x");
  t.begin_transaction(Scope::Block);
  t.store(x, 1);
  t.end_transaction();
  const EventGraph graph = graph_of(p, {.mappings = {.transactions = true, .transaction_fences = true}});
  EXPECT_EQ(described(graph, 0), (Strings{"F.sc.cta", "W x", "F.sc.cta"}));
  EXPECT_EQ(always_members(graph, BaseSet::Transaction), (Events{2}));
}

// The begin event chooses whether the transaction commits. This choice must agree with the register at the end of the
// transaction.
TEST_F(TransactionsOfOneThread, WritesHappenOnlyIfItCommits) {
  const Expr x = p.global("x");    // Event 0.
  t.begin_transaction();           // Event 1: the choice.
  t.store(x, 1);                   // Event 2.
  const RegisterId r = t.load(x);  // The load runs only if the transaction commits; otherwise r is 1.
  t.end_transaction(t.value(r) == 1);
  const EventGraph graph = graph_of(p, kWithTransactions);
  ASSERT_EQ(graph.transactions.size(), 1U);
  const NodeId commits = graph.transactions[0].commits;
  EXPECT_TRUE(graph.is_choice(1));
  EXPECT_EQ(graph.events[2].guard, commits);
  EXPECT_EQ(graph.events[3].guard, commits);
  EXPECT_EQ(graph.requirements.size(), 1U);
  EXPECT_TRUE(graph.relation(BaseRelation::SameTransaction).always.contains(2, 3) ||
              !graph.relation(BaseRelation::SameTransaction).sometimes.empty());
}

}  // namespace
}  // namespace ambit::events
