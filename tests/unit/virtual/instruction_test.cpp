#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/unit/virtual/kernel_run.h"
#include "tests/unit/virtual/reference_instructions.h"

namespace ambit::virtual_gpu {
namespace {

class Instructions : public testing::TestWithParam<std::size_t> {};

TEST_P(Instructions, AgreeWithTheHostsArithmetic) {
  const ReferenceInstruction& instruction = reference_instructions()[GetParam()];
  std::mt19937_64 random(GetParam());
  std::vector<std::uint64_t> operands;
  const std::size_t count = 64 * 20 - 7;  // the last warp is not full
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const char type = k < instruction.sources.size() ? instruction.sources[k] : 'r';
      const auto& specials = special_values(type);
      const std::uint64_t value = random() % 3 != 0 ? specials[random() % specials.size()] : random() >> random() % 64;
      operands.push_back(cut_to(type, value));
    }
  }
  KernelRun run(kernel_text_of(instruction));
  const std::uint64_t to = run.array<std::uint64_t>(std::vector<std::uint64_t>(count));
  run.run("k", {20, 1, 1}, {64, 1, 1}, {run.array(operands), to, count});
  const auto results = run.read<std::uint64_t>(to, count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t a = operands[3 * i];
    const std::uint64_t b = operands[3 * i + 1];
    const std::uint64_t c = operands[3 * i + 2];
    const std::uint64_t expected = cut_to(instruction.result, instruction.value(a, b, c));
    ASSERT_EQ(results[i], expected) << fmt::format("{} of {:#x}, {:#x}, {:#x}: {:#x}, expected {:#x}", instruction.text,
                                                   a, b, c, results[i], expected);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Instructions, testing::Range<std::size_t>(0, reference_instructions().size()));

/// What they compute is compared on a GPU (tests/gpu).
TEST(FurtherInstructions, AreExecuted) {
  for (const FurtherInstruction& further : further_instructions()) {
    KernelRun run(kernel_text_of({further.text, further.result, further.sources, nullptr}));
    const std::uint64_t to = run.array(std::vector<std::uint64_t>(64));
    run.run("k", {1, 1, 1}, {64, 1, 1}, {run.array(std::vector<std::uint64_t>(3 * 64, 1)), to, 64});
  }
}

}  // namespace
}  // namespace ambit::virtual_gpu
