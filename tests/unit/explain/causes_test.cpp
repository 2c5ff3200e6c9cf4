#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "model/explain/race_causes.h"
#include "report/text/explain_text.h"
#include "tests/support/golden.h"
#include "tests/support/parsed.h"

// The explanation of each racy test must name the test's fault. The authors of the suite (ScoR, Kamath et al., ISCA
// 2020) made these faults: from each race-free variant, they removed a fence or lock, or they narrowed a scope. The
// expectations come from the suite, not from Ambit's output.
namespace ambit {
namespace {

struct Cause {
  std::string file;
  std::string model;
  std::vector<std::string> words;  ///< all texts that the explanation of the missing link must contain
};

std::string missing_link(const Cause& cause) {
  const auto program = test::program_in("litmus/" + cause.file + ".litmus");
  const auto rules = test::shipped_model(cause.model);
  verdict::Checker checker;
  Context context;
  const auto explanation = explain::explain_race(checker, program, rules, {}, {}, context);
  if (explanation.value().races.empty()) return "no race";
  const explain::ExplainedRace& race = explanation.value().races.front();
  std::string text;
  for (const explain::Repair& repair : race.repairs) {
    for (const std::string& line : report::missing_link_text(explanation.value(), race, repair)) text += line + "\n";
  }
  return text;
}

class Causes : public testing::TestWithParam<Cause> {};

TEST_P(Causes, AreNamed) {
  const std::string text = missing_link(GetParam());
  for (const std::string& word : GetParam().words) {
    EXPECT_NE(text.find(word), std::string::npos) << "'" << word << "' is not in:\n" << text;
  }
}

std::string test_name(const testing::TestParamInfo<Cause>& info) {
  return test::case_name(info.param.file + "_" + info.param.model);
}

// The suite's labels hold under scoped-hb if the polling thread has a fence. If the polling thread has no fence, the
// test uses hrf-relaxed(rlx=acquire). There, polling acquires, as in ScoRD's hardware.
INSTANTIATE_TEST_SUITE_P(
    Scor, Causes,
    testing::Values(
        Cause{"scor/race_interblock_blkatom",
              "scoped-hb",
              {"atomic operations on data[0]", "block scope", "b0t0 and b1t0 are not in one block", "device scope"}},
        Cause{"scor/race_interblock_blkfence_raw",
              "hrf-relaxed(rlx=acquire)",
              {"release fence at line 10", "block scope", "b1t0 is in block 1"}},
        Cause{
            "scor/race_interblock_blkfence_raw", "scoped-hb", {"release fence at line 10", "acquire fence is missing"}},
        Cause{"scor/race_interblock_blklock_waw",
              "scoped-hb",
              {"on the lock", "fences at lines 10, 12, 16 and 18", "block scope", "device scope"}},
        Cause{"scor/race_interblock_blklock_waw",
              "hrf-relaxed(rlx=acquire)",
              {"on the lock", "block scope", "device scope"}},
        Cause{"scor/race_interblock_fence_rtraw",
              "hrf-relaxed(rlx=acquire)",
              {"at line 14 after it sets flag at line 13"}},
        Cause{"scor/race_interblock_lock-blkfence_waw",
              "scoped-hb",
              {"acquire fence at line 10", "block scope", "device scope"}},
        Cause{"scor/race_interblock_lock-no-stf_waw",
              "scoped-hb",
              {"acquire fence is missing", "between line 9 and line 10 in b0t0", "device scope"}},
        Cause{
            "scor/race_interblock_lock-no-tf_waw",
            "scoped-hb",
            {"release fence is missing", "between line 11 and line 12 in b0t0", "between line 16 and line 17 in b1t0"}},
        Cause{"scor/race_interblock_none-atom_waw",
              "scoped-hb",
              {"line 10 is volatile, which is not atomic", "while the atomic update at line 8"}},
        Cause{
            "scor/race_interblock_none-lock_rtraw", "scoped-hb", {"at line 16 after it releases the lock at line 15"}},
        Cause{"scor/race_interblock_none-lock_waw",
              "scoped-hb",
              {"b1t0 accesses data[0]", "without holding the lock", "b0t0 holds"}},
        Cause{"scor/race_interwarp_blklock-no-stf_waw",
              "scoped-hb",
              {"acquire fence is missing", "in b0t0", "block scope"}},
        Cause{"scor/race_interwarp_blklock-no-tf_waw",
              "scoped-hb",
              {"release fence is missing", "in b0t0", "in b0t32", "block scope"}},
        Cause{"scor/race_interwarp_dev-blklock-no-stf_waw", "scoped-hb", {"acquire fence is missing", "in b0t0"}},
        Cause{"scor/race_interwarp_dev-blklock-no-tf_waw",
              "scoped-hb",
              {"release fence is missing", "in b0t0", "in b0t32"}},
        Cause{"scor/race_interwarp_none-atom_waw", "scoped-hb", {"not atomic", "while the atomic update at line 8"}},
        Cause{"scor/race_interwarp_none-blkatom_waw", "scoped-hb", {"not atomic", "while the atomic update at line 8"}},
        Cause{"scor/race_interwarp_none-blklock_waw",
              "scoped-hb",
              {"b0t32 accesses data[0]", "without holding the lock"}},
        Cause{
            "scor/race_interwarp_none-lock_waw", "scoped-hb", {"b0t32 accesses data[0]", "without holding the lock"}}),
    test_name);

/// The two races are independent of each other. By default, Ambit tries changes only for the first race. It states a
/// cause only if the model has checked the cause (docs/reference/explain.md).
TEST(StatedCauses, AreStatedOnlyWhereChangesWereTried) {
  const auto program = test::program_of(R"(CUDA races
{ global int x = 0, y = 0; }
P0 @ block 0 { x = 1; }
P1 @ block 1 { int r0 = x; }
P2 @ block 2 { y = 1; }
P3 @ block 3 { int r1 = y; }
)");
  verdict::Checker checker;
  Context context;
  auto explained = explain::explain_race(checker, program, test::shipped_model("ptx"), {}, {}, context);
  explain::RaceExplanation explanation = std::move(explained).value();
  ASSERT_EQ(explanation.races.size(), 2U);
  EXPECT_TRUE(explanation.races[0].is_analysed);
  EXPECT_FALSE(explanation.races[1].is_analysed);
  std::string text = report::race_explanation_text(explanation, {}, {.full = true});
  EXPECT_EQ(text.find("Nothing connects"), std::string::npos) << text;
  EXPECT_NE(text.find("Ambit looked for the missing link of the first race only."), std::string::npos) << text;
  // The time ran out before Ambit tried a change.
  explanation.races.resize(1);
  explanation.races[0].repairs.clear();
  explanation.races[0].untried_repairs = 7;
  text = report::race_explanation_text(explanation, {}, {.full = true});
  EXPECT_EQ(text.find("Nothing connects"), std::string::npos) << text;
  EXPECT_NE(text.find("The changes that Ambit could try"), std::string::npos) << text;
  EXPECT_NE(text.find("Ambit did not try 7 more changes"), std::string::npos) << text;
}

/// A barrier of the whole grid would also order the accesses. But the kernel synchronises its blocks by the counter.
TEST(StatedCauses, OfALastBlockIsTheCounterAndNotTheBarrierAfterIt) {
  const auto program = test::program_of(R"(CUDA last
{ global int part[2]; global int n = 0, out = 0; }
__global__ void last(int *part, int *n, int *out) {
  part[blockIdx.x] = 1;
  int ticket = atomicAdd(n, 1);
  __syncthreads();
  if (ticket == 1) *out = part[0] + part[1];
}
launch last<<<2, 1>>>(part, &n, &out);
)");
  verdict::Checker checker;
  Context context;
  auto explained = explain::explain_race(checker, program, test::shipped_model("ptx"), {}, {}, context);
  const std::string text = report::race_explanation_text(explained.value(), {}, {});
  EXPECT_NE(text.find("The atomic operation on n at line 5 is relaxed"), std::string::npos) << text;
  EXPECT_EQ(text.find("barrier"), std::string::npos) << text;
}

// Tests programs on which the models differ (litmus/separating/README.md).
INSTANTIATE_TEST_SUITE_P(
    Separating, Causes,
    testing::Values(
        Cause{"separating/L2-MP-narrow-both",
              "ptx",
              {"atomic operations on f at lines 9 and 13", "block scope", "device scope"}},
        Cause{"separating/L3-MP-same-block-mixed", "hrf-direct", {"operation on f", "equal scopes"}},
        Cause{"separating/L4-ISA2-block-then-device",
              "hrf-direct",
              {"on f at lines 9 and 13", "block scope", "device scope"}},
        Cause{"separating/L5-MP-narrow-release", "ptx", {"operation on f at line 9", "block scope"}},
        Cause{"separating/L6-MP-relaxed",
              "ptx",
              {"line 9 is relaxed", "order release", "line 13 is relaxed", "order acquire"}},
        Cause{"separating/L8-MP-no-acquire-fence",
              "ptx",
              {"acquire fence is missing", "between line 14 and line 16 in P1"}},
        Cause{"separating/L9-MP-narrow-release-fence", "cuda-cpp", {"release fence at line 9", "block scope"}},
        Cause{"separating/L9b-MP-narrow-fences", "ptx", {"fences at lines 9 and 15", "block scope"}},
        Cause{"separating/L10-MP-through-a-relaxed-store",
              "ptx",
              {"fence is missing", "between line 13 and line 14 in P1"}},
        Cause{"separating/L11-barrier-then-device", "hrf-direct", {"barrier", "block"}},
        Cause{"separating/L12-race-outside-SC",
              "ptx",
              {"between line 8 and line 9 in P0", "between line 14 and line 15 in P1",
               "before other threads see the write"}},
        Cause{"separating/L14-SB-narrow", "ptx", {"operations on a at lines 8 and 14", "block scope"}},
        Cause{"separating/L15-lost-update-same-block", "hrf-direct", {"operation on c", "equal scopes"}},
        Cause{"separating/L16-lost-update", "ptx", {"operation on c at line 8", "block scope", "P1 is in block 1"}},
        Cause{"separating/L17-volatile", "cuda-cpp", {"lines 8 and 12 are volatile, which is not atomic"}},
        Cause{"separating/L18-chain-block-device-block",
              "hrf-direct",
              {"on f at lines 9 and 13", "on h at lines 19 and 23", "block scope"}}),
    test_name);

}  // namespace
}  // namespace ambit
