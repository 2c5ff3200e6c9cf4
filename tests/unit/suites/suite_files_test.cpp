#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "parser/parse.h"
#include "suite/suite_file.h"
#include "tests/support/files.h"

/// Tests the suite files of the corpus.
namespace ambit {
namespace {

namespace fs = std::filesystem;

Result<suite::SuiteFile> read(const fs::path& file) {
  return suite::read_suite_file(std::make_shared<const SourceFile>(SourceFile{file.string(), test::contents(file)}));
}

/// If a folder has a suite file, each of its tests must have exactly one label: in the test or in the suite file.
TEST(SuiteFiles, LabelEveryTestOfTheirFolder) {
  std::size_t suites = 0;
  for (const fs::path& file : test::files_in(test::project() / "litmus", {".json"})) {
    if (file.filename() != "suite.json") continue;
    ++suites;
    const auto suite = read(file);
    ASSERT_TRUE(suite.ok()) << render(suite.errors());
    std::size_t labelled = 0;
    for (const fs::path& test : test::files_in(file.parent_path())) {
      const auto program = parser::parse_program(parser::read_source(test.string()).value());
      ASSERT_TRUE(program.ok()) << test;
      const bool is_named = suite.value().labels.contains(test.stem().string());
      labelled += is_named ? 1 : 0;
      EXPECT_NE(program.value()->labels.empty(), !is_named) << test;
    }
    EXPECT_EQ(labelled, suite.value().labels.size()) << file;
  }
  EXPECT_EQ(suites, 6U);
}

}  // namespace
}  // namespace ambit
