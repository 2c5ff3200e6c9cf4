// Tests kernels with stored PTX: optimised in the folder `kernels`, and compiled with -G in `unoptimised`. The PTX must
// meet the expectations in the source. The script keep_ptx.sh makes the PTX.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "model/verdict/judgement.h"
#include "model/verdict/verdict.h"
#include "parser/parse.h"
#include "tests/support/files.h"

namespace ambit::parser {
namespace {

const std::filesystem::path kKeptFolder = test::project() / "tests/unit/compiled";

SourceFilePtr kept_source(const std::filesystem::path& file) {
  return std::make_shared<const SourceFile>(SourceFile{file.filename().string(), test::contents(file)});
}

/// Returns the path of a kernel's source. If Ambit can read only the compiled form, the source is next to the PTX;
/// otherwise it is in litmus/kernels, litmus/async/cuda or litmus/cuda. `name` includes its folder: "kernels/name".
std::filesystem::path source_path(const std::string& name) {
  const std::filesystem::path beside = kKeptFolder / (name + ".cu");
  if (std::filesystem::exists(beside)) return beside;
  const std::string file = beside.filename().string();
  for (const char* folder : {"litmus/kernels", "litmus/async/cuda"}) {
    const std::filesystem::path kernel = test::project() / folder / file;
    if (std::filesystem::exists(kernel)) return kernel;
  }
  return test::project() / "litmus/cuda" / file;
}

class KeptKernels : public testing::TestWithParam<std::string> {};

TEST_P(KeptKernels, MeetTheExpectationsOfTheirSource) {
  ProgramOptions options;
  options.compiled = kept_source(kKeptFolder / (GetParam() + ".ptx"));
  const auto program = parse_program(kept_source(source_path(GetParam())), options);
  ASSERT_TRUE(program.ok()) << render(program.errors());
  ASSERT_FALSE(program.value()->expectations.empty());
  const auto rules = load_model("ptx", {});
  ASSERT_TRUE(rules.ok()) << render(rules.errors());
  Context context;
  context.set_timeout(std::chrono::seconds(100));
  verdict::Checker checker;
  verdict::CheckOptions check;
  check.questions.flags = true;
  const auto verdict = checker.check(program.value(), rules.value(), check, context);
  ASSERT_TRUE(verdict.ok()) << render(verdict.errors());
  const verdict::Judgement judgement = verdict::judge(verdict.value());
  EXPECT_EQ(judgement.status, verdict::Status::Ok) << testing::PrintToString(judgement.reasons);
}

std::vector<std::string> kernels() {
  std::vector<std::string> names;
  for (const char* folder : {"kernels", "unoptimised"}) {
    for (const auto& file : test::files_in(kKeptFolder / folder, {".ptx"})) {
      names.push_back(std::string(folder) + "/" + file.stem().string());
    }
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Compiled, KeptKernels, testing::ValuesIn(kernels()), [](const auto& info) {
  std::string name = info.param;
  name[name.find('/')] = '_';
  return name;
});

}  // namespace
}  // namespace ambit::parser
