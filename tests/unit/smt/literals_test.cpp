#include "model/smt/formula.h"

#include <gtest/gtest.h>

#include "model/events/relation.h"
#include "model/smt/acyclicity.h"

namespace ambit::smt {
namespace {

class LiteralsTest : public ::testing::Test {
 protected:
  LiteralsTest() { solver.begin(context); }
  ~LiteralsTest() override { solver.end(); }

  bool satisfiable(const std::vector<Lit>& assumptions) {
    if (literals.is_contradictory()) return false;
    std::vector<Lit> open;
    for (const Lit l : assumptions) {
      const Lit s = literals.simplified(l);
      if (s == kFalse) return false;
      if (s == kTrue) continue;
      literals.prepare(s);
      open.push_back(s);
    }
    return solver.check(open) == SatSolver::Answer::Satisfiable;
  }

  Context context;
  SatSolver solver;
  Literals literals{solver, context};
};

TEST_F(LiteralsTest, GatesSimplify) {
  const Lit a = literals.fresh();
  const Lit b = literals.fresh();
  EXPECT_EQ(literals.all_of({a, b}), literals.all_of({b, a, kTrue, a}));
  EXPECT_EQ(literals.all_of({a, -a}), kFalse);
  EXPECT_EQ(literals.any_of({a, b, -a}), kTrue);
  EXPECT_EQ(literals.all_of({}), kTrue);
  EXPECT_EQ(literals.any_of({}), kFalse);
  EXPECT_EQ(literals.any_of({a, kFalse}), a);
  literals.require({a});
  EXPECT_EQ(literals.simplified(-a), kFalse);
  EXPECT_EQ(literals.all_of({a, b}), b);
}

// Tests nested gates over three variables. For each assignment, the literal of the outermost gate must have the truth
// value that the test computes separately.
TEST_F(LiteralsTest, GatesMeanWhatTheySay) {
  const Lit x[] = {literals.fresh(), literals.fresh(), literals.fresh()};
  const Lit both = literals.all_of({x[0], -x[1]});
  const Lit gate = literals.any_of({both, literals.all_of({x[1], x[2], x[0]}), -x[2]});
  for (int bits = 0; bits < 8; ++bits) {
    const bool v[] = {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
    const bool expected = (v[0] && !v[1]) || (v[0] && v[1] && v[2]) || !v[2];
    std::vector<Lit> given;
    for (int i = 0; i < 3; ++i) given.push_back(v[i] ? x[i] : -x[i]);
    given.push_back(gate);
    EXPECT_EQ(satisfiable(given), expected) << bits;
    given.back() = -gate;
    EXPECT_EQ(satisfiable(given), !expected) << bits;
  }
}

TEST_F(LiteralsTest, AtMostOneOfMany) {
  std::vector<Lit> many;
  for (int i = 0; i < 9; ++i) many.push_back(literals.fresh());
  literals.require_at_most_one(many);
  for (std::size_t i = 0; i < many.size(); ++i) {
    EXPECT_TRUE(satisfiable({many[i]}));
    for (std::size_t j = i + 1; j < many.size(); ++j) EXPECT_FALSE(satisfiable({many[i], many[j]}));
  }
}

TEST_F(LiteralsTest, ComponentsFollowClauses) {
  const Lit a = literals.fresh();
  const Lit b = literals.fresh();
  const Lit c = literals.fresh();
  literals.require({a, -b});
  EXPECT_EQ(literals.component(a), literals.component(-b));
  EXPECT_NE(literals.component(a), literals.component(c));
}

/// Tests all sets of edges of a complete graph with four nodes. One edge is fixed. The encoding must allow exactly the
/// acyclic sets.
class AcyclicityTest : public LiteralsTest, public ::testing::WithParamInterface<AcyclicityEncoding> {};

TEST_P(AcyclicityTest, AgreesWithSearch) {
  constexpr std::uint32_t kNodes = 4;
  std::vector<Edge> edges;
  for (std::uint32_t a = 0; a < kNodes; ++a) {
    for (std::uint32_t b = 0; b < kNodes; ++b) {
      if (a != b) edges.push_back({a, b, a == 0 && b == 3 ? kTrue : literals.fresh()});
    }
  }
  require_acyclic(literals, kNodes, edges, GetParam());
  for (unsigned bits = 0; bits < (1U << edges.size()); bits += 7) {
    events::Relation relation(kNodes);
    std::vector<Lit> given;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const bool there = edges[i].literal == kTrue || ((bits >> i) & 1U) != 0;
      if (there) relation.insert(edges[i].from, edges[i].to);
      given.push_back(there ? edges[i].literal : -edges[i].literal);
    }
    EXPECT_EQ(satisfiable(given), events::is_acyclic(relation)) << bits;
  }
}
INSTANTIATE_TEST_SUITE_P(Both, AcyclicityTest,
                         ::testing::Values(AcyclicityEncoding::Elimination, AcyclicityEncoding::Ranks));

TEST_F(LiteralsTest, AChainMakesFewClauses) {
  constexpr std::uint32_t kNodes = 100;
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < kNodes; ++i) edges.push_back({i, (i + 1) % kNodes, literals.fresh()});
  require_acyclic(literals, kNodes, edges);
  EXPECT_LT(literals.clause_count(), 3 * kNodes);
  std::vector<Lit> all;
  for (const Edge& e : edges) all.push_back(e.literal);
  EXPECT_FALSE(satisfiable(all));
  all.pop_back();
  EXPECT_TRUE(satisfiable(all));
}

}  // namespace
}  // namespace ambit::smt
