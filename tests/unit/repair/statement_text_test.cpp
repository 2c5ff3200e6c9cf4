#include "model/repair/statement_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ambit::repair {
namespace {

/// Returns the texts of the control statements around the statement that begins with `mark`. The innermost comes first.
std::vector<std::string> around(const std::string& text, const std::string& mark) {
  const SourceText source(SourceFile{"k.cu", text});
  std::vector<std::string> found;
  std::optional<Statement> statement = source.statement_at(text.find(mark));
  while ((statement = source.enclosing(*statement))) {
    found.push_back(text.substr(statement->begin, statement->end - statement->begin));
  }
  return found;
}

TEST(Enclosing, EndsAtTheFunction) {
  EXPECT_TRUE(around("__global__ void k(int *x) { x[0] = 1; }", "x[0]").empty());
  EXPECT_TRUE(around("P0 @ block 0 { x = 1; }", "x =").empty());
}

TEST(Enclosing, HoldsAllBranchesOfAnIf) {
  const std::string chain = "if (a) { one = 1; } else if (b) { two = 2; } else { three = 3; }";
  const std::string text = "void k() { zero = 0; " + chain + " four = 4; }";
  for (const char* const mark : {"one =", "two =", "three ="}) {
    EXPECT_EQ(around(text, mark), std::vector{chain}) << mark;
  }
  EXPECT_TRUE(around(text, "four =").empty());
}

TEST(Enclosing, AnIfWithoutBracesBeforeAnElse) {
  const std::string chain = "if (a) one = 1; else { two = 2; }";
  EXPECT_EQ(around("void k() { " + chain + " }", "two ="), std::vector{chain});
}

TEST(Enclosing, LoopsAndBlocksNest) {
  const std::string inner = "do { x = 1; } while (x < y);";
  const std::string block = "{ " + inner + " }";
  const std::string outer = "for (int i = 0; i < 2; ++i) { /* } */ " + block + " }";
  EXPECT_EQ(around("void k() { " + outer + " }", "x = 1"), (std::vector{inner, block, outer}));
}

}  // namespace
}  // namespace ambit::repair
