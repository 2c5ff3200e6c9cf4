// Every test of the corpus that hardware can run must compile. The compiled code must contain the test's instructions
// in the required order.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "parser/parse.h"
#include "runner/cuda/emit/emit_kernel.h"
#include "runner/cuda/emit/in_gpu.h"
#include "runner/cuda/launch/code_check.h"
#include "runner/cuda/launch/nvrtc.h"
#include "tests/support/files.h"

namespace ambit::cuda {
namespace {

namespace fs = std::filesystem;

/// Compiles every `step`-th test of a folder of litmus/ that hardware can run. If AMBIT_COMPILE_ALL is set (`./dev
/// fuzz` sets it), compiles all tests, which takes minutes.
void compile_sample(const std::string& folder, Shape shape = {}, std::size_t step = 5) {
  if (std::getenv("AMBIT_COMPILE_ALL") != nullptr) step = 1;
  const auto nvrtc = Nvrtc::open();
  if (!nvrtc.ok()) GTEST_SKIP() << render(nvrtc.errors());
  const std::vector<fs::path> files = test::files_in(test::project() / "litmus" / folder);
  std::size_t compiled = 0;
  for (std::size_t i = 0; i < files.size(); i += step) {
    const fs::path& file = files[i];
    const auto source = parser::read_source(file.string());
    ASSERT_TRUE(source.ok());
    const auto programs = parser::parse_programs(source.value());
    if (!programs.ok()) continue;  // the parser's tests cover this file
    for (const auto& program : programs.value()) {
      const auto kernel = emit(*program, shape);
      if (!kernel.ok()) continue;
      const auto code = nvrtc.value()->compile(kernel.value().source, program->name, 90, Nvrtc::Target::Ptx);
      ASSERT_TRUE(code.ok()) << file << "\n" << render(code.errors());
      EXPECT_EQ(check_ptx(kernel.value(), code.value().ptx), "") << file;
      ++compiled;
    }
  }
  EXPECT_GT(compiled, 0U);
}

TEST(CompileCorpus, Scor) { compile_sample("scor"); }
TEST(CompileCorpus, Recorder) { compile_sample("scor", {128, 1, true}); }
TEST(CompileCorpus, Separating) { compile_sample("separating"); }
TEST(CompileCorpus, Language) { compile_sample("language"); }
TEST(CompileCorpus, Classic) { compile_sample("classic", {}, 16); }
TEST(CompileCorpus, PtxBarriers) { compile_sample("ptx/barriers"); }
TEST(CompileCorpus, PtxInstructions) { compile_sample("ptx/instructions"); }
TEST(CompileCorpus, PtxControl) { compile_sample("ptx/control"); }
TEST(CompileCorpus, PtxPatterns) { compile_sample("ptx/patterns"); }
TEST(CompileCorpus, PtxScopes) { compile_sample("ptx/scopes"); }
TEST(CompileCorpus, PtxMbarrier) { compile_sample("ptx/mbarrier"); }
TEST(CompileCorpus, PtxWide) { compile_sample("ptx/wide", {}, 1); }
TEST(CompileCorpus, PtxWideRecorded) { compile_sample("ptx/wide", {128, 1, true}, 4); }
TEST(CompileCorpus, PtxCumulativity) { compile_sample("ptx/cumulativity"); }
TEST(CompileCorpus, Barrier) { compile_sample("barrier"); }
TEST(CompileCorpus, Predictable) { compile_sample("predictable"); }
TEST(CompileCorpus, Structures) { compile_sample("structures", {}, 3); }
TEST(CompileCorpus, Termination) { compile_sample("termination"); }
TEST(CompileCorpus, CudaSources) { compile_sample("cuda"); }

/// Like compile_sample(), but the kernel contains a detector.
void compile_with(const std::string& detector, const std::string& folder) {
  compile_sample(folder, {.block_threads = 128, .detector = find_in_gpu_detector(detector)}, 8);
}
TEST(CompileInGpu, Haccrg) {
  compile_with("haccrg", "scor");
  compile_with("haccrg", "barrier");
}
TEST(CompileInGpu, Scord) {
  compile_with("scord", "barrier");
  compile_with("scord", "ptx/wide");
  compile_with("scord", "ptx/barriers");
}
TEST(CompileInGpu, Iguard) {
  compile_with("iguard", "predictable");
  compile_with("iguard", "cuda");
}
TEST(CompileInGpu, LDetector) {
  for (const char* folder : {"barrier", "language", "cuda"}) {  // ldetector supports few of these tests, so compile all
    compile_sample(folder, {.block_threads = 128, .detector = find_in_gpu_detector("ldetector")}, 1);
  }
}

TEST(CompileErrors, ShowTheLineOfTheGeneratedSource) {
  const auto nvrtc = Nvrtc::open();
  if (!nvrtc.ok()) GTEST_SKIP() << render(nvrtc.errors());
  const auto code = nvrtc.value()->compile("int x;\nint y = z;\n", "bad.cu", 90);
  ASSERT_FALSE(code.ok());
  EXPECT_THAT(render(code.errors()), testing::HasSubstr("bad.cu(2): error"));
}

}  // namespace
}  // namespace ambit::cuda
