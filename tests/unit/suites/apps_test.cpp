#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "parser/parse.h"
#include "tests/support/files.h"
#include "tests/unit/suites/count.h"

/// Tests which detectors find the races in ScoR's applications. litmus/apps has reduced forms of kernels/apps.
namespace ambit {
namespace {

std::vector<std::filesystem::path> tests() { return test::files_in(test::project() / "litmus/apps", {".litmus"}); }

/// Some detectors claim that their first races are real. These detectors report the applications' races and nothing
/// else. wcp ignores scopes and syncp has no unordered pairs, so wcp and syncp miss some races.
TEST(Applications, DetectorsThatClaimTruthReportTheRacesOnly) {
  const std::vector<std::string> detectors{"barracuda", "gwcp", "predict", "wcp", "syncp"};
  std::size_t racy = 0;
  for (const auto& file : tests()) {
    const bool is_racy = file.filename().string().starts_with("race_");
    racy += is_racy ? 1 : 0;
    const Counts counts = count(parser::read_source(file.string()).value(), detectors);
    ASSERT_GT(counts.runs, 0U) << file;
    for (const std::string& detector : detectors) {
      const std::size_t found = counts.found.at(detector);
      if (!is_racy) {
        EXPECT_EQ(found, 0U) << file << " " << detector;
      }
      if (is_racy && detector != "wcp" && detector != "syncp") {
        EXPECT_GT(found, 0U) << file << " " << detector;
      }
    }
  }
  EXPECT_EQ(racy, 26U);
}

/// Every macro of an application has a test, and every test with a race has a macro.
TEST(Applications, EveryMacroHasATest) {
  std::set<std::string> macros;
  const std::regex used(R"((?:ifdef|ifndef|defined\()\s*(RACE_[A-Z_]+))");
  for (const auto& file : test::files_in(test::project() / "kernels/apps", {".cu"})) {
    const std::string text = test::contents(file);
    for (auto at = std::sregex_iterator(text.begin(), text.end(), used); at != std::sregex_iterator(); ++at) {
      macros.insert(file.stem().string() + " " + (*at)[1].str());
    }
  }
  std::set<std::string> tested;
  for (const auto& file : tests()) {
    const auto program = parser::parse_program(parser::read_source(file.string()).value());
    ASSERT_TRUE(program.ok()) << file;
    const auto macro = program.value()->metadata.find("Macro");
    const bool is_racy = file.filename().string().starts_with("race_");
    EXPECT_EQ(macro != program.value()->metadata.end(), is_racy) << file;
    if (is_racy) tested.insert(program.value()->metadata.at("Application") + " " + macro->second);
  }
  EXPECT_EQ(macros, tested);
  EXPECT_EQ(macros.size(), 26U);
}

}  // namespace
}  // namespace ambit
