#include "runner/cuda/emit/emit_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/support/parsed.h"

namespace ambit::cuda {
namespace {

using testing::ElementsAre;
using Numbers = std::vector<std::size_t>;

std::shared_ptr<const Program> program_of_thread(const std::string& thread, const std::string& condition) {
  const std::string text =
      "CUDA t\n{ global int x = 0, y = 0; global int a[4]; }\nP0 @ block 0 { " + thread + " }\n" + condition;
  return test::program_of(text, "t.litmus");
}

/// Returns the numbers of the load instructions.
Numbers loads(const Program& program) {
  Numbers found;
  for (std::size_t i = 0; i < program.threads[0].code.size(); ++i) {
    if (std::holds_alternative<Load>(program.threads[0].code[i].operation)) found.push_back(i);
  }
  return found;
}

// The program overwrites r0 before the first use of r0. Only a branch uses r1. No instruction uses r2.
TEST(EmitFlow, ResultsUsedBeforeTheyAreReplacedAreRead) {
  const auto program =
      program_of_thread("int r0 = x; r0 = y; int r1 = x; if (r1 == 1) { y = 2; } int r2 = y;", "exists (P0:r0 == 1)");
  const ThreadFlow flow(*program, 0);
  const Numbers all = loads(*program);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_FALSE(flow.is_result_read(all[0]));
  EXPECT_TRUE(flow.is_result_read(all[1]));
  EXPECT_TRUE(flow.is_result_read(all[2]));
  EXPECT_FALSE(flow.is_result_read(all[3]));
}

// The expressions r0 ^ r0 and r0 % 1 are always 0, so the value of r0 does not matter.
TEST(EmitFlow, ResultWithoutAnEffectIsNotRead) {
  const auto program =
      program_of_thread("int r0 = x; int r1 = (r0 ^ r0) + 1; y = r1; int r2 = a[r0 % 1];", "exists (P0:r2 == 1)");
  EXPECT_FALSE(ThreadFlow(*program, 0).is_result_read(loads(*program)[0]));
  const auto other = program_of_thread("int r0 = x; int r1 = (r0 ^ 1) + 1; y = r1;", "exists (y == 1)");
  EXPECT_TRUE(ThreadFlow(*other, 0).is_result_read(loads(*other)[0]));
}

// Only the next iteration of the loop uses the loaded value.
TEST(EmitFlow, ALoopReadsValuesOfItsPreviousRound) {
  const auto program =
      program_of_thread("int r0 = 0; int r1 = 0; while (r1 == 0) { r1 = r0; r0 = x; }", "exists (P0:r1 == 1)");
  const ThreadFlow flow(*program, 0);
  ASSERT_EQ(loads(*program).size(), 1U);
  EXPECT_TRUE(flow.is_result_read(loads(*program)[0]));
}

TEST(EmitFlow, AccessesThatCanBeOfOneCellAreCounted) {
  const auto program =
      program_of_thread("x = 1; int r0 = y; int r1 = x; int r2 = a[r0]; int r3 = x;", "exists (P0:r3 == 1)");
  const ThreadFlow flow(*program, 0);
  const Numbers all = loads(*program);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(flow.accesses_before(all[0]), 0U);  // The load of y.
  EXPECT_EQ(flow.accesses_before(all[1]), 1U);  // The store to x.
  EXPECT_EQ(flow.accesses_before(all[2]), 3U);  // a[r0] could be any cell, so all earlier accesses count.
  EXPECT_EQ(flow.accesses_before(all[3]), 3U);  // The store to x, the load of x, and the load of a[r0].
}

// PTX instruction 0 is the load in the loop. The store after the loop becomes PTX instructions 1 and 2.
TEST(EmitFlow, FollowersGoAroundLoops) {
  const auto program =
      program_of_thread("while (load(x, relaxed, device) == 0) { } store(y, 1, seq_cst, device);", "exists (y == 1)");
  const ThreadFlow flow(*program, 0);
  ASSERT_EQ(loads(*program).size(), 1U);
  std::size_t store = 0;
  while (!std::holds_alternative<Store>(program->threads[0].code[store].operation)) ++store;
  EXPECT_THAT(flow.followers({loads(*program)[0], store, store}), ElementsAre(Numbers{0, 1}, Numbers{2}, Numbers{}));
}

}  // namespace
}  // namespace ambit::cuda
