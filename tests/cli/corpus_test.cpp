#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "parser/parse.h"

/// Every file of the corpus says what is expected of it: without that it would pass whatever we answer.
namespace {

namespace fs = std::filesystem;

std::vector<std::string> corpus() {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(AMBIT_SOURCE_DIR) / "litmus")) {
    const fs::path extension = entry.path().extension();
    if (extension == ".litmus" || extension == ".test" || extension == ".cu") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(Corpus, EveryFileHasAnExpectation) {
  const std::vector<std::string> files = corpus();
  EXPECT_FALSE(files.empty());
  for (const std::string& file : files) {
    const auto source = ambit::parser::read_source(file);
    ASSERT_TRUE(source.ok()) << render(source.errors());
    const auto programs = ambit::parser::parse_programs(source.value());
    ASSERT_TRUE(programs.ok()) << render(programs.errors());
    for (const auto& program : programs.value()) {
      EXPECT_FALSE(program->expectations.empty() && program->terminations.empty()) << file << " expects nothing";
    }
  }
}

TEST(Corpus, NamesAreUnique) {
  std::vector<std::string> names;
  for (const std::string& file : corpus()) names.push_back(fs::path(file).filename().string());
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  EXPECT_EQ(twice, names.end()) << *twice << " is there twice";
}

}  // namespace
