#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/rules/rules.h"
#include "parser/parse.h"

// These inputs would need too much stack, time or memory if the parser had no limits.
namespace ambit::parser {
namespace {

using ::testing::HasSubstr;

std::string errors(const std::string& text) {
  const auto model = parse_model(std::make_shared<const SourceFile>(SourceFile{"<test>", text}));
  return model.ok() ? "" : render(model.errors());
}

std::string repeat(const std::string& part, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += part;
  return out;
}

TEST(ModelRobust, NestingUpToTheLimitIsFine) {
  EXPECT_EQ(errors("acyclic " + repeat("(", 256) + "po" + repeat(")", 256)), "");
  EXPECT_THAT(errors("acyclic " + repeat("(", 257) + "po" + repeat(")", 257)), HasSubstr("nested too deeply"));
  EXPECT_THAT(errors("acyclic " + repeat("(", 19'000)), HasSubstr("nested too deeply"));
}

TEST(ModelRobust, EveryWayToNestIsCounted) {
  EXPECT_THAT(errors("acyclic " + repeat("[", 300)), HasSubstr("nested too deeply"));
  EXPECT_THAT(errors("option o = a | b \"o\" acyclic " + repeat("if o = a then po else ", 300) + "rf"),
              HasSubstr("nested too deeply"));
  EXPECT_THAT(errors("acyclic rf" + repeat("+^-1", 300)), HasSubstr("nested too deeply"));
  EXPECT_EQ(errors("acyclic " + repeat("~", 2000) + "rf"), "");
}

TEST(ModelRobust, NestingIsCountedAStatement) {
  EXPECT_EQ(errors("option o = a | b \"o\"" + repeat("\nempty if o = a then po else rf", 400)), "");
}

TEST(ModelRobust, LongChainsDoNotNest) {
  EXPECT_EQ(errors("acyclic po" + repeat(" | rf", 3000)), "");
  EXPECT_THAT(errors("acyclic po" + repeat("; rf", 5000)), HasSubstr("too large"));
}

TEST(ModelRobust, TooManyWordsAreRefusedAtOnce) {
  EXPECT_THAT(errors("acyclic po" + repeat(" | rf", 200'000)), HasSubstr("too long"));
}

TEST(ModelRobust, FunctionsThatExplodeAreStopped) {
  std::string text = "let f0(r) = r; po\n";
  for (int i = 1; i < 60; ++i) {
    text += "let f" + std::to_string(i) + "(r) = f" + std::to_string(i - 1) + "(r) | f" + std::to_string(i - 1) +
            "(r; rf)\n";
  }
  EXPECT_THAT(errors(text + "acyclic f59(rf)"), HasSubstr("too large"));
  EXPECT_THAT(errors(text + "let rec x = f59(x) acyclic x"), HasSubstr("too large"));
}

TEST(ModelRobust, DeepChainsOfCallsAreStopped) {
  std::string text = "let f0(r) = r\n";
  for (int i = 1; i < 1000; ++i) {
    text += "let f" + std::to_string(i) + "(r) = f" + std::to_string(i - 1) + "(r)\n";
  }
  EXPECT_THAT(errors(text + "acyclic f999(rf)"), HasSubstr("nested too deeply"));
}

TEST(ModelRobust, AtMostTwentyErrorsAreShown) {
  const std::string text = errors(repeat("let x\n", 500));
  EXPECT_THAT(text, HasSubstr("more errors"));
}

TEST(ModelRobust, NotText) {
  EXPECT_THAT(errors("acyclic po \xff\xfe as sc"), HasSubstr("invalid UTF-8"));
  EXPECT_THAT(errors(std::string("acyclic \0 po", 12)), HasSubstr("control character"));
  EXPECT_THAT(errors(repeat("(* ", 100'000)), HasSubstr("is not closed"));
}

}  // namespace
}  // namespace ambit::parser
