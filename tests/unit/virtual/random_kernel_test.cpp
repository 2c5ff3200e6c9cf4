#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/unit/virtual/kernel_run.h"
#include "tests/unit/virtual/random_kernel.h"

namespace ambit::virtual_gpu {
namespace {

/// Returns the number of kernels that the test runs. For the long check, AMBIT_RANDOM_KERNELS=20000 is set.
std::uint64_t kernels_wanted() {
  const char* wanted = std::getenv("AMBIT_RANDOM_KERNELS");
  return wanted == nullptr ? 300 : std::strtoull(wanted, nullptr, 10);
}

std::uint64_t one_nan(std::size_t place, std::uint64_t value) {
  const std::size_t type = place / RandomRegisters::kOfType % RandomRegisters::kTypes;
  if (type == 3 && (value & 0x7fffffff) > 0x7f800000) return ~std::uint64_t{0};
  if (type == 4 && (value & 0x7fffffffffffffff) > 0x7ff0000000000000) return ~std::uint64_t{0};
  return value;
}

TEST(RandomKernels, AgreeWithTheHostsArithmetic) {
  constexpr std::uint64_t kTogether = 50;
  constexpr std::size_t kThreadsInAll = 2 * RandomKernel::kThreads;
  constexpr std::size_t kCount = RandomRegisters::kCount;
  const std::uint64_t wanted = kernels_wanted();
  for (std::uint64_t first = 0; first < wanted; first += kTogether) {
    std::vector<RandomKernel> kernels;
    std::string text = RandomKernel::header();
    for (std::uint64_t seed = first; seed < std::min(first + kTogether, wanted); ++seed) {
      kernels.emplace_back(seed);
      text += kernels.back().text(fmt::format("k{}", seed - first));
    }
    KernelRun run(text);
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      std::mt19937_64 random(first + k);
      std::vector<std::uint64_t> initial;
      std::vector<std::uint64_t> expected;
      // The device runs whole blocks, so the test also checks the results of the last threads.
      for (std::size_t thread = 0; thread < 2 * RandomKernel::kThreads; ++thread) {
        RandomRegisters registers = RandomKernel::random_registers(random);
        for (const auto& type : registers.values) initial.insert(initial.end(), type.begin(), type.end());
        kernels[k].evaluate(registers);
        for (const auto& type : registers.values) expected.insert(expected.end(), type.begin(), type.end());
      }
      const std::uint64_t to = run.array(std::vector<std::uint64_t>(initial.size()));
      const std::uint64_t scratch = run.fresh(2 * RandomKernel::kThreads * RandomKernel::kSlots * 8);
      run.run(fmt::format("k{}", k), {2, 1, 1}, {RandomKernel::kThreads, 1, 1}, {run.array(initial), to, scratch});
      const auto found = run.read<std::uint64_t>(to, initial.size());
      for (std::size_t i = 0; i < kThreadsInAll * kCount; ++i) {
        ASSERT_EQ(one_nan(i, found[i]), expected[i])
            << "kernel " << first + k << ", thread " << i / kCount << ", register " << i % kCount << "\n"
            << kernels[k].text("k");
      }
    }
  }
}

struct SeenOnGpu {
  std::uint64_t kernel = 0;
  std::size_t thread = 0;
  std::size_t place = 0;  ///< index in RandomRegisters
  std::uint64_t value = 0;
};

/// Compares final registers with those on an H200 (driver for CUDA 13.0). For these kernels, an earlier version of the
/// virtual GPU computed other values. In kernels 4, 7 and 10, the compiler of this driver runs testp even if the guard
/// of testp is false.
TEST(RandomKernels, LeaveWhatAnH200Left) {
  const SeenOnGpu seen[] = {{0, 16, 14, 0x0}, {2, 14, 27, 0x1},    {4, 1, 25, 0x0},
                            {6, 1, 25, 0x1},  {7, 0, 6, 0x3a62ce}, {9, 25, 10, 0xffffffffffffffff},
                            {10, 0, 29, 0x0}, {17, 3, 29, 0x1}};
  for (const SeenOnGpu& one : seen) {
    KernelRun run(RandomKernel::header() + without_miscompiled_guards(RandomKernel(one.kernel).text("k")));
    std::mt19937_64 random(one.kernel);
    std::vector<std::uint64_t> initial;
    for (std::size_t thread = 0; thread < 2 * RandomKernel::kThreads; ++thread) {
      const RandomRegisters registers = RandomKernel::random_registers(random);
      for (const auto& type : registers.values) initial.insert(initial.end(), type.begin(), type.end());
    }
    const std::uint64_t to = run.array(std::vector<std::uint64_t>(initial.size()));
    const std::uint64_t scratch = run.fresh(2 * RandomKernel::kThreads * RandomKernel::kSlots * 8);
    run.run("k", {2, 1, 1}, {RandomKernel::kThreads, 1, 1}, {run.array(initial), to, scratch});
    const auto found = run.read<std::uint64_t>(to, initial.size());
    EXPECT_EQ(found[one.thread * RandomRegisters::kCount + one.place], one.value)
        << "kernel " << one.kernel << ", thread " << one.thread << ", register " << one.place;
  }
}

}  // namespace
}  // namespace ambit::virtual_gpu
