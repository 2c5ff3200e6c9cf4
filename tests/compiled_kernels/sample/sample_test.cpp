// A sample of random kernels with kept PTX: see tests/compiled_kernels/sample/keep.sh.
#include <gtest/gtest.h>

#include "tests/compiled_kernels/kernel_comparison.h"
#include "tests/support/files.h"

namespace ambit::compiled_kernels {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr std::uint64_t kKernels = 24;

TEST(CompiledKernels, AgreeWithTheirSourcesAndRuns) {
  const std::filesystem::path folder = test::project() / "tests/compiled_kernels/sample";
  const std::vector<PlacedKernel> kernels = random_kernels(kSeed, kKernels);
  ASSERT_EQ(source_of(kernels), test::contents(folder / "kernels.cu"))
      << "the generator has changed: run sample/keep.sh";
  const KernelModules modules(test::contents(folder / "kernels.ptx"));
  KernelComparer comparer({.runs = 20, .timeout = 20000});
  std::size_t agreed = 0;
  for (const PlacedKernel& one : kernels) {
    const Comparison comparison = comparer.compare(one, modules.module_of(one.kernel.name));
    EXPECT_NE(comparison.kind, Comparison::Kind::Refused) << one.kernel.name << ": " << comparison.what;
    EXPECT_NE(comparison.kind, Comparison::Kind::Disagreed) << one.kernel.name << ": " << comparison.what;
    if (comparison.kind == Comparison::Kind::Agreed) ++agreed;
  }
  EXPECT_GE(agreed, kKernels * 4 / 5);
}

}  // namespace
}  // namespace ambit::compiled_kernels
