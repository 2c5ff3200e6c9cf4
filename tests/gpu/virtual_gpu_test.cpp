// Compares the virtual GPU with a real GPU. For the same PTX, their results must be bitwise equal.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <random>

#include "runner/cuda/launch/driver.h"
#include "tests/unit/virtual/kernel_run.h"
#include "tests/unit/virtual/random_kernel.h"
#include "tests/unit/virtual/reference_instructions.h"

namespace ambit::virtual_gpu {
namespace {

using Values = std::vector<std::uint64_t>;

class BothGpus : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = cuda::Driver::open();
    if (!opened.ok()) GTEST_SKIP() << "no GPU: " << opened.errors()[0].message;
    driver_ = std::move(opened).value();
    ASSERT_TRUE(driver_->use(0).ok());
  }

  /// Launches `kernel` of a module with three parameters: the operands, an array of `count` results, and either the
  /// number `third` or an array of `third` bytes. Returns an empty list on an error.
  Values on_gpu(const std::string& text, const std::string& kernel, std::uint32_t blocks, const Values& operands,
                std::size_t count, std::uint64_t third, bool third_is_buffer,
                cuda::Driver::Compiled compiled = cuda::Driver::Compiled::Optimised) {
    auto loaded = driver_->load(text, kernel, compiled);
    if (!loaded.ok()) {
      ADD_FAILURE() << loaded.errors()[0].message << "\n" << text;
      return {};
    }
    cuda::DevicePointer from = driver_->allocate(operands.size() * 8).value();
    cuda::DevicePointer to = driver_->allocate(count * 8).value();
    cuda::DevicePointer room = third_is_buffer ? driver_->allocate(third).value() : third;
    EXPECT_TRUE(driver_->write(from, operands.data(), operands.size() * 8).ok());
    const Values zeros(count);
    EXPECT_TRUE(driver_->write(to, zeros.data(), count * 8).ok());
    void* arguments[] = {&from, &to, &room};
    auto function = loaded.value();
    auto launched = driver_->launch(function, {blocks, RandomKernel::kThreads, 1, 0}, arguments);
    EXPECT_TRUE(launched.ok()) << launched.errors()[0].message << text;
    Values results(count);
    EXPECT_TRUE(driver_->read(results.data(), to, count * 8).ok());
    driver_->release(from);
    driver_->release(to);
    if (third_is_buffer) driver_->release(room);
    driver_->unload(function);
    return results;
  }

  static Values on_virtual_gpu(KernelRun& run, const std::string& kernel, std::uint32_t blocks, const Values& operands,
                               std::size_t count, std::uint64_t third, bool third_is_buffer) {
    const std::uint64_t to = run.array(Values(count));
    run.device.options().checks_initialised = false;
    run.run(kernel, {blocks, 1, 1}, {RandomKernel::kThreads, 1, 1},
            {run.array(operands), to, third_is_buffer ? run.fresh(third) : third});
    return run.read<std::uint64_t>(to, count);
  }

  std::unique_ptr<cuda::Driver> driver_;
};

Values operands_for(const std::string& sources, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Values operands;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const char type = k < sources.size() ? sources[k] : 'r';
      const auto& specials = special_values(type);
      const std::uint64_t value = random() % 3 != 0 ? specials[random() % specials.size()] : random() >> random() % 64;
      operands.push_back(cut_to(type, value));
    }
  }
  return operands;
}

bool is_nan(char type, std::uint64_t value) {
  if (type == 'f') return (value & 0x7fffffff) > 0x7f800000;
  return type == 'g' && (value & 0x7fffffffffffffff) > 0x7ff0000000000000;
}

TEST_F(BothGpus, InstructionsGiveTheSameBits) {
  constexpr std::size_t kCount = 64 * 40;
  for (const ReferenceInstruction& instruction : reference_instructions()) {
    const std::string text = kernel_text_of(instruction);
    const Values operands = operands_for(instruction.sources, kCount, 1);
    KernelRun run(text);
    const Values expected = on_gpu(text, "k", 40, operands, kCount, kCount, false);
    const Values found = on_virtual_gpu(run, "k", 40, operands, kCount, kCount, false);
    unsigned wrong = 0;
    for (std::size_t i = 0; i < expected.size() && wrong < 5; ++i) {
      if (found[i] == expected[i]) continue;
      if (instruction.result == 'g' && is_nan('g', found[i]) && is_nan('g', expected[i])) continue;
      ++wrong;
      ADD_FAILURE() << fmt::format("{} of {:#x}, {:#x}, {:#x}: GPU {:#x}, virtual GPU {:#x}", instruction.text,
                                   operands[3 * i], operands[3 * i + 1], operands[3 * i + 2], expected[i], found[i]);
    }
  }
}

double units_between(char type, std::uint64_t a, std::uint64_t b) {
  if (a == b || (is_nan(type, a) && is_nan(type, b))) return 0;
  if (type != 'f') return INFINITY;
  const auto order = [](std::uint64_t bits) {
    const auto word = static_cast<std::int64_t>(bits & 0x7fffffff);
    return (bits & 0x80000000) != 0 ? -word : word;
  };
  return std::fabs(static_cast<double>(order(a) - order(b)));
}

double distance_between(std::uint64_t a, std::uint64_t b) {
  const auto value = [](std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); };
  return std::fabs(double{value(a)} - double{value(b)});
}

TEST_F(BothGpus, FurtherInstructionsGiveTheSameBits) {
  constexpr std::size_t kCount = 64 * 40;
  for (const FurtherInstruction& further : further_instructions()) {
    const ReferenceInstruction instruction{further.text, further.result, further.sources, nullptr};
    const std::string text = kernel_text_of(instruction);
    const Values operands = operands_for(instruction.sources, kCount, 2);
    KernelRun run(text);
    const Values expected = on_gpu(text, "k", 40, operands, kCount, kCount, false);
    const Values found = on_virtual_gpu(run, "k", 40, operands, kCount, kCount, false);
    double largest = 0;
    unsigned wrong = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double units = units_between(further.result, found[i], expected[i]);
      largest = std::max(largest, units);
      if (units <= further.units ||
          (further.absolute > 0 && distance_between(found[i], expected[i]) <= further.absolute))
        continue;
      if (++wrong > 5) continue;
      ADD_FAILURE() << fmt::format("{} of {:#x}, {:#x}, {:#x}: GPU {:#x}, virtual GPU {:#x}", further.text,
                                   operands[3 * i], operands[3 * i + 1], operands[3 * i + 2], expected[i], found[i]);
    }
    if (further.units > 0) fmt::print("{}: at most {} units in the last place apart\n", further.text, largest);
  }
}

/// Returns the first register that differs. NaNs of one type count as equal.
std::optional<std::size_t> first_difference(const Values& expected, const Values& found) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const char type = "hrdfgp"[i / RandomRegisters::kOfType % RandomRegisters::kTypes];
    if (found[i] != expected[i] && !(is_nan(type, found[i]) && is_nan(type, expected[i]))) return i;
  }
  return std::nullopt;
}

TEST_F(BothGpus, RandomKernelsGiveTheSameBits) {
  const char* wanted = std::getenv("AMBIT_RANDOM_KERNELS");
  const std::uint64_t kernels = wanted == nullptr ? 500 : std::strtoull(wanted, nullptr, 10);
  constexpr std::uint64_t kBufferBytes = 2 * RandomKernel::kThreads * RandomKernel::kSlots * 8;
  constexpr std::size_t kCount = 2 * RandomKernel::kThreads * RandomRegisters::kCount;
  unsigned wrong = 0;
  unsigned optimised = 0;
  for (std::uint64_t seed = 0; seed < kernels && wrong < 10; ++seed) {
    const RandomKernel kernel(seed);
    const std::string text = RandomKernel::header() + without_miscompiled_guards(kernel.text("k"));
    std::mt19937_64 random(seed);
    Values initial;
    for (std::size_t thread = 0; thread < 2 * RandomKernel::kThreads; ++thread) {
      const RandomRegisters registers = RandomKernel::random_registers(random);
      for (const auto& type : registers.values) initial.insert(initial.end(), type.begin(), type.end());
    }
    KernelRun run(text);
    const Values found = on_virtual_gpu(run, "k", 2, initial, kCount, kBufferBytes, true);
    if (!first_difference(on_gpu(text, "k", 2, initial, kCount, kBufferBytes, true), found)) continue;
    // The optimiser of the driver's compiler has bugs, so the results of unoptimised code are the reference.
    const Values expected =
        on_gpu(text, "k", 2, initial, kCount, kBufferBytes, true, cuda::Driver::Compiled::AsWritten);
    const auto at = first_difference(expected, found);
    if (!at) {
      ++optimised;
      fmt::print("kernel {}: only the optimised form differs\n", seed);
      continue;
    }
    ++wrong;
    ADD_FAILURE() << fmt::format("kernel {}, thread {}, register {}: GPU {:#x}, virtual GPU {:#x}\n", seed,
                                 *at / RandomRegisters::kCount, *at % RandomRegisters::kCount, expected[*at],
                                 found[*at])
                  << (wrong == 1 ? text : "");
  }
  EXPECT_LE(optimised, kernels / 50);
}

}  // namespace
}  // namespace ambit::virtual_gpu
