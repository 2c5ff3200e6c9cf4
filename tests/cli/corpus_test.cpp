#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "parser/parse.h"
#include "tests/support/files.h"

/// Every file of the corpus has expectations, because a file without expectations would pass with any answer.
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> corpus() { return ambit::test::files_in(ambit::test::project() / "litmus"); }

TEST(Corpus, EveryFileHasAnExpectation) {
  const std::vector<fs::path> files = corpus();
  EXPECT_FALSE(files.empty());
  for (const fs::path& file : files) {
    const auto source = ambit::parser::read_source(file.string());
    ASSERT_TRUE(source.ok()) << render(source.errors());
    const auto programs = ambit::parser::parse_programs(source.value());
    ASSERT_TRUE(programs.ok()) << render(programs.errors());
    for (const auto& program : programs.value()) {
      EXPECT_FALSE(program->expectations.empty() && program->terminations.empty()) << file << " has no expectations";
    }
  }
}

TEST(Corpus, NamesAreUnique) {
  std::vector<std::string> names;
  for (const fs::path& file : corpus()) names.push_back(file.filename().string());
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  EXPECT_EQ(twice, names.end()) << *twice << " occurs twice";
}

}  // namespace
