#include "model/repair/text_edit.h"

#include <gtest/gtest.h>

#include "tests/support/patch.h"

namespace ambit::repair {
namespace {

TEST(TextEdit, InsertsReplacesAndRemoves) {
  EXPECT_EQ(edited("abcdef", {{1, 2, "X"}, {4, 4, "-"}, {5, 6, ""}}), "aXcd-e");
}

TEST(TextEdit, EqualEditsCountOnceAndInsertionsKeepTheirOrder) {
  EXPECT_EQ(edited("ab", {{1, 1, "x"}, {1, 1, "y"}, {1, 1, "x"}}), "axyb");
}

TEST(TextEdit, ChangesInsideADeletedStretchAreDropped) {
  EXPECT_EQ(edited("fence(acq_rel);rest", {{6, 13, "seq_cst"}, {0, 15, ""}}), "rest");
}

TEST(TextEdit, ContradictingEditsHaveNoResult) {
  EXPECT_EQ(edited("abcdef", {{1, 4, "X"}, {2, 5, "Y"}}), std::nullopt);
  EXPECT_EQ(edited("abcdef", {{1, 2, "X"}, {1, 2, "Y"}}), std::nullopt);
}

TEST(TextEdit, PlacesOfTheNewTextLeadToTheOldText) {
  const std::vector<TextEdit> edits = {{1, 2, "XYZ"}, {4, 6, ""}};  // abcdefg -> aXYZcdg
  EXPECT_EQ(edited("abcdefg", edits), "aXYZcdg");
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < 7; ++i) places.push_back(old_position(edits, i));
  EXPECT_EQ(places, (std::vector<std::size_t>{0, 1, 1, 1, 2, 3, 6}));
}

TEST(UnifiedDiff, IsEmptyForEqualTexts) { EXPECT_EQ(unified_diff("f", "a\nb\n", "a\nb\n"), ""); }

TEST(UnifiedDiff, LooksAsPatchExpectsIt) {
  EXPECT_EQ(unified_diff("dir/f", "1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\nx\n6\n"),
            "--- dir/f\n+++ dir/f\n@@ -2,5 +2,5 @@\n 2\n 3\n 4\n-5\n+x\n 6\n");
  EXPECT_EQ(unified_diff("f", "a", "b"),
            "--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n");
}

TEST(UnifiedDiff, LeadsFromOneTextToTheOther) {
  std::string before;
  for (int i = 0; i < 60; ++i) before += std::to_string(i % 7) + "\n";
  std::uint32_t random = 1;
  const auto next = [&](std::size_t bound) {
    random = random * 1664525 + 1013904223;
    return (random >> 8) % bound;
  };
  for (int round = 0; round < 300; ++round) {
    std::string after = before;
    for (std::size_t changes = 1 + next(4); changes > 0; --changes) {
      const std::size_t line = after.find('\n', next(after.size() - 1));
      if (line == std::string::npos) continue;
      if (next(2) == 0) {
        after.insert(line + 1, "new\n");
      } else {
        after.erase(line + 1, after.find('\n', line + 1) - line);
      }
    }
    if (next(5) == 0 && !after.empty()) after.pop_back();
    EXPECT_EQ(test::patched(before, unified_diff("f", before, after)), after) << round;
  }
}

}  // namespace
}  // namespace ambit::repair
