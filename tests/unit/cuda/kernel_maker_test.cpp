#include "runner/cuda/launch/kernel_maker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "runner/cuda/emit/emit_kernel.h"
#include "tests/support/parsed.h"

namespace ambit::cuda {
namespace {

using testing::HasSubstr;

std::shared_ptr<const Program> program_of_scope(const std::string& scope) {
  const std::string text = "CUDA t\n{ global int x = 0; }\nP0 @ block 0 { store(x, 1, release, " + scope +
                           "); }\nP1 @ block 1 { int r0 = x; }\nexists (P1:r0 == 1)\n";
  return test::program_of(text, "t.litmus");
}

DeviceInfo device(std::uint32_t arch) {
  DeviceInfo info;
  info.name = "Some GPU";
  info.arch = arch;
  return info;
}

// Clusters need sm_90. The maker checks the architecture before it searches for a compiler.
TEST(KernelMaker, TooOldADeviceIsAnError) {
  KernelMaker maker(device(80), "13.0", "", false);
  const auto program = program_of_scope("cluster");
  const auto kernel = emit(*program);
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  const auto made = maker.make(kernel.value(), *program);
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(render(made.errors()), HasSubstr("this test's instructions need sm_90, and Some GPU is sm_80"));
}

TEST(KernelMaker, KernelsMadeAheadEqualKernelsMadeInTurn) {
  if (const auto nvrtc = Nvrtc::open(); !nvrtc.ok()) GTEST_SKIP() << render(nvrtc.errors());
  const auto program = program_of_scope("device");
  const auto other = program_of_scope("block");
  KernelMaker maker(device(90), "13.0", "", false);
  maker.make_ahead(*program, {{.block_threads = 128, .batch = 1, .records = false}});
  maker.make_ahead(*other, {{.block_threads = 128, .batch = 1, .records = false}});
  const auto kernel = emit(*program, {.block_threads = 128, .batch = 1, .records = false});
  const auto ahead = maker.make(kernel.value(), *program);
  const auto again = maker.make(kernel.value(), *program);
  ASSERT_TRUE(ahead.ok() && again.ok());
  EXPECT_TRUE(ahead.value().is_new);
  EXPECT_GT(ahead.value().milliseconds, 0);
  EXPECT_EQ(ahead.value().cubin, again.value().cubin);
  // The test requests only one of two kernels. The destructor of the maker ends the compilation of the other.
}

// The compiler rejects a kernel. The error appears when the test requests the kernel, even if it was compiled earlier.
TEST(KernelMaker, TheCompilersMessageIsTheError) {
  if (const auto nvrtc = Nvrtc::open(); !nvrtc.ok()) GTEST_SKIP() << render(nvrtc.errors());
  const auto program = program_of_scope("device");
  KernelMaker maker(device(90), "13.0", "", false);
  Kernel kernel = emit(*program).value();
  kernel.source = "int f() {\n  return nothing;\n}\n";
  const auto made = maker.make(kernel, *program);
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(render(made.errors()), HasSubstr("t.cu(2): error: identifier \"nothing\" is undefined"));
}

}  // namespace
}  // namespace ambit::cuda
