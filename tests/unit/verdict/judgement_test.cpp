#include "model/verdict/judgement.h"

#include <gtest/gtest.h>

#include "tests/support/sample_verdict.h"

namespace ambit::verdict {
namespace {

using events::Possibility;
using test::sample_program;
using test::sample_rules;
using test::sample_verdict;
using test::sample_verdict_without_race;

Expectation expecting(std::optional<Frequency> frequency, std::optional<bool> race = std::nullopt) {
  Expectation expectation;
  expectation.model = "toy";
  expectation.frequency = frequency;
  expectation.race = race;
  return expectation;
}

std::shared_ptr<Program> program_with(const Expectation& expectation) {
  auto program = sample_program();
  program->expectations.push_back(expectation);
  return program;
}

Status status_of(const Expectation& expectation) { return judge(sample_verdict(program_with(expectation))).status; }

TEST(Judgement, FrequencyAndRaceAreCompared) {
  EXPECT_EQ(status_of(expecting(Frequency::Sometimes)), Status::Ok);
  EXPECT_EQ(status_of(expecting(Frequency::Never)), Status::Fail);
  EXPECT_EQ(status_of(expecting(Frequency::Always)), Status::Fail);
  EXPECT_EQ(status_of(expecting(std::nullopt, true)), Status::Ok);
  EXPECT_EQ(status_of(expecting(std::nullopt, false)), Status::Fail);
  EXPECT_EQ(status_of(expecting(Frequency::Sometimes, false)), Status::Fail);
}

TEST(Judgement, AnExpectationMayNameTheFileOfItsModel) {
  for (const char* file : {"toy.cat", "./toy.cat", "models/toy.cat"}) {
    Expectation expectation = expecting(Frequency::Never);
    expectation.model = file;
    EXPECT_EQ(status_of(expectation), Status::Fail) << file;
  }
  Expectation other = expecting(Frequency::Never);
  other.model = "toys.cat";
  EXPECT_EQ(status_of(other), Status::NothingExpected);
}

// For the commands `permit` and `check` of .test files, one witness is enough, even if other answers are unknown.
TEST(Judgement, PossibleNeedsOneExecutionOnly) {
  Expectation expectation = expecting(std::nullopt);
  expectation.possible = true;
  Verdict verdict = sample_verdict(program_with(expectation));
  EXPECT_EQ(judge(verdict).status, Status::Ok);
  verdict.answers.unknown = verdict.unknown = UnknownReason::Bound;
  EXPECT_EQ(judge(verdict).status, Status::Ok);
  verdict.answers.holds.possibility = Possibility::Unknown;
  EXPECT_EQ(judge(verdict).status, Status::Unknown);
  verdict.answers.holds.possibility = Possibility::Impossible;
  EXPECT_EQ(judge(verdict).status, Status::Fail);
}

/// Returns the verdict as it would be if a loop could exceed the bound.
Verdict bounded(Verdict verdict) {
  events::EventGraph graph = *verdict.graph;
  graph.bound_reached = events::ValueGraph::kTrue;
  verdict.graph = std::make_shared<const events::EventGraph>(graph);
  verdict.answers.bound = {Possibility::Possible, {}};
  return verdict;
}

// If a loop can exceed the bound, an execution beyond the bound may still do what no execution within the bound does:
// satisfy the condition, race, or fail an assertion.
TEST(Judgement, AbsenceWithinTheBoundIsUnknown) {
  Expectation possible = expecting(std::nullopt);
  possible.possible = true;
  Verdict permitted = bounded(sample_verdict(program_with(possible)));
  EXPECT_EQ(judge(permitted).status, Status::Ok);
  permitted.answers.holds = {Possibility::Impossible, {}};
  EXPECT_EQ(judge(permitted).status, Status::Unknown);

  Expectation race_on_y = expecting(std::nullopt, true);
  race_on_y.race_location = 1;
  auto program = program_with(race_on_y);
  program->locations.push_back({"y", 0, 0, kInt, 0});
  EXPECT_EQ(judge(sample_verdict(program)).status, Status::Fail);
  EXPECT_EQ(judge(bounded(sample_verdict(program))).status, Status::Unknown);

  Expectation convergent = expecting(std::nullopt);
  convergent.barrier_divergence = false;
  auto barriers = program_with(convergent);
  EXPECT_EQ(judge(bounded(sample_verdict(barriers))).status, Status::Ok);  // the test has no barrier
  barriers->threads[0].code.push_back({Barrier{}, {3, 17, 5}});
  EXPECT_EQ(judge(sample_verdict(barriers)).status, Status::Ok);
  EXPECT_EQ(judge(bounded(sample_verdict(barriers))).status, Status::Unknown);
}

TEST(Judgement, ReasonsNameWhatWasExpected) {
  const Judgement judgement = judge(sample_verdict(program_with(expecting(Frequency::Never, false))));
  EXPECT_EQ(judgement.reasons, (std::vector<std::string>{"expected Never", "expected norace"}));
}

TEST(Judgement, NoExpectationForTheModelIsNothingExpected) {
  EXPECT_EQ(judge(sample_verdict()).status, Status::NothingExpected);
  Expectation other = expecting(Frequency::Never);
  other.model = "ptx";
  EXPECT_EQ(status_of(other), Status::NothingExpected);
}

TEST(Judgement, OptionsAreComparedAfterDefaults) {
  Expectation expectation = expecting(Frequency::Never);
  const auto rules = sample_rules();
  EXPECT_TRUE(concerns(expectation, *rules));
  expectation.options = {{"strict", "no"}};
  EXPECT_TRUE(concerns(expectation, *rules));
  expectation.options = {{"strict", "yes"}};
  EXPECT_FALSE(concerns(expectation, *rules));
  rules->options[0].chosen = "yes";
  EXPECT_TRUE(concerns(expectation, *rules));
  expectation.options = {};
  EXPECT_FALSE(concerns(expectation, *rules));
  expectation.options = {{"strict", "yes"}, {"other", "1"}};
  EXPECT_FALSE(concerns(expectation, *rules));
}

TEST(Judgement, UnknownIsNeverAPass) {
  Verdict verdict = sample_verdict_without_race(program_with(expecting(Frequency::Never, false)));
  verdict.frequency = std::nullopt;
  verdict.race = Possibility::Unknown;
  verdict.answers.holds = {Possibility::Unknown, {}};
  verdict.unknown = UnknownReason::Timeout;
  EXPECT_EQ(judge(verdict).status, Status::Unknown);
}

TEST(Judgement, UnknownWithoutExpectationIsUnknown) {
  Verdict verdict = sample_verdict();
  verdict.unknown = UnknownReason::Bound;
  EXPECT_EQ(judge(verdict).status, Status::Unknown);
}

TEST(Judgement, OneWitnessRefutesNeverAndAlways) {
  Verdict never = sample_verdict(program_with(expecting(Frequency::Never)));
  never.frequency = std::nullopt;
  never.answers.fails = {Possibility::Unknown, {}};
  never.unknown = UnknownReason::Timeout;
  EXPECT_EQ(judge(never).status, Status::Fail);
  Verdict always = sample_verdict(program_with(expecting(Frequency::Always)));
  always.frequency = std::nullopt;
  always.answers.holds = {Possibility::Unknown, {}};
  always.unknown = UnknownReason::Timeout;
  EXPECT_EQ(judge(always).status, Status::Fail);
}

TEST(Judgement, FailureWinsOverUnknown) {
  Verdict verdict = sample_verdict(program_with(expecting(Frequency::Sometimes, false)));
  verdict.frequency = std::nullopt;
  verdict.unknown = UnknownReason::Timeout;
  const Judgement judgement = judge(verdict);
  EXPECT_EQ(judgement.status, Status::Fail);
  EXPECT_EQ(judgement.reasons, std::vector<std::string>{"expected norace"});
}

TEST(Judgement, ExpectedUnknownIsMetByUnknownOnly) {
  Expectation expectation = expecting(std::nullopt);
  expectation.unknown = true;
  EXPECT_EQ(status_of(expectation), Status::Fail);
  Verdict verdict = sample_verdict(program_with(expectation));
  verdict.unknown = UnknownReason::Bound;
  EXPECT_EQ(judge(verdict).status, Status::Ok);
  verdict.unknown = UnknownReason::Interrupted;
  EXPECT_EQ(judge(verdict).status, Status::Unknown);
}

TEST(Judgement, RaceLocationMustBeAmongTheRaces) {
  Expectation expectation = expecting(std::nullopt, true);
  expectation.race_location = 0;
  EXPECT_EQ(status_of(expectation), Status::Ok);
  auto program = program_with(expectation);
  program->locations.push_back({"y", 0, 0, kInt, 0});
  program->expectations[0].race_location = 1;
  Verdict verdict = sample_verdict(program);
  EXPECT_EQ(judge(verdict).status, Status::Fail);
  verdict.answers.unknown = UnknownReason::Timeout;  // the list of pairs may be incomplete
  EXPECT_EQ(judge(verdict).status, Status::Unknown);
}

TEST(Judgement, ExecutionsNeedACount) {
  Expectation expectation = expecting(std::nullopt);
  expectation.executions = 2;
  Verdict verdict = sample_verdict(program_with(expectation));
  EXPECT_EQ(judge(verdict).status, Status::Unknown);
  verdict.answers.executions = 2;
  EXPECT_EQ(judge(verdict).status, Status::Ok);
  verdict.answers.executions = 3;
  EXPECT_EQ(judge(verdict).status, Status::Fail);
}

TEST(Judgement, NoExecutionAtAllMeetsNoFrequency) {
  for (const Frequency frequency : {Frequency::Never, Frequency::Sometimes, Frequency::Always}) {
    Verdict verdict = sample_verdict(program_with(expecting(frequency)));
    verdict.frequency = std::nullopt;
    verdict.answers.any = verdict.answers.holds = verdict.answers.fails = {Possibility::Impossible, {}};
    EXPECT_EQ(judge(verdict).status, Status::Fail);
  }
}

// If there is no execution, every negative expectation would hold trivially. Such an expectation counts as not met.
TEST(Judgement, NoExecutionAtAllMeetsNoDenial) {
  Expectation convergent = expecting(std::nullopt);
  convergent.barrier_divergence = false;
  for (const Expectation& expectation : {expecting(std::nullopt, false), convergent}) {
    Verdict verdict = sample_verdict_without_race(program_with(expectation));
    EXPECT_EQ(judge(verdict).status, Status::Ok);
    verdict.frequency = std::nullopt;
    verdict.answers.any = verdict.answers.holds = verdict.answers.fails = {Possibility::Impossible, {}};
    EXPECT_EQ(judge(verdict).status, Status::Fail);
  }
}

TEST(Judgement, ModelWithoutRaceFlagMeetsNoRaceExpectation) {
  for (const bool race : {true, false}) {
    Verdict verdict = sample_verdict_without_race(program_with(expecting(std::nullopt, race)));
    auto rules = sample_rules();
    rules->flags.clear();
    verdict.rules = rules;
    EXPECT_EQ(judge(verdict).status, Status::Fail);
  }
}

TEST(Judgement, BarrierDivergence) {
  Expectation expectation = expecting(std::nullopt);
  expectation.barrier_divergence = true;
  EXPECT_EQ(status_of(expectation), Status::Fail);
  Verdict verdict = sample_verdict(program_with(expectation));
  events::EventGraph graph = *verdict.graph;
  graph.incidents.push_back({events::Incident::Kind::BarrierDivergence, events::ValueGraph::kTrue, 0, {}, "diverges"});
  verdict.graph = std::make_shared<const events::EventGraph>(graph);
  verdict.answers.incidents = {{Possibility::Possible, {}}};
  EXPECT_EQ(judge(verdict).status, Status::Ok);
  verdict.answers.incidents = {{Possibility::Unknown, {}}};
  EXPECT_EQ(judge(verdict).status, Status::Unknown);
}

TEST(Contradiction, IsFoundAfterDefaults) {
  auto program = program_with(expecting(Frequency::Never));
  Expectation second = expecting(Frequency::Always);
  second.options = {{"strict", "no"}};
  second.span = {9, 1, 4};
  program->expectations[0].span = {8, 1, 4};
  program->expectations.push_back(second);
  const auto found = find_contradiction(*program, *sample_rules());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->span.line, 9U);
  EXPECT_NE(found->message.find("line 8"), std::string::npos);
}

TEST(Contradiction, DifferentModelsAndDifferentPartsAgree) {
  auto program = program_with(expecting(Frequency::Never));
  program->expectations.push_back(expecting(std::nullopt, true));
  Expectation other = expecting(Frequency::Always);
  other.options = {{"strict", "yes"}};
  program->expectations.push_back(other);
  EXPECT_FALSE(find_contradiction(*program, *sample_rules()).has_value());
}

}  // namespace
}  // namespace ambit::verdict
