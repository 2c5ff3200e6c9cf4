// Tests verdicts on programs with opaque values, which Ambit does not follow (docs/reference/cuda-sources.md).

#include "model/verdict/opaque.h"

#include <gtest/gtest.h>

#include "model/verdict/races.h"
#include "parser/parse.h"
#include "tests/support/parsed.h"

namespace ambit::verdict {
namespace {

using events::Possibility;

class OpaqueVerdict : public testing::TestWithParam<Engine> {
 protected:
  Verdict check(const std::string& text, bool explores = false) {
    parser::ProgramOptions reading;
    reading.opaque_branches = explores;
    const auto program = parser::parse_program(std::make_shared<const SourceFile>(SourceFile{"<test>", text}), reading);
    EXPECT_TRUE(program.ok()) << (program.ok() ? "" : render(program.errors()));
    CheckOptions options;
    options.engine = GetParam();
    auto verdict = checker_.check(program.value(), test::shipped_model("ptx"), options, context_);
    EXPECT_TRUE(verdict.ok()) << (verdict.ok() ? "" : render(verdict.errors()));
    return std::move(verdict).value();
  }

  Checker checker_;
  Context context_;
};

const char* const kMemory = "CUDA opaque\n{ global float f, g; global int x, y; }\n";

TEST_P(OpaqueVerdict, RacesAreDecidedByAddresses) {
  const Verdict racy = check(std::string(kMemory) + "P0 @ block 0 { f = 1.5f; }\nP1 @ block 1 { g = f * 2; }\n");
  EXPECT_EQ(racy.race, Possibility::Possible);
  EXPECT_EQ(race_locations(racy), std::vector<std::string>{"f"});
  EXPECT_FALSE(racy.unknown.has_value());
  const Verdict fine = check(std::string(kMemory) + "P0 @ block 0 { f = 1.5f; }\nP1 @ block 1 { g = 2; }\n");
  EXPECT_EQ(fine.race, Possibility::Impossible);
}

/// P1 races with P0 only if P1's branch is taken. f is opaque, so the branch can go either way.
const std::string kBranch =
    std::string(kMemory) + "P0 @ block 0 { x = 1; }\nP1 @ block 1 { if (f > 0.5f) x = 2; }\nexists (x == 2)\n";

TEST_P(OpaqueVerdict, ABranchIsUnknown) {
  const Verdict verdict = check(kBranch);
  EXPECT_EQ(verdict.race, Possibility::Unknown);
  EXPECT_FALSE(verdict.frequency.has_value());
  EXPECT_EQ(verdict.unknown, UnknownReason::Opaque);
  EXPECT_NE(verdict.unknown_detail.find("this branch (line 4, column 20)"), std::string::npos)
      << verdict.unknown_detail;
}

TEST_P(OpaqueVerdict, ExploredBranchesGoEitherWay) {
  const Verdict verdict = check(kBranch, true);
  EXPECT_EQ(verdict.race, Possibility::Possible);
  EXPECT_EQ(verdict.frequency, Frequency::Sometimes);
  EXPECT_FALSE(verdict.unknown.has_value());
  EXPECT_EQ(opaque_assumption(*verdict.graph->program), "if the branch in line 4 can go either way");
  EXPECT_EQ(race_text(verdict), "race on x if a branch goes that way");
  // P1 writes y, and P0 writes x. So there is no race, whether P1 takes the branch or not.
  const Verdict fine = check(
      std::string(kMemory) + "P0 @ block 0 { x = 1; }\nP1 @ block 1 { if (f > 0.5f) y = 2; }\nexists (x == 2)\n", true);
  EXPECT_EQ(fine.race, Possibility::Impossible);
  EXPECT_EQ(fine.frequency, Frequency::Never);
}

TEST_P(OpaqueVerdict, ExploredLoopsMayRunFromZeroIterationsOn) {
  const Verdict verdict =
      check(std::string(kMemory) +
                "P0 @ block 0 { int i = 0; while (f > 0.5f) { x = 1; i = i + 1; if (i == 2) break; } "
                "y = i; }\nforall (y == 2)\n",
            true);
  EXPECT_EQ(verdict.frequency, Frequency::Sometimes);
}

TEST_P(OpaqueVerdict, TheConditionAloneIsUnknown) {
  const Verdict verdict =
      check(std::string(kMemory) + "P0 @ block 0 { f = 1.5f; }\nP1 @ block 1 { x = 1; }\nexists (f == 0)\n");
  EXPECT_EQ(verdict.race, Possibility::Impossible);
  EXPECT_FALSE(verdict.frequency.has_value());
  EXPECT_FALSE(verdict.condition_holds.has_value());
  EXPECT_EQ(verdict.unknown, UnknownReason::Opaque);
}

/// Each failing iteration adds to f, so the loop is not a spin loop. The engine represents the opaque operand by 0. It
/// must not treat the operation as an addition of 0.
TEST_P(OpaqueVerdict, AnAdditionOfAnOpaqueValueIsNotAPoll) {
  const Verdict verdict = check(std::string(kMemory) +
                                "P0 @ block 0 { while (atomicAdd(&x, 0) == 0) { atomicAdd(&f, 1.0f); } }\n"
                                "P1 @ block 1 { g = f; atomicExch(&x, 1); }\n");
  EXPECT_TRUE(verdict.graph->spin_loops.empty());
  EXPECT_EQ(verdict.race, Possibility::Possible) << "P1 reads f without order while P0 adds to it";
}

INSTANTIATE_TEST_SUITE_P(Engines, OpaqueVerdict, testing::Values(Engine::Explicit, Engine::Smt),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

}  // namespace
}  // namespace ambit::verdict
