// Tests kernels of tests with dependent grids. These kernels have one launch for each grid.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runner/cuda/emit/emit_kernel.h"
#include "tests/support/parsed.h"

namespace ambit::cuda {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Result<Kernel> grids_kernel(const std::string& body, Shape shape = {}) {
  return emit(*test::program_of("PTX t\n{ x=0; }\n" + body + "exists (P1:r0 == 0)\n", "t.litmus"), shape);
}

std::vector<std::string> texts_of_thread(const Kernel& kernel, std::size_t thread) {
  std::vector<std::string> texts;
  for (const MarkedInstruction& instruction : kernel.instructions[thread]) texts.push_back(instruction.text);
  return texts;
}

// In models, the start of a dependent grid and the end of a thread are operations that a kernel does not need.
TEST(EmitDependentGrids, EachGridHasALaunch) {
  const auto kernel = grids_kernel(
      " P0@cta 0,grid 0 | P1@cta 1,grid 1 | P2@cta 2,grid 1 ;\n"
      " st.weak.global [x], 1 | griddepcontrol.wait | ld.weak.global r0, [x] ;\n"
      " griddepcontrol.launch_dependents | ld.weak.global r0, [x] | ;\n");
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_THAT(texts_of_thread(kernel.value(), 0),
              ElementsAre("st.weak.global.s32", "griddepcontrol.launch_dependents"));
  EXPECT_THAT(texts_of_thread(kernel.value(), 1), ElementsAre("griddepcontrol.wait", "ld.weak.global.s32"));
  EXPECT_THAT(texts_of_thread(kernel.value(), 2), ElementsAre("ld.weak.global.s32"));
  EXPECT_THAT(kernel.value().is_straight, ElementsAre(true, true, true));
  const Layout& layout = kernel.value().layout;
  EXPECT_THAT(layout.grid_clusters, ElementsAre(1U, 2U));
  EXPECT_THAT(layout.gpu_clusters, ElementsAre(3U));
  // In a block of several warps, the first warp would start the dependent grids of all instances in the block.
  EXPECT_EQ(layout.shape.block_threads, 32U);
  EXPECT_EQ(layout.shape.batch, 1U);
  const std::string& source = kernel.value().source;
  EXPECT_THAT(source, HasSubstr("griddepcontrol.launch_dependents; // ambit P0.1\" :  :  : \"memory\");\n"
                                "  delay_after_launch(at);\n"));
  EXPECT_THAT(source, HasSubstr(" ambit_grid("));
  EXPECT_THAT(source, HasSubstr(" ambit_count("));
  EXPECT_THAT(source, Not(HasSubstr(" ambit_test(")));
  EXPECT_THAT(source, HasSubstr("kIsDivided = 1;"));
}

// The kernel waits for the previous grid by an instruction, not by a loop.
TEST(EmitDependentGrids, GridsMayBeAChain) {
  const auto kernel = grids_kernel(
      " P0@cta 0,grid 0 | P1@cta 1,grid 1 | P2@cta 2,grid 2 ;\n"
      " st.weak.global [x], 1 | griddepcontrol.wait | griddepcontrol.wait ;\n"
      " | griddepcontrol.launch_dependents | ld.weak.global r0, [x] ;\n"
      " | ld.weak.global r0, [x] | ;\n");
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_THAT(texts_of_thread(kernel.value(), 1),
              ElementsAre("griddepcontrol.wait", "griddepcontrol.launch_dependents", "ld.weak.global.s32"));
  EXPECT_THAT(kernel.value().layout.grid_clusters, ElementsAre(1U, 1U, 1U));
  EXPECT_THAT(kernel.value().is_straight, ElementsAre(true, true, true));
  EXPECT_THAT(kernel.value().source, Not(HasSubstr("__syncwarp();\n  asm volatile(\"griddepcontrol")));
  EXPECT_TRUE(kernel.value().instructions[1].back().is_certain);
}

TEST(EmitDependentGrids, OtherTestsHaveOneGrid) {
  const auto kernel = grids_kernel(" P0@cta 0 | P1@cta 1 ;\n st.weak.global [x], 1 | ld.weak.global r0, [x] ;\n");
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_FALSE(kernel.value().layout.has_dependent_grids());
  EXPECT_THAT(kernel.value().source, HasSubstr(" ambit_test("));
  EXPECT_THAT(kernel.value().source, Not(HasSubstr(" ambit_grid(")));
  EXPECT_THAT(kernel.value().source, HasSubstr("kIsDivided = 0;"));
}

// The first lane that executes the instruction starts the next grid for its whole block.
TEST(EmitDependentGrids, LanesMeetBeforeTheNextGridMayBegin) {
  const auto kernel = grids_kernel(
      " P0@cta 0,grid 0 | P1@cta 1,grid 1 ;\n"
      " ld.weak.global r1, [x] | ld.weak.global r0, [x] ;\n"
      " beq r1, 0, LC00 | ;\n"
      " st.weak.global [x], 1 | ;\n"
      " LC00: griddepcontrol.launch_dependents | ;\n");
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_THAT(kernel.value().source, HasSubstr("  __syncwarp();\n  asm volatile(\"griddepcontrol.launch_dependents"));
}

// In a test with several launches, runners never replace mbarriers by atomics.
TEST(EmitDependentGrids, MbarriersAreThoseOfTheHardware) {
  const auto kernel = emit(*test::program_of("PTX t\n{ x=0; b = mbarrier(1); }\n P0@cta 0,grid 0 | P1@cta 1,grid 1 ;\n"
                                             " st.weak.global [x], 1 | mbarrier.arrive r0, b ;\n"
                                             " | mbarrier.test_wait r1, b, r0 ;\nexists (P1:r1 == 1)\n",
                                             "t.litmus"),
                           {});
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_THAT(kernel.value().source, HasSubstr("reset_mbarrier(shared_at(at, 0 /* b */), 1);"));
}

TEST(EmitDependentGrids, WhatDoesNotRunIsRefused) {
  const std::string code = " st.weak.global [x], 1 | ld.weak.global r0, [x] ;\n";
  const auto recorded = grids_kernel(" P0@cta 0,grid 0 | P1@cta 1,grid 1 ;\n" + code, {.records = true});
  ASSERT_FALSE(recorded.ok());
  EXPECT_THAT(render(recorded.errors()), HasSubstr("the recorder does not support grids that depend on each other"));
  const auto apart = grids_kernel(
      " P0@cta 0,grid 0 | P1@cta 1,grid 1 | P2@cta 2,grid 3 ;\n"
      " st.weak.global [x], 1 | ld.weak.global r0, [x] | ld.weak.global r0, [x] ;\n");
  ASSERT_FALSE(apart.ok());
  EXPECT_THAT(render(apart.errors()), HasSubstr("grid 3 depends on no other grid of the test"));
}

}  // namespace
}  // namespace ambit::cuda
