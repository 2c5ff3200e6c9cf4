#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "apps/mcp/documents.h"

namespace ambit::mcp {
namespace {

TEST(Documents, AllPagesAreEmbedded) {
  for (const std::string_view path : {"README.md", "guide/agents.md", "reference/judge.md", "course/03-fences.md"}) {
    EXPECT_TRUE(std::ranges::any_of(documents(), [&](const DocumentPage& page) { return page.path == path; })) << path;
  }
}

TEST(Documents, ARareWordInAHeadingComesFirst) {
  const std::vector<FoundSection> found = search_documents("ambit relax", 3);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_NE(found.front().heading.find("relax"), std::string::npos) << found.front().heading;
}

TEST(Documents, CommentsInCodeAreNoHeadings) {
  for (const FoundSection& section : search_documents("nvcc", 20)) {
    EXPECT_EQ(section.heading.find("nvcc compiles the source; no host code runs"), std::string::npos);
  }
}

TEST(Documents, UnknownWordsFindNothing) {
  EXPECT_TRUE(search_documents("", 5).empty());
  EXPECT_TRUE(search_documents("-- .. ??", 5).empty());
  EXPECT_TRUE(search_documents("qqqqzzzz", 5).empty());
  EXPECT_TRUE(search_documents("race", 0).empty());
}

}  // namespace
}  // namespace ambit::mcp
