#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "model/explain/outcome_causes.h"
#include "model/rules/shipped.h"
#include "model/verdict/races.h"
#include "report/text/explain_text.h"
#include "tests/support/parsed.h"

// Tests explanations of an outcome that the model forbids. If the program races and the model does not define racy
// programs (definitions 1.1), the explanation says that the behaviour is undefined. If no execution of the program
// ends, the explanation says so, and names no values.
namespace ambit::explain {
namespace {

using testing::HasSubstr;
using testing::Not;

OutcomeExplanation explained(const std::string& program, const std::shared_ptr<const rules::Rules>& model) {
  verdict::Checker checker;
  Context context;
  auto found = explain_outcome(checker, test::program_of(program), model, {}, context);
  EXPECT_TRUE(found.ok());
  return std::move(found).value();
}

std::string text_of(const OutcomeExplanation& explanation) {
  return report::outcome_explanation_text(explanation, "the outcome", {}, {});
}

// Two blocks make plain accesses: x at lines 4 and 9, flag at lines 5 and 8.
const char* const kPlain = R"(CUDA plain-mp
{ global int x = 0, flag = 0; }
P0 @ block 0 {
  x = 1;
  flag = 1;
}
P1 @ block 1 {
  int r0 = flag;
  int r1 = x;
}
exists (P1:r0 == 1 && P1:r1 == 0)
)";

TEST(RacyPrograms, AreDefinedInThePtxFamilyOnly) {
  using verdict::RacyPrograms;
  for (const std::string_view name : rules::shipped_models()) {
    const auto rules = test::shipped_model(std::string(name));
    const bool is_defined = name.starts_with("ptx") || !verdict::speaks_of_races(*rules);
    EXPECT_EQ(verdict::racy_programs(*rules), is_defined ? RacyPrograms::Defined : RacyPrograms::Undefined) << name;
  }
  const auto own = test::model_of("\"mine\"\nacyclic po | rf as steps\nflag ~empty (W * R) & loc & ext as my-race\n");
  EXPECT_EQ(verdict::racy_programs(*own), RacyPrograms::NotKnown);
}

TEST(ForbiddenOutcome, OfARacyProgramIsUndefined) {
  for (const char* model : {"hrf-indirect", "hrf-direct", "scoped-hb", "gwcp"}) {
    const OutcomeExplanation explanation = explained(kPlain, test::shipped_model(model));
    EXPECT_EQ(explanation.possibility, events::Possibility::Impossible) << model;
    ASSERT_TRUE(explanation.races) << model;
    EXPECT_EQ(verdict::race_locations(*explanation.races), (std::vector<std::string>{"x", "flag"})) << model;
    const std::string text = text_of(explanation);
    EXPECT_THAT(text, HasSubstr("UNDEFINED  plain-mp")) << model;
    EXPECT_THAT(text, Not(HasSubstr("cannot happen"))) << model;
    EXPECT_THAT(text, HasSubstr("race on x, flag")) << model;
    EXPECT_THAT(text, HasSubstr(std::string("ambit explain FILE --model ") + model + " --race")) << model;
  }
}

TEST(ForbiddenOutcome, OfARaceFreeProgramCannotHappen) {
  const std::string text = text_of(explained(R"(CUDA atomic-mp
{ global int x = 0, flag = 0; }
P0 @ block 0 { store(x, 1, relaxed, device); store(flag, 1, release, device); }
P1 @ block 1 { int r0 = load(flag, acquire, device); int r1 = load(x, relaxed, device); }
exists (P1:r0 == 1 && P1:r1 == 0)
)",
                                             test::shipped_model("cuda-cpp")));
  EXPECT_THAT(text, HasSubstr("FORBIDDEN"));
  EXPECT_THAT(text, HasSubstr("cannot happen"));
}

// The accesses of x race, but the accesses of one thread to one location are still in order.
TEST(ForbiddenOutcome, OfARacyProgramIsDefinedInPtx) {
  const OutcomeExplanation explanation = explained(R"(CUDA racy-cowr
{ global int x = 0; }
P0 @ block 0 { x = 1; int r0 = x; }
P1 @ block 1 { x = 2; }
exists (P0:r0 == 0)
)",
                                                   test::shipped_model("ptx"));
  EXPECT_EQ(explanation.possibility, events::Possibility::Impossible);
  EXPECT_FALSE(explanation.races);
  EXPECT_THAT(text_of(explanation), HasSubstr("FORBIDDEN"));
}

// P1 waits forever: f never becomes 1, because x never becomes 5. The value 0 in the condition is x's initial value.
const char* const kWaits = R"(CUDA waits
{ global int x = 0, f = 0; }
P0 @ block 0 { if (load(x, relaxed, device) == 5) store(f, 1, release, device); }
P1 @ block 1 { while (load(f, acquire, device) != 1) {} int r = x; }
exists (P1:r == 0)
)";

TEST(ForbiddenOutcome, OfASpinLoopThatNeverEndsIsStuck) {
  const OutcomeExplanation explanation = explained(kWaits, test::shipped_model("ptx"));
  EXPECT_TRUE(explanation.is_unreachable);
  EXPECT_TRUE(explanation.is_stuck);
  EXPECT_THAT(text_of(explanation), HasSubstr("a thread waits forever"));
}

// The loop can end. So only the filter excludes all executions.
TEST(ForbiddenOutcome, OfAFilterIsNotStuck) {
  const OutcomeExplanation explanation = explained(R"(CUDA filtered
{ global int x = 0, f = 0; }
P0 @ block 0 { store(f, 1, release, device); }
P1 @ block 1 { while (load(f, acquire, device) != 1) {} int r = x; }
filter (x == 5)
exists (P1:r == 0)
)",
                                                   test::shipped_model("ptx"));
  EXPECT_TRUE(explanation.is_unreachable);
  EXPECT_FALSE(explanation.is_stuck);
}

// The loop ends with f == 1, but no thread writes 7.
TEST(ForbiddenOutcome, OfUnwrittenValuesIsUnreachable) {
  const OutcomeExplanation explanation = explained(R"(CUDA unwritten
{ global int x = 0, f = 0; }
P0 @ block 0 { store(f, 1, release, device); }
P1 @ block 1 { while (load(f, acquire, device) != 1) {} int r = x; }
exists (P1:r == 7)
)",
                                                   test::shipped_model("ptx"));
  EXPECT_TRUE(explanation.is_unreachable);
  EXPECT_FALSE(explanation.is_stuck);
}

// PTX ISA 8.10.5, coherence: the fences order x = 1 before x = 2, or y = 1 before y = 2. For the outcome, both orders
// would have to be the other way round.
TEST(ForbiddenOutcome, NamesTheOppositeOrderOfCoherence) {
  const std::string text = text_of(explained(R"(CUDA two-two-w
{ global int x = 0, y = 0; }
P0 @ block 0 {
  store(x, 1, relaxed, device);
  fence(seq_cst, device);
  store(y, 2, relaxed, device);
}
P1 @ block 1 {
  store(y, 1, relaxed, device);
  fence(seq_cst, device);
  store(x, 2, relaxed, device);
}
exists (x == 1 && y == 1)
)",
                                             test::shipped_model("ptx")));
  const bool is_x = text.find("write of x = 2 (line 11) is overwritten by P0's") != std::string::npos;
  const bool is_y = text.find("write of y = 2 (line 6) is overwritten by P1's") != std::string::npos;
  EXPECT_TRUE(is_x || is_y) << text;
}

}  // namespace
}  // namespace ambit::explain
