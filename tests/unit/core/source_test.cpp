#include "base/source.h"

#include <gtest/gtest.h>

#include "core/scope.h"

namespace ambit {
namespace {

SourceFilePtr file(std::string text) { return std::make_shared<SourceFile>(SourceFile{"t.litmus", std::move(text)}); }

TEST(Diagnostic, ShowsPlaceLineCaretAndHint) {
  const Diagnostic d{file("a\n  flog = 1;\nb\n"), {2, 3, 4}, "unknown name 'flog'", "did you mean 'flag'?"};
  EXPECT_EQ(d.render(),
            "t.litmus:2:3: error: unknown name 'flog'\n"
            "    flog = 1;\n"
            "    ^~~~\n"
            "  hint: did you mean 'flag'?\n");
}

TEST(Diagnostic, CaretStaysInsideTheLineAndControlBytesAreHidden) {
  const Diagnostic d{file("\x01\x1b[0m"), {1, 40, 9}, "m", ""};
  EXPECT_EQ(d.render(), "t.litmus:1:40: error: m\n  ??[0m\n       ^\n");
}

TEST(Diagnostic, CutsAVeryLongLineAroundTheCaret) {
  const Diagnostic d{file(std::string(100000, 'x')), {1, 50000, 1}, "m", ""};
  EXPECT_LT(d.render().size(), 500U);
}

TEST(Render, SortsByPlaceAndCountsWhatItDoesNotShow) {
  Diagnostics many;
  for (std::uint32_t line = 25; line >= 1; --line) many.push_back({file("x"), {line, 1, 1}, "m", ""});
  const std::string text = render(many);
  EXPECT_LT(text.find("t.litmus:1:1"), text.find("t.litmus:2:1"));
  EXPECT_EQ(text.find("t.litmus:21:1"), std::string::npos);
  EXPECT_NE(text.find("... and 5 more errors"), std::string::npos);
}

TEST(NearestName, OneEditOrCaseAway) {
  EXPECT_EQ(nearest_name("flog", {"data", "flag"}), "flag");
  EXPECT_EQ(nearest_name("falg", {"data", "flag"}), "flag");
  EXPECT_EQ(nearest_name("flags", {"flag"}), "flag");
  EXPECT_EQ(nearest_name("flg", {"flag"}), "flag");
  EXPECT_EQ(nearest_name("FLAG", {"flag"}), "flag");
  EXPECT_EQ(nearest_name("banana", {"flag"}), "");
  EXPECT_EQ(nearest_name("explane", {"exec", "explain"}), "explain");
  EXPECT_EQ(nearest_name("excplane", {"explain"}), "");  // Three edits.
  EXPECT_EQ(nearest_name("fgal", {"flag"}), "");         // Two edits are too many for a short name.
}

TEST(Scope, InstancesFollowTheTree) {
  const ThreadPlace a{0, 0, 0, 0, 0};
  const ThreadPlace same_block{0, 0, 0, 1, 0};
  const ThreadPlace same_cluster{0, 0, 1, 0, 0};
  const ThreadPlace other_gpu{1, 0, 0, 0, 0};
  EXPECT_TRUE(same_instance(a, same_block, Scope::Block));
  EXPECT_FALSE(same_instance(a, same_cluster, Scope::Block));
  EXPECT_TRUE(same_instance(a, same_cluster, Scope::Cluster));
  EXPECT_FALSE(same_instance(a, other_gpu, Scope::Block));  // block 0 of another GPU
  EXPECT_FALSE(same_instance(a, other_gpu, Scope::Device));
  EXPECT_TRUE(same_instance(a, other_gpu, Scope::System));
}

}  // namespace
}  // namespace ambit
