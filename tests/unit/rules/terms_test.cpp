#include <gtest/gtest.h>

#include "model/rules/rules.h"

namespace ambit::rules {
namespace {

/// Builds terms over a few base relations and sets. All terms belong to one Rules object.
class Terms : public ::testing::Test {
 protected:
  TermId set(BaseSet s) { return rules.intern(BaseSetTerm{s}, Kind::Set); }
  TermId base(BaseRelation r) { return rules.intern(BaseRelationTerm{r}, Kind::Relation); }
  TermId relation(const Term& term) { return rules.intern(term, Kind::Relation); }
  TermId empty(Kind kind) { return rules.intern(Empty{}, kind); }

  Rules rules;
  TermId po = base(BaseRelation::ProgramOrder);
  TermId rf = base(BaseRelation::ReadsFrom);
  TermId id = base(BaseRelation::Identity);
  TermId reads = set(BaseSet::Read);
  TermId writes = set(BaseSet::Write);
  TermId all = set(BaseSet::Universe);
};

TEST_F(Terms, EqualTermsHaveOneId) {
  const TermId first = relation(Sequence{po, rf});
  const std::size_t size = rules.terms.size();
  EXPECT_EQ(relation(Sequence{po, rf}), first);
  EXPECT_NE(relation(Sequence{rf, po}), first) << "composition does not commute";
  EXPECT_EQ(rules.terms.size(), size + 1);
}

TEST_F(Terms, UnionAndIntersectionCommute) {
  EXPECT_EQ(relation(Union{po, rf}), relation(Union{rf, po}));
  EXPECT_EQ(relation(Intersection{po, rf}), relation(Intersection{rf, po}));
  EXPECT_NE(relation(Difference{po, rf}), relation(Difference{rf, po}));
}

TEST_F(Terms, EmptySetAndEmptyRelationDiffer) {
  EXPECT_NE(empty(Kind::Set), empty(Kind::Relation));
  EXPECT_EQ(rules.kinds[empty(Kind::Set)], Kind::Set);
}

TEST_F(Terms, LawsOfTheEmptyRelation) {
  const TermId none = empty(Kind::Relation);
  EXPECT_EQ(relation(Union{po, none}), po);
  EXPECT_EQ(relation(Union{none, po}), po);
  EXPECT_EQ(relation(Intersection{po, none}), none);
  EXPECT_EQ(relation(Difference{po, none}), po);
  EXPECT_EQ(relation(Difference{none, po}), none);
  EXPECT_EQ(relation(Difference{po, po}), none);
  EXPECT_EQ(relation(Sequence{po, none}), none);
  EXPECT_EQ(relation(TransitiveClosure{none}), none);
  EXPECT_EQ(relation(Inverse{none}), none);
  EXPECT_EQ(relation(Optional{none}), id) << "r? is r or identity";
  EXPECT_EQ(relation(SetIdentity{empty(Kind::Set)}), none);
  EXPECT_EQ(relation(Product{reads, empty(Kind::Set)}), none);
  EXPECT_EQ(rules.intern(Domain{none}, Kind::Set), empty(Kind::Set));
}

TEST_F(Terms, LawsOfIdentityAndEverything) {
  EXPECT_EQ(relation(SetIdentity{all}), id);
  EXPECT_EQ(relation(Sequence{id, po}), po);
  EXPECT_EQ(relation(Sequence{po, id}), po);
  EXPECT_EQ(relation(TransitiveClosure{id}), id);
  const TermId pairs = relation(Product{all, all});
  EXPECT_EQ(relation(Intersection{po, pairs}), po);
  EXPECT_EQ(relation(Union{po, pairs}), pairs);
  EXPECT_EQ(relation(Difference{po, pairs}), empty(Kind::Relation));
  EXPECT_EQ(rules.intern(Intersection{reads, all}, Kind::Set), reads);
}

TEST_F(Terms, LawsOfClosures) {
  const TermId both = relation(Union{po, rf});
  const TermId plus = relation(TransitiveClosure{both});
  EXPECT_EQ(relation(TransitiveClosure{plus}), plus);
  EXPECT_EQ(relation(TransitiveClosure{po}), po) << "program order is transitive";
  EXPECT_NE(relation(TransitiveClosure{rf}), rf) << "the rules do not use that rf is transitive";
  const TermId star = relation(Optional{plus});
  EXPECT_EQ(relation(TransitiveClosure{relation(Optional{both})}), star) << "(r?)+ = r*";
  EXPECT_EQ(relation(Optional{star}), star);
}

TEST_F(Terms, LawsOfInverseAndIdentityOnSets) {
  EXPECT_EQ(relation(Inverse{relation(Inverse{po})}), po);
  const TermId loc = base(BaseRelation::SameLocation);
  EXPECT_EQ(relation(Inverse{loc}), loc) << "same location is symmetric";
  EXPECT_EQ(relation(Inverse{relation(Product{reads, writes})}), relation(Product{writes, reads}));
  const TermId both = rules.intern(Intersection{reads, writes}, Kind::Set);
  EXPECT_EQ(relation(Sequence{relation(SetIdentity{reads}), relation(SetIdentity{writes})}),
            relation(SetIdentity{both}));
  EXPECT_EQ(rules.intern(Range{relation(SetIdentity{reads})}, Kind::Set), reads);
}

TEST_F(Terms, StaticTermsMeetNothingChosen) {
  const TermId co = base(BaseRelation::Coherence);
  const TermId fr = base(BaseRelation::FromReads);
  const TermId still = relation(TransitiveClosure{relation(Union{po, base(BaseRelation::SameBlock)})});
  const TermId moving = relation(Sequence{po, rf});
  rules.orders.push_back({"tr", reads, {}});
  const TermId order = relation(OrderTerm{0});
  const TermId from_order = rules.intern(Domain{order}, Kind::Set);
  const std::vector<bool> result = static_terms(rules);
  EXPECT_TRUE(result[po] && result[still] && result[reads] && result[id]);
  EXPECT_FALSE(result[rf] || result[co] || result[fr] || result[moving] || result[order] || result[from_order]);
}

/// The definitions: let rec x = po | x;x, which is static, and let rec y = rf | y;x, which is not static.
TEST_F(Terms, FixedPointsAreStaticIfTheirBodiesAre) {
  const TermId x = relation(FixpointTerm{0});
  const TermId y = relation(FixpointTerm{1});
  rules.fixpoints.push_back({"x", 0, x, relation(Union{po, relation(Sequence{x, x})})});
  rules.fixpoints.push_back({"y", 1, y, relation(Union{rf, relation(Sequence{y, x})})});
  const std::vector<bool> result = static_terms(rules);
  EXPECT_TRUE(result[x]);
  EXPECT_TRUE(result[rules.fixpoints[0].body]);
  EXPECT_FALSE(result[y]);
  EXPECT_FALSE(result[rules.fixpoints[1].body]);
}

TEST_F(Terms, MonotonicityFollowsSigns) {
  const TermId grows = relation(TransitiveClosure{relation(Union{po, rf})});
  const TermId shrinks = relation(Difference{po, rf});
  const TermId grows_again = relation(Difference{po, shrinks});
  const TermId mixed = relation(Intersection{rf, shrinks});
  const TermId complement = relation(Complement{rf});
  std::vector<bool> sources(rules.terms.size(), false);
  sources[rf] = true;
  const std::vector<Monotonicity> result = monotonicity(rules, sources);
  EXPECT_EQ(result[rf], Monotonicity::Increasing);
  EXPECT_EQ(result[po], Monotonicity::Independent);
  EXPECT_EQ(result[grows], Monotonicity::Increasing);
  EXPECT_EQ(result[shrinks], Monotonicity::Decreasing);
  EXPECT_EQ(result[complement], Monotonicity::Decreasing);
  EXPECT_EQ(result[grows_again], Monotonicity::Increasing);
  EXPECT_EQ(result[mixed], Monotonicity::Mixed);
}

TEST_F(Terms, MonotonicityPassesThroughFixedPoints) {
  const TermId x = relation(FixpointTerm{0});
  const TermId shrinking_body = relation(Union{relation(Difference{po, rf}), relation(Sequence{x, po})});
  rules.fixpoints.push_back({"x", 0, x, shrinking_body});
  std::vector<bool> sources(rules.terms.size(), false);
  sources[rf] = true;
  EXPECT_EQ(monotonicity(rules, sources)[x], Monotonicity::Decreasing);
}

TEST_F(Terms, PrintsWithAsFewBracketsAsPrecedenceAllows) {
  const TermId both = relation(Union{po, rf});
  EXPECT_EQ(to_string(rules, relation(TransitiveClosure{both})), "(po | rf)+");
  EXPECT_EQ(to_string(rules, relation(Optional{relation(TransitiveClosure{both})})), "(po | rf)*");
  EXPECT_EQ(to_string(rules, relation(Sequence{both, po})), "(po | rf) ; po");
  EXPECT_EQ(to_string(rules, relation(Union{relation(Sequence{po, rf}), rf})), "po ; rf | rf");
  const TermId loc = base(BaseRelation::SameLocation);
  EXPECT_EQ(to_string(rules, relation(Difference{relation(Intersection{rf, loc}), po})), "rf & loc \\ po");
  EXPECT_EQ(to_string(rules, relation(Difference{po, relation(Difference{rf, loc})})), "po \\ (rf \\ loc)");
  EXPECT_EQ(to_string(rules, relation(Complement{both})), "~(po | rf)");
  EXPECT_EQ(to_string(rules, relation(Inverse{rf})), "rf^-1");
  EXPECT_EQ(to_string(rules, relation(Product{reads, writes})), "R * W");
  EXPECT_EQ(to_string(rules, relation(SetIdentity{rules.intern(Union{reads, writes}, Kind::Set)})), "[R | W]");
  EXPECT_EQ(to_string(rules, rules.intern(Domain{rf}, Kind::Set)), "domain(rf)");
}

TEST_F(Terms, PrintsDefinitionsByName) {
  const TermId com = relation(Union{rf, base(BaseRelation::Coherence)});
  const TermId plus = relation(TransitiveClosure{com});
  rules.definitions.push_back({"com", com});
  EXPECT_EQ(to_string(rules, plus), "com+");
  EXPECT_EQ(to_string(rules, com), "com");
}

}  // namespace
}  // namespace ambit::rules
