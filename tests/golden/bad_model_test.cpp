#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "parser/parse.h"
#include "tests/support/golden.h"

// Each bad model of tests/golden/bad_model has the exact message that a user sees in FILE.expected.
namespace ambit {
namespace {

namespace fs = std::filesystem;

/// Returns the rendered errors, with paths relative to the folder of the test files.
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
  const fs::path folder = test::project() / "tests/golden/bad_model";
  const std::vector<fs::path> files = test::files_in(folder, {".cat"});
  ASSERT_GE(files.size(), 15U);
  for (const fs::path& file : files) {
    if (file.parent_path() != folder) continue;  // part of a model
    test::expect_golden(fs::path(file).replace_extension(".expected"), errors_of(folder, file));
  }
}

}  // namespace
}  // namespace ambit
