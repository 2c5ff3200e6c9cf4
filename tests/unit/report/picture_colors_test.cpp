// The dark colours of pictures: report/html/pictures.css replaces the colours that report/draw writes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>
#include <string>

#include "tests/support/files.h"

namespace ambit::report {
namespace {

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::set<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::set<std::string> found;
  for (auto match = std::sregex_iterator(text.begin(), text.end(), pattern); match != std::sregex_iterator(); ++match) {
    found.insert(lower_case((*match)[1]));
  }
  return found;
}

TEST(Pictures, EveryColourHasADarkForm) {
  const std::string styles = test::contents(test::project() / "report/html/pictures.css");
  const std::set<std::string> replaced = matches(styles, std::regex(R"re(\[fill="([#\w]+)" i\])re"));
  EXPECT_EQ(replaced, matches(styles, std::regex(R"re(\[stroke="([#\w]+)" i\])re")));
  std::set<std::string> drawn;
  for (const auto& file : test::files_in(test::project() / "report/draw", {".cpp"})) {
    drawn.merge(matches(test::contents(file), std::regex("(#[0-9A-Fa-f]{6})")));
  }
  EXPECT_GT(drawn.size(), 20U);
  for (const std::string& colour : drawn) EXPECT_TRUE(replaced.contains(colour)) << colour;
}

}  // namespace
}  // namespace ambit::report
