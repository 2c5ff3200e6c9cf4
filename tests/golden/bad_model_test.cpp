#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "parser/parse.h"

// Each bad model of tests/golden/bad_model has the exact message that a user sees beside it, in FILE.expected.
namespace ambit {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The rendered errors, with paths as seen from the folder of the test files.
std::string errors_of(const fs::path& folder, const fs::path& file) {
  const auto model = parser::load_model(file.string());
  if (model.ok()) return "(no error)\n";
  std::string text = render(model.errors());
  const std::string prefix = folder.string() + "/";
  for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at)) {
    text.erase(at, prefix.size());
  }
  return text;
}

TEST(BadModel, EachFileGivesExactlyItsExpectedErrors) {
  const fs::path folder = fs::path(AMBIT_SOURCE_DIR) / "tests/golden/bad_model";
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".cat") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  ASSERT_GE(files.size(), 15U);
  for (const fs::path& file : files) {
    fs::path expected = file;
    expected.replace_extension(".expected");
    ASSERT_TRUE(fs::exists(expected)) << "no golden for " << file;
    EXPECT_EQ(errors_of(folder, file), read_text(expected)) << file;
  }
}

}  // namespace
}  // namespace ambit
