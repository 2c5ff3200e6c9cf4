#include "model/verdict/races.h"

#include <gtest/gtest.h>

#include "tests/support/sample_verdict.h"

namespace ambit::verdict {
namespace {

using test::sample_execution;
using test::sample_rules;
using test::sample_verdict;
using test::sample_verdict_without_race;

TEST(Races, NameLocationAndFlag) {
  const Verdict verdict = sample_verdict();
  const std::vector<Race> found = races(verdict);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].flag, "data-race");
  EXPECT_EQ(found[0].location, LocationId{0});
  EXPECT_EQ(race_locations(verdict), std::vector<std::string>{"x"});
  EXPECT_TRUE(other_flags(verdict).empty());
  EXPECT_TRUE(races(sample_verdict_without_race()).empty());
}

TEST(Races, HalvesOfOneReadModifyWriteAreOneRace) {
  Verdict verdict = sample_verdict();
  events::EventGraph graph = *verdict.graph;
  events::Event half = graph.events[2];  // a second event of the same instruction
  half.kind = events::EventKind::Write;
  half.is_rmw = graph.events[2].is_rmw = true;
  graph.events[2].rmw_partner = 3;
  half.rmw_partner = 2;
  graph.events.push_back(half);
  verdict.graph = std::make_shared<const events::EventGraph>(graph);
  events::Execution execution = sample_execution(true);
  execution.locations.push_back(0);
  const auto witness = std::make_shared<const events::Execution>(execution);
  verdict.answers.flags[0].pairs = {{1, 2, witness}, {1, 3, witness}};
  EXPECT_EQ(races(verdict).size(), 1U);
}

TEST(Races, FlagsThatAreNotRacesAreSeparate) {
  Verdict verdict = sample_verdict();
  auto rules = sample_rules();
  rules->flags[0].name = "mixed-size";
  verdict.rules = rules;
  EXPECT_TRUE(races(verdict).empty());
  EXPECT_EQ(other_flags(verdict).size(), 1U);
  EXPECT_FALSE(speaks_of_races(*rules));
  EXPECT_TRUE(speaks_of_races(*sample_rules()));
}

TEST(ModelName, ShowsOptionsThatAreNotTheDefault) {
  const auto rules = sample_rules();
  EXPECT_EQ(model_name(*rules), "toy");
  rules->options[0].chosen = "yes";
  EXPECT_EQ(model_name(*rules), "toy(strict=yes)");
}

}  // namespace
}  // namespace ambit::verdict
