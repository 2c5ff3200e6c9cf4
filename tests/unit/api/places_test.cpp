#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "api/edit/position.h"
#include "api/source_lines.h"

// Tests the conversion of source places to editor columns (UTF-16 units) and to names in traces.
namespace ambit::api {
namespace {

// The letter after "a" is U+1D465: four bytes in UTF-8, two units in UTF-16. The letter at the beginning of line 3 has
// two bytes and one unit.
const SourceFile kFile{"f.litmus", "first line\na\xF0\x9D\x91\xA5 = r0.b-c;\n\xC3\xA9 x"};

TEST(Position, ColumnsAreUnitsOfUtf16) {
  const Range equals = range_of(kFile, {2, 7, 1});  // bytes: 'a' 1, the letter 2-5, ' ' 6, '=' 7
  EXPECT_EQ(equals.begin, (Position{1, 4}));
  EXPECT_EQ(equals.end, (Position{1, 5}));
  EXPECT_EQ(text_before(kFile, {1, 4}), "a\xF0\x9D\x91\xA5 ");
  EXPECT_EQ(text_before(kFile, {2, 2}), "\xC3\xA9 ");
}

TEST(Position, ASpanWithoutALengthIsTheRestOfItsWord) {
  const Range word = range_of(kFile, {1, 3, 0});
  EXPECT_EQ(word.begin, (Position{0, 2}));
  EXPECT_EQ(word.end, (Position{0, 5}));
  const Range sign = range_of(kFile, {2, 7, 0});  // one character, because it is not a word
  EXPECT_EQ(sign.end, (Position{1, 5}));
}

TEST(Position, AnUnknownPlaceIsTheFirstLine) {
  const Range first = range_of(kFile, {});
  EXPECT_EQ(first.begin, (Position{0, 0}));
  EXPECT_EQ(first.end, (Position{0, 10}));
}

TEST(Position, WordsHaveDotsAndHyphensInsideOnly) {
  EXPECT_EQ(word_at(kFile, {1, 6}), "r0.b-c");
  EXPECT_EQ(word_at(kFile, {1, 12}), "r0.b-c") << "the position after the last letter";
  EXPECT_EQ(word_at(kFile, {1, 4}), "");
  const SourceFile ends{"", "po-loc. x"};
  EXPECT_EQ(word_at(ends, {0, 1}), "po-loc");
}

TEST(Position, BeyondTheTextNothingIsFound) {
  EXPECT_EQ(word_at(kFile, {0, 400}), "line") << "a position past the end of the line";
  EXPECT_EQ(word_at(kFile, {40, 0}), "");
  EXPECT_EQ(text_before(kFile, {40, 3}), "");
}

TEST(SourceSite, IsAFileWithALineAndPerhapsAColumn) {
  const auto with_line = source_site("dir/k.cu:7");
  ASSERT_TRUE(with_line);
  EXPECT_EQ(with_line->file, "dir/k.cu");
  EXPECT_EQ(with_line->line, 7U);
  const auto with_column = source_site("k.cu:7:12");
  ASSERT_TRUE(with_column);
  EXPECT_EQ(with_column->file, "k.cu");
  EXPECT_EQ(with_column->line, 7U);
  const auto colon_in_name = source_site("a:b.cu:7");
  ASSERT_TRUE(colon_in_name);
  EXPECT_EQ(colon_in_name->file, "a:b.cu");
}

TEST(SourceSite, WithoutALineIsNotASite) {
  for (const char* site : {"", "k.cu", "k.cu:", "k.cu:x", "kernel+0x40", "k.cu:99999999999"}) {
    EXPECT_FALSE(source_site(site)) << site;
  }
}

TEST(SourceLines, AddedTextReplacesTheFile) {
  SourceLines lines;
  lines.add(std::make_shared<const SourceFile>(SourceFile{"k.cu", "one\n  two\t\r\n"}));
  EXPECT_EQ(lines.line("k.cu:2"), "two");
  EXPECT_EQ(lines.line("k.cu:2:3"), "two");
  EXPECT_EQ(lines.line("k.cu:0"), "");
  EXPECT_EQ(lines.line("k.cu:9"), "");
  EXPECT_EQ(lines.line("no/such/file.cu:1"), "");
}

}  // namespace
}  // namespace ambit::api
