// Tests with wgmma on a GPU. The tests are skipped if no GPU has wgmma.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <string>

#include "runner/cuda/emit/kernel_files.h"
#include "runner/cuda/launch/driver.h"
#include "runner/cuda/launch/nvrtc.h"
#include "tests/gpu/on_gpu.h"

namespace ambit::cuda {
namespace {

constexpr std::uint32_t kHopper = 90;

/// Returns whether the driver offers a GPU with wgmma.
bool opens_hopper() {
  const auto driver = Driver::open();
  if (!driver.ok()) return false;
  const auto device = driver.value()->use(0);
  return device.ok() && device.value().arch == kHopper;
}
/// Calls opens_hopper() in a child process, so that this process never opens the driver.
bool has_hopper() {
  const pid_t child = fork();
  if (child == 0) _exit(opens_hopper() ? 0 : 1);
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

class GpuWarpgroup : public OnGpu {
 protected:
  void SetUp() override {
    if (!has_hopper()) GTEST_SKIP() << "there is no GPU of sm_90";
    OnGpu::SetUp();
  }
};

// Complete pipelines end. If a pipeline lacks one of its loads, every run reaches the bound on polls.
TEST_F(GpuWarpgroup, PipelinesRun) {
  for (const char* file : {"gemm-2x3", "gemm-4x5", "softmax", "gemm-2x3-without-load"}) {
    campaign_.tests.push_back(test::program_in(std::string("litmus/async/kernels/") + file + ".litmus"));
  }
  campaign_.tests.push_back(test::program_in("litmus/async/18-tilelang-2613+bar.litmus"));  // barriers of the block
  campaign_.options.max_steps = 4000;
  ASSERT_TRUE(run()) << reason_;
  ASSERT_EQ(ends_.size(), 5U);
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    ASSERT_EQ(ends_[i].kind, TestEnd::Kind::Finished) << ends_[i].message;
    EXPECT_GT(ends_[i].report.instances, 0U);
    EXPECT_EQ(ends_[i].report.histogram.bound_hits, i == 3 ? ends_[i].report.instances : 0U) << i;
  }
}

/// The first factor has the elements 16 * row + column. The second factor selects columns `first` to `first` + 7. Each
/// lane checks its part of the product (PTX ISA 9.7.15.5.1.1: rows and columns of accumulators).
const char* const kSelection = R"(
extern "C" __global__ void select_columns(unsigned* wrong, unsigned first) {
  __shared__ __align__(128) unsigned short factors[1024 + 128];
  for (unsigned i = threadIdx.x; i < 1024; i += 128) {
    const unsigned row = i / 128 * 8 + i % 64 / 8;
    const unsigned column = i % 128 / 64 * 8 + i % 8;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(factors[i]) : "f"(16.0f * row + column));
  }
  const unsigned row = threadIdx.x % 64 / 8;
  const unsigned column = threadIdx.x / 64 * 8 + threadIdx.x % 8;
  factors[1024 + threadIdx.x] = column == first + row ? 0x3c00 : 0;
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  float product[4] = {};
  const unsigned a = static_cast<unsigned>(__cvta_generic_to_shared(factors));
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 0, 1, 1, 0, 0;"
               : "+f"(product[0]), "+f"(product[1]), "+f"(product[2]), "+f"(product[3])
               : "l"(factor_descriptor(a)), "l"(factor_descriptor(a + 2048)) : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 * 8;
    const unsigned column = threadIdx.x % 4 * 2 + i % 2;
    if (product[i] != 16.0f * row + first + column) atomicAdd(wrong, 1U);
  }
}
)";

/// Returns the number of wrong elements of the products, or ~0 on any other error.
std::uint32_t wrong_elements() {
  const std::string source = "struct Instance { __device__ void keep(unsigned long long) const {} };\n" +
                             kernel_text("groups.cuh") + kSelection;
  const auto driver = Driver::open();
  const auto device = driver.value()->use(0);
  const auto code = Nvrtc::open().value()->compile(source, "product.cu", kHopper, Nvrtc::Target::Machine, true);
  if (!code.ok()) return ~0U;
  const auto function = driver.value()->load(code.value().cubin, "select_columns");
  const auto memory = driver.value()->allocate(sizeof(std::uint32_t));
  if (!function.ok() || !memory.ok() || !driver.value()->clear(memory.value(), sizeof(std::uint32_t)).ok()) return ~0U;
  DevicePointer wrong = memory.value();
  for (std::uint32_t first : {0U, 8U}) {
    std::array<void*, 2> arguments = {&wrong, &first};
    if (!driver.value()->launch(function.value(), {1, 128, 1, 0}, arguments.data()).ok()) return ~0U;
  }
  std::uint32_t found = 0;
  return driver.value()->read(&found, wrong, sizeof found).ok() ? found : ~0U;
}

TEST_F(GpuWarpgroup, DescriptorsNameTheFactors) {
  EXPECT_EXIT(_exit(wrong_elements() == 0 ? 0 : 1), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace ambit::cuda
