#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "model/verdict/verdict.h"
#include "ptx/printer.h"
#include "tests/support/parsed.h"

// Prints tests with asynchronous operations as PTX litmus files, and parses these. The verdicts must stay the same.
namespace ambit {
namespace {

std::string verdict_text(const std::shared_ptr<const Program>& program) {
  verdict::Checker checker;
  Context context;
  const auto verdict = checker.check(program, test::shipped_model("ptx"), {}, context);
  if (!verdict.ok()) return render(verdict.errors());
  std::string text = verdict.value().frequency ? std::string(to_string(*verdict.value().frequency)) : "?";
  for (const auto& flag : verdict.value().answers.flags) {
    text += flag.possibility == events::Possibility::Possible ? " flag" : " -";
  }
  return text;
}

TEST(PrintedOperations, HaveTheVerdictsOfTheirSource) {
  std::set<std::string> refused;
  std::size_t printed = 0;
  for (const auto& file : test::files_in(test::project() / "litmus/async")) {
    const auto program = test::program_in(file);
    // Omits tests without a condition, because a printed test always has a condition. Also omits pipelines, which would
    // take long, and CUDA sources, which Ambit does not print as PTX.
    if (!program->condition.proposition || file.parent_path().filename() != "async") continue;
    const Result<std::string> text = ptx::ptx_text(*program);
    if (!text.ok()) {
      refused.insert(file.stem().string());
      continue;
    }
    const auto again = test::program_of(text.value(), file.filename().string());
    EXPECT_EQ(verdict_text(again), verdict_text(program)) << text.value();
    ++printed;
  }
  EXPECT_GT(printed, 80U);
  EXPECT_TRUE(refused.contains("27-triton-fbexp-1024")) << "the name of a .shared variable means one object per cta";
  EXPECT_TRUE(refused.contains("34-cutlass-2760"));
  EXPECT_TRUE(refused.contains("23-triton-fbexp-1108"));
  EXPECT_TRUE(refused.contains("45-ptx-tensor-load+wait")) << "the test has tensor copies";
  EXPECT_TRUE(refused.contains("53-ptx-tensormap-replace")) << "the files 51 to 54 have tensor maps";
  EXPECT_TRUE(refused.contains("62-ptx-grid-store")) << "the test has dependent grids, like files 05, 34 and 62";
  // Ambit refuses to print 31 tests of the files 01 to 54, and the 5 tests with dependent grids in the files 62.
  // It cannot print dependent grids, tensor maps, exits of a cta, or shared memory of several ctas under one
  // name.
  EXPECT_LE(refused.size(), 36U);
}

}  // namespace
}  // namespace ambit
