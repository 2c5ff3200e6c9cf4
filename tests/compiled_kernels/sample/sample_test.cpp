// A sample of random kernels with kept PTX: see tests/compiled_kernels/sample/keep.sh.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/compiled_kernels/kernel_comparison.h"
#include "tests/support/files.h"

namespace ambit::compiled_kernels {
namespace {

/// The number of kernels in each file of stored PTX.
constexpr std::uint64_t kKernels = 12;

/// Compares the kernels of the file whose first seed is `first`.
void compare_file(std::uint64_t first) {
  const std::filesystem::path folder = test::project() / "tests/compiled_kernels/sample";
  const std::string name = fmt::format("seeds_{}_to_{}", first, first + kKernels - 1);
  const std::vector<PlacedKernel> kernels = random_kernels(first, kKernels);
  ASSERT_EQ(source_of(kernels), test::contents(folder / (name + ".cu")))
      << "the generator has changed: run sample/keep.sh";
  const KernelModules modules(test::contents(folder / (name + ".ptx")));
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

TEST(CompiledKernels, AgreeWithTheirSourcesAndRuns) { compare_file(1); }

TEST(CompiledKernels, OfFurtherSeedsAgreeWithTheirSourcesAndRuns) { compare_file(13); }

}  // namespace
}  // namespace ambit::compiled_kernels
