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

struct SeenOnGpu {
  const char* text;
  char result;
  const char* sources;
  std::vector<std::uint64_t> operands;  ///< three values
  std::uint64_t value = 0;
};

/// Compares the virtual GPU with results of an H200 (driver for CUDA 13.0). In these cases, the ISA leaves a choice, or
/// the GPU differs from the ISA.
TEST(InstructionsOnAnH200, HaveItsBits) {
  const SeenOnGpu seen[] = {
      {"bfe.u64 {0}, {1}, {2}, {3}", 'd', "drr", {0xfd22ddaafbe, 0x100, 0x10}, 0},
      {"bfe.u64 {0}, {1}, {2}, {3}", 'd', "drr", {0x7fffffffffffffff, 0x5, 0x80000000}, 0x3ffffffffffffff},
      {"bfe.s64 {0}, {1}, {2}, {3}", 'd', "drr", {0x8, 0x80000001, 0x12345678}, 0},
      {"bfi.b64 {0}, {1}, {2}, {3}, 21", 'd', "ddr", {0x1f, 0xdeadbeef, 0x8000}, 0xdeadbeef},
      {"testp.normal.f32 {0}, {1}", 'p', "f", {0x80000000, 0, 0}, 1},
      {"mul.ftz.f32 {0}, {1}, {2}", 'f', "ff", {0x3f7fffff, 0x800000, 0}, 0},
      {"abs.f32 {0}, {1}", 'f', "f", {0x7fc00000, 0, 0}, 0x7fffffff},
      {"neg.f16 {0}, {1}", 'h', "h", {0x7cf7, 0, 0}, 0x7fff},
      {"abs.f16 {0}, {1}", 'h', "h", {0xfffe, 0, 0}, 0x7fff},
      {"cvt.rn.f32.f64 {0}, {1}", 'f', "g", {0x7ff8000000000000, 0, 0}, 0x7fc00000},
      {"cvt.rn.f16.f64 {0}, {1}", 'h', "g", {0x7ff8000000000000, 0, 0}, 0x7e00},
      {"cvt.rn.ftz.f32.f64 {0}, {1}", 'f', "g", {0x380fffffe0000000, 0, 0}, 0},
      {"cvt.rna.tf32.f32 {0}, {1}", 'r', "f", {0x7fc00000, 0, 0}, 0x7fc00000},
      {"cvt.rna.tf32.f32 {0}, {1}", 'r', "f", {0x7fffffff, 0, 0}, 0x7fffe000},
      {"{{ .reg .b32 base; and.b32 base, {2}, 31; fns.b32 {0}, {1}, base, {3}; }}", 'r', "rrr", {3, 24, 0x80000000}, 0},
      {"{{ .reg .b32 base; and.b32 base, {2}, 31; fns.b32 {0}, {1}, base, {3}; }}", 'r', "rrr", {64, 1, 0x80000000}, 0},
  };
  for (const SeenOnGpu& one : seen) {
    KernelRun run(kernel_text_of({one.text, one.result, one.sources, nullptr}));
    std::vector<std::uint64_t> operands(3 * 64);
    std::copy(one.operands.begin(), one.operands.end(), operands.begin());
    const std::uint64_t to = run.array(std::vector<std::uint64_t>(64));
    run.run("k", {1, 1, 1}, {64, 1, 1}, {run.array(operands), to, 64});
    EXPECT_EQ(run.read<std::uint64_t>(to, 1)[0], one.value) << one.text;
  }
}

/// For these instructions, tests/gpu compares the results of the virtual GPU with those of a real GPU.
TEST(FurtherInstructions, AreExecuted) {
  for (const FurtherInstruction& further : further_instructions()) {
    KernelRun run(kernel_text_of({further.text, further.result, further.sources, nullptr}));
    const std::uint64_t to = run.array(std::vector<std::uint64_t>(64));
    run.run("k", {1, 1, 1}, {64, 1, 1}, {run.array(std::vector<std::uint64_t>(3 * 64, 1)), to, 64});
  }
}

}  // namespace
}  // namespace ambit::virtual_gpu
