#include "study/separation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/unit/study/subjects.h"

namespace ambit::study {
namespace {

Sweep swept(std::vector<Subject> subjects, const std::string& alphabet, synthesis::Bounds bounds) {
  const Observer observer(std::move(subjects));
  SweepOptions options;
  options.bounds = bounds;
  options.families = {alphabet};
  return separate(observer, options);
}

std::set<std::string> texts(const Sweep& sweep) {
  std::set<std::string> result;
  for (const Separation& one : sweep.found) {
    result.insert(std::to_string(one.first) + ">" + std::to_string(one.second) + " " +
                  std::string(to_string(one.aspect)) + " " + std::to_string(one.size));
  }
  return result;
}

TEST(Separation, FindsTheSmallestProgramInEachDirection) {
  // With four or more statements, PTX allows outcomes that sequential consistency forbids. PTX allows every outcome
  // that sequential consistency allows.
  const Sweep sweep = swept({model("ptx"), model("sc")}, "R.rlx.gpu,W.rlx.gpu", {5, 2, 2, 2, 0});
  EXPECT_EQ(texts(sweep), (std::set<std::string>{"0>1 outcome 4", "0>1 race-free-outcome 4"}));
  EXPECT_EQ(sweep.complete, 5U);
  EXPECT_FALSE(sweep.is_stopped);
  ASSERT_TRUE(sweep.found.front().outcome);
}

TEST(Separation, BarrierChainSeparatesHrfDirectAndIndirect) {
  // litmus/separating/L11: a block has a barrier and, after the barrier, a release at device scope.
  const Observer observer({model("hrf-direct"), model("hrf-indirect")});
  const auto chain = synthesis::skeleton_named("Wx+B_B+Wy.rel.gpu_Ry.acq.gpu+Rx.if@0,0,1");
  ASSERT_TRUE(chain);
  const std::vector<Sight> sights = observer.observe(observed_program(observer, *chain));
  EXPECT_TRUE(difference(sights[0], sights[1], Aspect::Race));
  EXPECT_FALSE(difference(sights[1], sights[0], Aspect::Race));
  EXPECT_FALSE(difference(sights[0], sights[1], Aspect::Outcome));
}

TEST(Separation, FindsNothingBetweenEqualModels) {
  const Sweep sweep = swept({model("ptx"), model("ptx-7.5")}, "plain,fences", {4, 2, 2, 2, 0});
  EXPECT_TRUE(sweep.found.empty());
  EXPECT_EQ(sweep.complete, 4U);
  EXPECT_GT(sweep.programs, 100U);
}

TEST(Separation, DistinguishesDetectorsByRuns) {
  // GWCP predicts a race if two sections of one lock do not conflict (definitions 5.3, E3). Here, one thread runs acq;
  // w x; rel, and the other thread runs acq; rel; w x.
  const Sweep sweep = swept({detector_named("gwcp"), detector_named("barracuda")}, "W,L.gpu,N.gpu", {6, 2, 2, 1, 1});
  EXPECT_TRUE(texts(sweep).contains("0>1 run 6"));
  EXPECT_FALSE(std::ranges::any_of(sweep.found, [](const Separation& one) { return one.first == 1; }));
}

TEST(Separation, FindingsAreReproducible) {
  const Observer observer({model("ptx"), model("cuda-cpp"), model("hrf-relaxed"), detector_named("scord")});
  SweepOptions options;
  options.bounds = {4, 2, 2, 2, 0};
  options.families = {"R,W,R.rlx.gpu,W.rlx.cta"};
  const Sweep sweep = separate(observer, options);
  EXPECT_FALSE(sweep.found.empty());
  for (const Separation& one : sweep.found) {
    const auto text = litmus_text(one.program, name_of(one.program), "", "");
    const std::vector<Sight> sights = observer.observe(test::program_of(text));
    EXPECT_TRUE(difference(sights[one.first], sights[one.second], one.aspect)) << text;
  }
}

TEST(Separation, FindsNothingBetweenGwcpOverAllExecutionsAndOnAllSchedules) {
  // A sample of docs/lab/small-scope.md. The model checks all executions; the detector checks all schedules.
  const Observer observer({model("gwcp"), detector_named("gwcp")});
  SweepOptions options;
  options.bounds = {7, 3, 2, 2, 1};
  options.families = {"W,R,L.gpu,N.gpu,L.cta,N.cta", "W,L.gpu,N.gpu,B", "W,R.if,W.rel.gpu,R.acq.gpu,W.rel.cta",
                      "W,R.if,R.rlx.gpu,W.rlx.gpu,U.rlx.cta,F.sc.gpu"};
  options.random = 80;
  const Sweep sweep = separate(observer, options);
  EXPECT_EQ(sweep.programs, 80U);
  EXPECT_TRUE(sweep.found.empty()) << name_of(sweep.found.front().program);
}

TEST(Separation, FindsDifferencesAmongRandomPrograms) {
  const Observer observer({model("ptx"), model("sc")});
  SweepOptions options;
  options.bounds = {5, 2, 2, 2, 0};
  options.families = {"R.rlx.gpu,W.rlx.gpu"};
  options.random = 150;
  const Sweep sweep = separate(observer, options);
  EXPECT_GT(sweep.programs, 20U);
  ASSERT_FALSE(sweep.found.empty());
  EXPECT_EQ(separate(observer, options).found.front().program, sweep.found.front().program);
}

TEST(Separation, StopsWhenCancelled) {
  const Observer observer({model("ptx"), model("ptx-7.5")});
  SweepOptions options;
  options.families = {"plain"};
  int programs = 0;
  options.is_over = [&] { return ++programs > 10; };
  const Sweep sweep = separate(observer, options);
  EXPECT_TRUE(sweep.is_stopped);
  EXPECT_LE(sweep.programs, 10U);
}

}  // namespace
}  // namespace ambit::study
