// Tests CUDA sources with dependent launches (programmatic dependent launch, griddepcontrol).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "parser/parse.h"

namespace ambit::parser {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kLaunches =
    "// ambit: launch first<<<2, 2>>>(x[4]);\n// ambit: dependent launch second<<<1, 1>>>(x);\n";

Result<std::shared_ptr<const Program>> grids(const std::string& first, const std::string& second,
                                             std::string_view launches = kLaunches) {
  const std::string text = "__global__ void first(int *x) { " + first + " }\n__global__ void second(int *x) { " +
                           second + " }\n" + std::string(launches);
  return parse_program(std::make_shared<const SourceFile>(SourceFile{"test.cu", text}), {});
}

std::string errors_of_grids(const std::string& first, const std::string& second,
                            std::string_view launches = kLaunches) {
  const auto program = grids(first, second, launches);
  return program.ok() ? "" : render(program.errors());
}

/// Returns the operations of a thread on counters of grids, such as "%grid0_started[1] += 2".
std::vector<std::string> steps_of_grids(const Program& program, std::size_t thread) {
  std::vector<std::string> found;
  const std::vector<Instruction>& code = program.threads.at(thread).code;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const MemoryAccess* access = access_of(code[i].operation);
    if (access == nullptr) continue;
    const std::string name = program.locations.at(*program.location_at(access->address.constant)).name;
    if (!name.starts_with("%grid")) continue;
    const auto* rmw = std::get_if<Rmw>(&code[i].operation);
    const auto* branch = rmw != nullptr ? nullptr : std::get_if<Branch>(&code[i + 1].operation);
    found.push_back(rmw != nullptr ? name + " += " + std::to_string(rmw->operand.constant)
                                   : name + " >= " + std::to_string(branch->condition.arguments.at(1).constant));
  }
  return found;
}

/// cuda_device_runtime_api.h: a block allows the dependent grid to start when one thread of the block calls the
/// function, or when all threads of the block have ended.
TEST(CudaGrids, ABlockLetsTheDependentGridStartByOneOfItsThreads) {
  const auto program = grids("if (threadIdx.x == 0) cudaTriggerProgrammaticLaunchCompletion(); x[threadIdx.x] = 1;",
                             "cudaGridDependencySynchronize(); x[2] = x[0];");
  ASSERT_TRUE(program.ok()) << render(program.errors());
  const Program& made = *program.value();
  EXPECT_THAT(steps_of_grids(made, 0), ElementsAre("%grid0_started[0] += 2", "%grid0_finished[0] += 1"));
  EXPECT_THAT(steps_of_grids(made, 1), ElementsAre("%grid0_started[0] += 1", "%grid0_finished[0] += 1"));
  EXPECT_THAT(steps_of_grids(made, 2), ElementsAre("%grid0_started[1] += 2", "%grid0_finished[0] += 1"));
  EXPECT_THAT(steps_of_grids(made, 4),
              ElementsAre("%grid0_started[0] >= 2", "%grid0_started[1] >= 2", "%grid0_finished[0] >= 4"));
  EXPECT_EQ(made.threads.at(0).grid, 0);
  EXPECT_EQ(made.threads.at(4).grid, 1);
}

TEST(CudaGrids, TheInstructionsAreThoseOfPtx) {
  const auto program = grids("asm volatile(\"griddepcontrol.launch_dependents;\"); x[0] = 1;",
                             "asm volatile(\"griddepcontrol.wait;\" ::: \"memory\"); x[1] = 1;");
  ASSERT_TRUE(program.ok()) << render(program.errors());
  const auto names = [&](std::size_t thread) {
    std::vector<std::string> found;
    for (const Instruction& one : program.value()->threads.at(thread).code) {
      found.push_back(one.machine == nullptr ? "" : one.machine->name);
    }
    return found;
  };
  const std::string step = "griddepcontrol";
  EXPECT_THAT(names(0), ElementsAre("griddepcontrol.launch_dependents", "", step));
  EXPECT_THAT(names(4), ElementsAre(step, step, step, step, "griddepcontrol.wait", "griddepcontrol.wait", ""));
}

// A second launch_dependents has no effect. A griddepcontrol instruction also has no effect if no launch depends on
// another launch.
TEST(CudaGrids, InstructionsWithoutEffectDoNothing) {
  const auto twice = grids(
      "cudaTriggerProgrammaticLaunchCompletion(); x[0] = 1; cudaTriggerProgrammaticLaunchCompletion();", "x[1] = 1;");
  ASSERT_TRUE(twice.ok()) << render(twice.errors());
  EXPECT_THAT(steps_of_grids(*twice.value(), 0), ElementsAre("%grid0_started[0] += 2", "%grid0_finished[0] += 1"));
  const auto alone = grids("cudaGridDependencySynchronize(); cudaTriggerProgrammaticLaunchCompletion(); x[0] = 1;", "",
                           "// ambit: launch first<<<1, 1>>>(x[4]);\n");
  ASSERT_TRUE(alone.ok()) << render(alone.errors());
  EXPECT_EQ(alone.value()->threads.at(0).code.size(), 1U);
}

TEST(CudaGrids, SaysWhichLaunchIsWrong) {
  EXPECT_THAT(errors_of_grids("x[0] = 1;", "x[1] = 1;", "// ambit: dependent launch second<<<1, 1>>>(x[4]);\n"),
              HasSubstr("there is no launch before this dependent launch"));
  EXPECT_THAT(errors_of_grids("x[0] = 1;", "x[1] = 1;",
                              "// ambit: launch first<<<1, 1>>>(x[4]);\n// ambit: launch first<<<1, 1>>>(x);\n"
                              "// ambit: dependent launch second<<<1, 1>>>(x);\n"),
              HasSubstr("several launches run before this dependent launch"));
  EXPECT_THAT(errors_of_grids("if (x[1] == 0) cudaTriggerProgrammaticLaunchCompletion(); x[0] = 1;", "x[1] = 1;"),
              HasSubstr("a jump skips or repeats this griddepcontrol.launch_dependents"));
  EXPECT_THAT(errors_of_grids("cudaTriggerProgrammaticLaunchCompletion(1);", "x[1] = 1;"),
              HasSubstr("cudaTriggerProgrammaticLaunchCompletion"));
}

}  // namespace
}  // namespace ambit::parser
