#include "model/events/relation.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace ambit::events {
namespace {

Relation make(std::size_t size, const std::vector<std::pair<EventId, EventId>>& pairs) {
  Relation r(size);
  for (const auto& [a, b] : pairs) r.insert(a, b);
  return r;
}

TEST(Relation, ComposeInverseDomainRange) {
  const Relation r = make(5, {{0, 1}, {1, 2}, {3, 3}});
  const Relation s = make(5, {{1, 4}, {2, 0}, {3, 2}});
  EXPECT_EQ(compose(r, s), make(5, {{0, 4}, {1, 0}, {3, 2}}));
  EXPECT_EQ(inverse(r), make(5, {{1, 0}, {2, 1}, {3, 3}}));
  EventSet expected(5);
  expected.insert(0);
  expected.insert(1);
  expected.insert(3);
  EXPECT_EQ(domain(r), expected);
  EXPECT_TRUE(range(r).contains(2));
  EXPECT_FALSE(range(r).contains(0));
}

TEST(Relation, ClosureReachesAcrossWordBoundaries) {
  Relation chain(130);
  for (EventId e = 0; e + 1 < 130; ++e) chain.insert(e, e + 1);
  const Relation closed = transitive_closure(chain);
  EXPECT_EQ(closed.count(), 130U * 129U / 2U);
  EXPECT_TRUE(closed.contains(0, 129));
  EXPECT_TRUE(is_acyclic(closed));
  EXPECT_TRUE(is_irreflexive(closed));
}

TEST(Relation, CyclesAreFoundAndShortest) {
  const Relation r = make(6, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 4}});
  EXPECT_FALSE(is_acyclic(r));
  EXPECT_EQ(find_cycle(r), (std::vector<EventId>{4, 5}));
  EXPECT_TRUE(find_cycle(make(3, {{0, 1}, {1, 2}})).empty());
  EXPECT_EQ(find_cycle(make(3, {{1, 1}})), std::vector<EventId>{1});
}

TEST(EventSet, FillLeavesNoBitsBeyondTheEnd) {
  EventSet set(70);
  set.fill();
  EXPECT_EQ(set.count(), 70U);
  EventSet other(70);
  other.insert(69);
  set -= other;
  EXPECT_FALSE(set.contains(69));
  EXPECT_EQ(set.count(), 69U);
}

}  // namespace
}  // namespace ambit::events
