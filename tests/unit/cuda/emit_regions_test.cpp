// Tests the generated functions that execute the steps of a thread under ldetector.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>

#include "parser/parse.h"
#include "runner/cuda/emit/emit_kernel.h"
#include "runner/cuda/emit/in_gpu.h"

namespace ambit::cuda {
namespace {

using testing::HasSubstr;

/// Returns the function of the first thread, or the errors.
std::string first_function(const std::string& body) {
  auto program = parser::parse_program(std::make_shared<const SourceFile>(SourceFile{"t.litmus", "CUDA t\n" + body}));
  if (!program.ok()) return render(program.errors());
  const auto kernel = emit(*program.value(), {.block_threads = 128, .detector = find_in_gpu_detector("ldetector")});
  if (!kernel.ok()) return render(kernel.errors());
  const std::string& source = kernel.value().source;
  const std::size_t begin = source.find("Step step_0(WarpRun& run) {");
  return source.substr(begin, source.find("\n}\n", begin) - begin);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// In a warp of one lane, the lane stops only at barriers; a region has no other stops.
TEST(EmitRegions, OneLaneStopsAtBarriersAlone) {
  const std::string text = first_function(
      "{ shared int s[2] = {0}; }\n"
      "P0 @ block 0 { s[0] = 1; int r0 = s[1]; __syncthreads(); s[1] = r0; }\n"
      "P1 @ block 0 { __syncthreads(); }\n");
  EXPECT_EQ(count(text, "goto stop;"), 1U);
  EXPECT_THAT(text, HasSubstr("at = at_barrier(6, 0, 2);"));  // the barrier is instruction 2 and has two threads
  EXPECT_EQ(count(text, "run.load("), 1U);
  EXPECT_EQ(count(text, "run.store("), 2U);
}

// The lanes of a warp stop before the store, before the barrier, and after their arrival at the barrier. After its
// arrival, a lane stops repeatedly until the other lane has arrived.
TEST(EmitRegions, LanesTakeTurns) {
  const std::string text = first_function(
      "{ shared int s[2] = {0}; }\n"
      "P0 @ block 0 warp 0 lane 0 { s[0] = 1; __syncwarp(3); }\n"
      "P1 @ block 0 warp 0 lane 1 { __syncwarp(3); }\n");
  EXPECT_EQ(count(text, "goto stop;"), 4U);
  EXPECT_EQ(count(text, "how = Step::Waits;"), 1U);
}

TEST(EmitRegions, ComputedAddressesMayMeanNoCell) {
  const std::string text = first_function(
      "{ shared int s[2] = {0}; }\n"
      "P0 @ block 0 { int r0 = s[0]; int r1 = s[r0]; s[r1] = 1; }\n");
  EXPECT_THAT(text, HasSubstr("cell == kNone ? 0 : run.load("));
  EXPECT_THAT(text, HasSubstr("if (cell != kNone) run.store("));
}

TEST(EmitRegions, LoopsEnd) {
  const std::string text = first_function(
      "{ shared int s[4] = {0}; }\n"
      "P0 @ block 0 { int r0 = s[0]; while (r0 < 3) { s[r0] = 1; r0 = r0 + 1; } }\n");
  EXPECT_EQ(count(text, "if (!run.may_jump_back()) {"), 1U);
}

TEST(EmitRegions, RefusesWhatLDetectorRefuses) {
  EXPECT_THAT(first_function("{ shared int s = 0; }\nP0 @ block 0 { atomicAdd(&s, 1); }\n"),
              HasSubstr("t.litmus:3:16: error: ldetector does not support programs with atomics"));
  // Only when ldetector runs a test does it detect that a thread waits in a loop.
  EXPECT_THAT(first_function("{ shared int s = 0; }\nP0 @ block 0 { while (s == 0) {} }\nP1 @ block 0 { s = 1; }\n"),
              HasSubstr("P0 waits in a loop for another thread"));
}

}  // namespace
}  // namespace ambit::cuda
