#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/rules/rules.h"
#include "parser/parse.h"

namespace ambit::parser {
namespace {

using rules::to_string;
using ::testing::HasSubstr;

constexpr const char* kModel =
    "option incl = mut | nest | exact \"which scopes\"\n"
    "option fences = off | on \"order fences\"\n"
    "let x = if incl = mut then po else if incl = nest then rf else co\n"
    "let y = if fences = on then fr else 0\n"
    "empty x | y as a\n";

Result<std::shared_ptr<const rules::Rules>> parse_with(const std::map<std::string, std::string>& options) {
  return parse_model(std::make_shared<const SourceFile>(SourceFile{"mine.cat", kModel}), options);
}

std::string term_with(const std::map<std::string, std::string>& options) {
  const auto model = parse_with(options);
  if (!model.ok()) return render(model.errors());
  rules::Rules bare = *model.value();
  bare.definitions.clear();
  return to_string(bare, bare.axioms[0].term);
}

TEST(ModelOptions, TheFirstValueIsTheDefault) {
  EXPECT_EQ(term_with({}), "po");
  const auto model = parse_with({});
  ASSERT_TRUE(model.ok());
  ASSERT_EQ(model.value()->options.size(), 2U);
  EXPECT_EQ(model.value()->options[0].chosen, "mut");
  EXPECT_EQ(model.value()->options[0].meaning, "which scopes");
  EXPECT_EQ(model.value()->options[0].values, (std::vector<std::string>{"mut", "nest", "exact"}));
}

TEST(ModelOptions, ChosenValuesDecideTheBranches) {
  EXPECT_EQ(term_with({{"incl", "nest"}}), "rf");
  EXPECT_EQ(term_with({{"incl", "exact"}}), "co");
  EXPECT_EQ(term_with({{"incl", "exact"}, {"fences", "on"}}), "co | fr");
}

Result<std::shared_ptr<const rules::Rules>> parse_mappings(const std::string& statements,
                                                           const std::map<std::string, std::string>& options = {}) {
  const std::string text = "option cas = read | write \"does a failed one write\"\n" + statements + "\nacyclic po\n";
  return parse_model(std::make_shared<const SourceFile>(SourceFile{"mine.cat", text}), options);
}

TEST(ModelMappings, EachHasItsName) {
  const Mappings none;
  const auto mappings = [](const std::string& statements) { return parse_mappings(statements).value()->mappings; };
  EXPECT_EQ(mappings(""), none);
  EXPECT_EQ(mappings("mapping abi"), (Mappings{.seq_cst_as_fences = true}));
  EXPECT_EQ(mappings("mapping cas-writes"), (Mappings{.cas_always_writes = true}));
  EXPECT_EQ(mappings("mapping barriers-per-gpu mapping abi"),
            (Mappings{.seq_cst_as_fences = true, .barriers_per_gpu = true}));
}

TEST(ModelMappings, AnOptionCanDecide) {
  const std::string text = "mapping cas-writes if cas = write";
  EXPECT_FALSE(parse_mappings(text).value()->mappings.cas_always_writes);
  EXPECT_FALSE(parse_mappings(text, {{"cas", "read"}}).value()->mappings.cas_always_writes);
  EXPECT_TRUE(parse_mappings(text, {{"cas", "write"}}).value()->mappings.cas_always_writes);
}

TEST(ModelMappings, ErrorsHaveTheirPlace) {
  const auto error = [](const std::string& statements) { return render(parse_mappings(statements).errors()); };
  EXPECT_THAT(error("mapping cas-write"), HasSubstr("mine.cat:2:9: error: unknown mapping 'cas-write'"));
  EXPECT_THAT(error("mapping cas-write"), HasSubstr("hint: did you mean 'cas-writes'?"));
  EXPECT_THAT(error("mapping tso"), HasSubstr("hint: the mappings are abi, cas-writes, barriers-per-gpu"));
  EXPECT_THAT(error("mapping abi if cs = write"), HasSubstr("mine.cat:2:16: error: unknown option 'cs'"));
  EXPECT_THAT(error("mapping abi if cs = write"), HasSubstr("hint: did you mean 'cas'?"));
  EXPECT_THAT(error("mapping abi if cas = always"),
              HasSubstr("mine.cat:2:22: error: option 'cas' has no value 'always'"));
  EXPECT_THAT(error("mapping abi if cas = always"), HasSubstr("hint: its values are read, write"));
  EXPECT_THAT(error("mapping abi if cas"), HasSubstr("mine.cat:3:1: error: unexpected 'acyclic'"));
}

TEST(ModelOptions, AnUnknownOptionOrValueIsAnErrorThatListsTheOnesThereAre) {
  EXPECT_EQ(term_with({{"inkl", "mut"}}),
            "command line: error: model 'mine' has no option 'inkl'\n  hint: did you mean 'incl'?\n");
  EXPECT_EQ(term_with({{"colour", "red"}}),
            "command line: error: model 'mine' has no option 'colour'\n"
            "  hint: its options: incl = mut | nest | exact; fences = off | on\n");
  EXPECT_EQ(term_with({{"incl", "all"}}),
            "command line: error: option 'incl' of model 'mine' has no value 'all'\n"
            "  hint: its values are mut, nest, exact\n");
}

TEST(ModelOptions, ErrorsAreWhereTheModelIsRequested) {
  const auto test = std::make_shared<const SourceFile>(SourceFile{"mp.litmus", "expect sc(a=b) : Never\n"});
  const auto model = load_model("sc", {{"a", "b"}}, test, {1, 8, 7});
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(render(model.errors()),
            "mp.litmus:1:8: error: model 'sc' has no option 'a'\n"
            "  expect sc(a=b) : Never\n"
            "         ^~~~~~~\n"
            "  hint: this model has no options\n");
}

TEST(ModelOptions, AnUnknownModelIsAnErrorWithTheNearestName) {
  const auto near = load_model("ptxx");
  ASSERT_FALSE(near.ok());
  EXPECT_EQ(render(near.errors()), "command line: error: unknown model 'ptxx'\n  hint: did you mean 'ptx'?\n");
  const auto far = load_model("tso");
  ASSERT_FALSE(far.ok());
  EXPECT_THAT(render(far.errors()), HasSubstr("the models are sc, hrf-direct, hrf-indirect, hrf-relaxed, ptx"));
  EXPECT_FALSE(load_model("stdlib").ok()) << "an include is not a model";
}

TEST(ModelReference, NameAndOptions) {
  const auto plain = parse_model_reference("ptx");
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(plain.value().name, "ptx");
  EXPECT_TRUE(plain.value().options.empty());
  const auto full = parse_model_reference(" hrf-relaxed ( incl=nest , rlx = lift )");
  ASSERT_TRUE(full.ok());
  EXPECT_EQ(full.value().name, "hrf-relaxed");
  EXPECT_EQ(full.value().options, (std::map<std::string, std::string>{{"incl", "nest"}, {"rlx", "lift"}}));
  EXPECT_EQ(parse_model_reference("dir/mine.cat()").value().name, "dir/mine.cat");
}

TEST(ModelReference, MalformedOnesAreErrors) {
  for (const char* text : {"", "  ", "(a=b)", "ptx(", "ptx(a=b", "ptx(a)", "ptx(=b)", "ptx(a=)", "ptx(a=b,,c=d)",
                           "ptx(a=b,a=c)", "ptx(a=b) x"}) {
    EXPECT_FALSE(parse_model_reference(text).ok()) << text;
  }
}

}  // namespace
}  // namespace ambit::parser
