#include "api/check/ending.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "tests/support/parsed.h"

namespace ambit::api {
namespace {

using termination::Termination;
using termination::TerminationVerdict;

TerminationVerdict ending_of(const std::string& name, const std::shared_ptr<const rules::Rules>& rules,
                             Scheduler scheduler = Scheduler::Fair) {
  verdict::Checker checker;
  Context context;
  const auto verdict =
      check_ending(checker, test::program_in("litmus/termination/" + name + ".litmus"), rules, scheduler, {}, context);
  EXPECT_TRUE(verdict.ok()) << (verdict.ok() ? "" : render(verdict.errors()));
  return verdict.value();
}

TEST(Ending, ALivelockIsPossibleUnderEachModelAndSchedulerThatAllowsInterleavings) {
  using Case = std::pair<const char*, Scheduler>;
  for (const auto& [model, scheduler] :
       {Case{"sc", Scheduler::Fair}, Case{"ptx", Scheduler::Fair}, Case{"ptx", Scheduler::Obe}}) {
    const TerminationVerdict verdict = ending_of("livelock-back-off", test::shipped_model(model), scheduler);
    EXPECT_EQ(verdict.termination, Termination::Livelock) << model;
    EXPECT_TRUE(verdict.livelock);
    EXPECT_FALSE(verdict.unknown);
  }
}

// For these models and schedulers, nothing proves that the cycle is allowed.
TEST(Ending, AModelOfTheUserAndLockstepKeepTheAnswerUnknown) {
  const auto mine = test::model_of("acyclic po | rf | co | fr as mine");
  EXPECT_EQ(ending_of("livelock-back-off", mine).termination, Termination::Unknown);
  EXPECT_EQ(ending_of("livelock-back-off", test::shipped_model("ptx"), Scheduler::Lockstep).termination,
            Termination::Unknown);
}

TEST(Ending, ACompleteSearchShowsTheEndUnderScOnly) {
  EXPECT_EQ(ending_of("livelock-lock-order", test::shipped_model("sc")).termination, Termination::Terminates);
  EXPECT_EQ(ending_of("livelock-lock-order", test::shipped_model("ptx")).termination, Termination::Unknown);
}

}  // namespace
}  // namespace ambit::api
