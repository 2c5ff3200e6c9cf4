#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "parser/parse.h"
#include "tests/support/files.h"
#include "tests/unit/suites/count.h"

namespace ambit {
namespace {

const std::filesystem::path kFolder = test::project() / "litmus/predictable";
const std::vector<std::string> kDetectors{"barracuda", "scord", "iguard", "gwcp", "syncp", "predict"};

SourceFilePtr file(const std::string& name) {
  return parser::read_source((kFolder / (name + ".litmus")).string()).value();
}

/// A row of the table in litmus/predictable/README.md, which explains the results. `found` has one character per
/// detector of kDetectors: '+' if the detector reports the race in every run, '.' if it reports the race in no run.
struct Row {
  std::string name;
  std::string found;
};
std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }

const std::vector<Row>& rows() {
  static const std::vector<Row> all{{"flag-without-fence", "++++.+"},
                                    {"flag-narrow-fence", "++++.+"},
                                    {"flag-narrow-atomic", "++++++"},
                                    {"lock-scopes-differ", "++++++"},
                                    {"block-locks-across-blocks", "++++++"},
                                    {"older-reader", "+..+++"},
                                    {"unlocked-after-section", ".+++.+"},
                                    {"write-before-section", ".+++++"},
                                    {"sections-reordered", "...+++"},
                                    {"two-locks-chain", "...+++"},
                                    {"lock-then-barrier", "...+++"},
                                    {"early-conflict", "....++"},
                                    {"composed-with-happens-before", "....++"},
                                    {"intra-warp-write-write", "+.++++"},
                                    {"intra-warp-no-syncwarp", "+.++++"}};
  return all;
}

class PredictableSuite : public ::testing::TestWithParam<Row> {};

TEST_P(PredictableSuite, IsFoundAsTheTableSays) {
  std::vector<std::string> names;
  std::ranges::copy_if(kDetectors, std::back_inserter(names), is_there);
  const Counts counts = count(file(GetParam().name), names);
  ASSERT_GT(counts.runs, 0U) << "at least one run must satisfy the filter";
  for (std::size_t i = 0; i < kDetectors.size(); ++i) {
    if (!is_there(kDetectors[i])) continue;
    EXPECT_EQ(counts.found.at(kDetectors[i]), GetParam().found[i] == '+' ? counts.runs : 0U) << kDetectors[i];
  }
}

/// Happens-before misses the race in the runs that satisfy the filter, but reports it in some run without the filter.
TEST_P(PredictableSuite, IsARaceInSomeOrder) {
  const SourceFilePtr filtered = file(GetParam().name);
  std::string text = filtered->text;
  const std::size_t filter = text.find("\nfilter ");
  if (filter != std::string::npos) text.erase(filter, text.find('\n', filter + 1) - filter);
  const Counts counts = count(std::make_shared<SourceFile>(SourceFile{filtered->path, text}), {"barracuda"});
  EXPECT_GT(counts.found.at("barracuda"), 0U);
}

INSTANTIATE_TEST_SUITE_P(Files, PredictableSuite, ::testing::ValuesIn(rows()), [](const auto& info) {
  std::string name = info.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(PredictableSuite, TotalsAreThoseOfThePublication) {
  std::map<std::string, int> totals;
  for (std::size_t row = 0; row < 13; ++row) {
    for (std::size_t i = 0; i < kDetectors.size(); ++i) totals[kDetectors[i]] += rows()[row].found[i] == '+' ? 1 : 0;
  }
  EXPECT_EQ(totals.at("barracuda"), 6);
  EXPECT_EQ(totals.at("scord"), 7);
  EXPECT_EQ(totals.at("iguard"), 7);
  EXPECT_EQ(totals.at("gwcp"), 11);
}

TEST(PredictableSuite, NoFalsePositiveOnTheElevenWithoutARace) {
  std::vector<std::string> names;
  std::ranges::copy_if(kDetectors, std::back_inserter(names), is_there);
  std::size_t tests = 0;
  for (const auto& path : test::files_in(kFolder)) {
    const std::string stem = path.stem().string();
    if (!stem.starts_with("norace-")) continue;
    ++tests;
    const Counts counts = count(file(stem), names);
    EXPECT_GT(counts.runs, 0U);
    for (const auto& [name, found] : counts.found) EXPECT_EQ(found, 0U) << name << " on " << stem;
  }
  EXPECT_EQ(tests, 11U);
}

}  // namespace
}  // namespace ambit
