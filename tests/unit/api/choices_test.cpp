#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "api/check/checking_options.h"
#include "api/check/explanation.h"
#include "api/check/inquiry.h"
#include "api/detectors.h"
#include "detector/algorithms/registry.h"

// Tests the models and detectors that a user's names select, and the questions that Ambit answers about a test.
namespace ambit::api {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Milliseconds = std::chrono::milliseconds;

std::vector<std::string> titles(const DetectorSelection& selection) {
  const auto chosen = chosen_detectors(selection);
  if (!chosen.ok()) return {render(chosen.errors())};
  std::vector<std::string> names;
  for (const ChosenDetector& one : chosen.value()) names.push_back(one.title());
  return names;
}

TEST(Questions, UnrequestedOutcomesOnlyForFewThreads) {
  Program program;
  const rules::Rules rules;
  const auto asks = [&](OutcomesQuestion question) {
    return questions_of(program, rules, question).questions.outcomes;
  };
  program.threads.resize(kMostThreadsWithOutcomes);
  EXPECT_TRUE(asks(OutcomesQuestion::WithoutCondition));
  program.threads.resize(kMostThreadsWithOutcomes + 1);
  EXPECT_FALSE(asks(OutcomesQuestion::WithoutCondition));
  EXPECT_TRUE(asks(OutcomesQuestion::Only)) << "`ambit outcomes` needs outcomes";
  EXPECT_TRUE(asks(OutcomesQuestion::Log));
}

TEST(ChosenDetectors, KeepTheirOrderAndComeOnce) {
  EXPECT_THAT(titles({.names = "predict,barracuda,,predict"}), ElementsAre("predict", "barracuda"));
  EXPECT_THAT(titles({.names = "gwcp", .options = {"gwcp.overlap=either"}}), ElementsAre("gwcp(overlap=either)"));
}

TEST(ChosenDetectors, AnOptionOfADefaultValueIsNotInTheTitle) {
  const auto* gwcp = detector::find_detector("gwcp");
  ASSERT_NE(gwcp, nullptr);
  ASSERT_FALSE(gwcp->options.empty());
  const detector::DetectorOption& option = gwcp->options.front();
  EXPECT_THAT(titles({.names = "gwcp", .options = {"gwcp." + option.name + "=" + option.values.front()}}),
              ElementsAre("gwcp"));
}

TEST(ChosenDetectors, ErrorsNameTheOptionOfTheCommandLine) {
  EXPECT_THAT(titles({.names = "scrod"}), ElementsAre(HasSubstr("did you mean 'scord'?")));
  EXPECT_THAT(titles({.names = ""}), ElementsAre(HasSubstr("names no detector")));
  EXPECT_THAT(titles({.names = "gwcp", .options = {"overlap=either"}}),
              ElementsAre(HasSubstr("expected DETECTOR.OPTION=VALUE")));
  EXPECT_THAT(titles({.names = "gwcp", .options = {"scord.overlap=either"}}),
              ElementsAre(HasSubstr("--detector does not name 'scord'")));
  EXPECT_THAT(titles({.names = "gwcp", .options = {"gwcp.overlap=either", "gwcp.overlap=both"}}),
              ElementsAre(HasSubstr("is given twice")));
}

TEST(ChosenDetectors, AllForATraceMeansTraceDetectors) {
  const auto all = chosen_detectors({});
  const auto of_traces = chosen_trace_detectors({});
  ASSERT_TRUE(all.ok() && of_traces.ok());
  EXPECT_LT(of_traces.value().size(), all.value().size());
  EXPECT_FALSE(std::ranges::any_of(of_traces.value(), &ChosenDetector::looks_at_programs));
  // If the user names a detector, Ambit uses it even if it cannot judge a trace. The detector's report then says why
  // there is no answer.
  EXPECT_EQ(chosen_trace_detectors({.names = "ldetector"}).value().size(), 1U);
}

TEST(TimeLimit, IsWhatTheClockCanHoldAndNeverNothing) {
  EXPECT_EQ(time_limit(2.5), Milliseconds(2500));
  EXPECT_EQ(time_limit(0), Milliseconds(1));
  EXPECT_EQ(time_limit(-3), Milliseconds(1));
  EXPECT_EQ(time_limit(std::nan("")), Milliseconds(1));
  EXPECT_EQ(time_limit(std::numeric_limits<double>::infinity()), Milliseconds(1'000'000'000));
}

class ModelToExplain : public testing::Test {
 protected:
  parser::RulesPtr model(const char* reference) {
    const auto loaded = store_.load_reference(reference);
    EXPECT_TRUE(loaded.ok()) << reference;
    return loaded.value();
  }

 private:
  parser::ModelStore store_;
};

TEST_F(ModelToExplain, OfATestWithoutALabelIsAModelOfTodaysGpus) {
  const auto sc = model("sc");
  const auto ptx = model("ptx");
  EXPECT_EQ(model_to_explain({sc, ptx, model("cuda-cpp")}, {}, std::nullopt), ptx);
  EXPECT_EQ(model_to_explain({model("hrf-indirect"), ptx}, {}, std::nullopt), ptx);
  EXPECT_EQ(model_to_explain({model("hrf-indirect"), model("cuda-cpp")}, {}, std::nullopt), model("cuda-cpp"));
  EXPECT_EQ(model_to_explain({sc, model("gwcp"), model("hrf-indirect")}, {}, std::nullopt), model("gwcp"));
  EXPECT_EQ(model_to_explain({sc}, {}, std::nullopt), sc);
  EXPECT_EQ(model_to_explain({}, {}, true), nullptr);
}

TEST_F(ModelToExplain, AgreesWithTheLabelAndReadsTestsAsSuitesDo) {
  const auto ptx = model("ptx");
  const auto scoped = model("scoped-hb");
  const auto relaxed = model("hrf-relaxed(rlx=acquire)");
  const std::vector<parser::RulesPtr> models = {ptx, scoped, relaxed};
  EXPECT_EQ(model_to_explain(models, {true, true, true}, true), relaxed);
  EXPECT_EQ(model_to_explain(models, {true, true, false}, true), scoped);
  EXPECT_EQ(model_to_explain(models, {true, false, std::nullopt}, true), ptx);
  EXPECT_EQ(model_to_explain(models, {false, false, false}, true), ptx) << "no model agrees, so ptx is explained";
}

}  // namespace
}  // namespace ambit::api
