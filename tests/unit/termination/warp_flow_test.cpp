#include <gtest/gtest.h>

#include "model/termination/warp_flow.h"

namespace ambit::termination {
namespace {

Instruction branch_to(std::size_t target) { return {Branch{Expr::make_register(0), target}, {}}; }
Instruction jump_to(std::size_t target) { return {Jump{target}, {}}; }
Instruction nothing() { return {Fence{}, {}}; }

Thread thread_of(std::vector<Instruction> code, int lane = 0) {
  Thread thread;
  thread.registers = {{"r", kInt}};
  thread.place.lane = lane;
  for (std::size_t i = 0; i < code.size(); ++i) code[i].span = {static_cast<std::uint32_t>(i + 1), 1, 1};
  thread.code = std::move(code);
  return thread;
}

TEST(PostDominators, IfElseMeetsAfterBoth) {
  // Instructions:  0: branch 3; 1: fence; 2: jump 4; 3: fence; 4: fence
  const Thread thread = thread_of({branch_to(3), nothing(), jump_to(4), nothing(), nothing()});
  EXPECT_EQ(immediate_post_dominators(thread), (std::vector<std::size_t>{4, 2, 4, 4, 5}));
}

TEST(PostDominators, ALoopMeetsAtItsExit) {
  //  0: fence; 1: branch 0; 2: fence
  EXPECT_EQ(immediate_post_dominators(thread_of({nothing(), branch_to(0), nothing()})),
            (std::vector<std::size_t>{1, 2, 3}));
}

TEST(PostDominators, BreakOutOfAnEndlessLoopMeetsAfterTheLoop) {
  //  0: fence; 1: branch 3 (break); 2: jump 0; 3: fence
  EXPECT_EQ(immediate_post_dominators(thread_of({nothing(), branch_to(3), jump_to(0), nothing()})),
            (std::vector<std::size_t>{1, 3, 0, 4}));
}

TEST(PostDominators, WithoutAWayToTheEndItIsTheEnd) {
  EXPECT_EQ(immediate_post_dominators(thread_of({nothing(), jump_to(0)})), (std::vector<std::size_t>{2, 2}));
}

TEST(Divergences, OnlyWhereALaneMayWait) {
  // The program has an `if` statement without a loop in it. A loop follows.
  Program program;
  for (int lane = 0; lane < 2; ++lane) {
    program.threads.push_back(thread_of({branch_to(2), nothing(), nothing(), branch_to(2), nothing()}, lane));
  }
  const auto found = find_divergences(program, {0, 1});
  ASSERT_EQ(found[0].size(), 1U);
  EXPECT_EQ(found[0][0].begin, 3U);
  EXPECT_EQ(found[0][0].end, 4U);
  EXPECT_EQ(found[0][0].key, found[1][0].key);
}

TEST(Divergences, CodesThatDifferAreOneDivergenceBetweenTheirCommonEnds) {
  // Only lane 0 has a loop. The instructions before and after the loop have the same source places in both
  // lanes.
  Program program;
  program.threads.push_back(thread_of({nothing(), nothing(), branch_to(1), nothing()}, 0));
  Thread other = program.threads[0];
  other.code.erase(other.code.begin() + 1, other.code.begin() + 3);
  program.threads.push_back(other);
  const auto found = find_divergences(program, {0, 1});
  using Part = Divergence::Key::Part;
  ASSERT_FALSE(found[0].empty());
  ASSERT_EQ(found[1].size(), 1U);
  EXPECT_EQ(found[0][0].key.part, Part::Whole);
  EXPECT_EQ(found[0][0].begin, 1U);
  EXPECT_EQ(found[0][0].end, 3U);
  EXPECT_EQ(found[1][0].begin, 1U);
  EXPECT_EQ(found[1][0].end, 1U);
  EXPECT_NE(found[0][0].shape, found[1][0].shape);
}

}  // namespace
}  // namespace ambit::termination
