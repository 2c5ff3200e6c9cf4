#include <gtest/gtest.h>

#include "model/rules/rules.h"
#include "parser/parse.h"

namespace ambit::parser {
namespace {

using rules::Rules;
using rules::to_string;

Result<std::shared_ptr<const Rules>> parse(const std::string& text,
                                           const std::map<std::string, std::string>& options = {}) {
  return parse_model(std::make_shared<const SourceFile>(SourceFile{"<test>", text}), options);
}

/// Parses the model with the axiom `empty EXPRESSION`. Returns its term as text, with definitions expanded.
std::string normal(const std::string& expression, const std::string& before = "") {
  const auto model = parse(before + "\nempty " + expression);
  if (!model.ok()) return render(model.errors());
  Rules bare = *model.value();
  bare.definitions.clear();
  return to_string(bare, bare.axioms.back().term);
}

TEST(ModelLanguage, PrecedenceFromLoosestToTightest) {
  // The operators are | ; \ & * ~ postfix. The printer omits parentheses that do not change the meaning.
  EXPECT_EQ(normal("(po | rf); co"), "(po | rf) ; co");
  EXPECT_EQ(normal("po | rf; co"), "po | rf ; co");
  EXPECT_EQ(normal("po; rf \\ co"), "po ; rf \\ co");
  EXPECT_EQ(normal("(po; rf) \\ co"), "(po ; rf) \\ co");
  EXPECT_EQ(normal("po \\ rf & co"), "po \\ rf & co");
  EXPECT_EQ(normal("(po \\ rf) & co"), "(po \\ rf) & co");
  EXPECT_EQ(normal("po & R * W"), "po & R * W");
  EXPECT_EQ(normal("~R * W"), "~R * W");
  EXPECT_EQ(normal("~(R * W)"), "~(R * W)");
  EXPECT_EQ(normal("~rf^-1"), "~rf^-1");
  EXPECT_EQ(normal("(~rf)^-1"), "(~rf)^-1");
}

TEST(ModelLanguage, ChainsLeanToTheLeft) {
  EXPECT_EQ(normal("po \\ rf \\ co"), "po \\ rf \\ co");
  EXPECT_EQ(normal("po \\ (rf \\ co)"), "po \\ (rf \\ co)");
}

TEST(ModelLanguage, StarIsClosureOrProductByWhatFollows) {
  EXPECT_EQ(normal("rf* ; co"), "rf* ; co");
  EXPECT_EQ(normal("R*W & po"), "R * W & po");
  EXPECT_EQ(normal("(po | rf)*"), "(po | rf)*");
  EXPECT_EQ(normal("rf*? "), "rf*");
  const auto two = parse("empty rf* ~empty co*");
  ASSERT_TRUE(two.ok());
  ASSERT_EQ(two.value()->axioms.size(), 2U);
  EXPECT_TRUE(two.value()->axioms[1].negated);
}

TEST(ModelLanguage, PostfixRuns) {
  EXPECT_EQ(normal("rf++"), "rf+");
  EXPECT_EQ(normal("rf+?"), "rf*");
  EXPECT_EQ(normal("rf?+"), "rf*");
  EXPECT_EQ(normal("rf^-1^-1"), "rf");
  EXPECT_EQ(normal("rf^-1+"), "rf^-1+");
  EXPECT_EQ(normal("~~rf"), "rf");
}

TEST(ModelLanguage, NamesMayHaveHyphensAndDots) { EXPECT_EQ(normal("a-b.c; po", "let a-b.c = rf"), "rf ; po"); }

TEST(ModelLanguage, FunctionsAreExpandedWithLexicalNames) {
  EXPECT_EQ(normal("twice(rf)", "let twice(r) = r; r"), "rf ; rf");
  EXPECT_EQ(normal("f(W, rf)", "let f(s, r) = [s]; r"), "[W] ; rf");
  // A parameter hides a definition with its name. A function does not see the parameters of the function that calls it.
  EXPECT_EQ(normal("g(co)", "let x = po let f(x) = x; rf let g(y) = f(y) | x"), "co ; rf | po");
}

TEST(ModelLanguage, ZeroTakesTheKindOfItsSurroundings) {
  EXPECT_EQ(normal("[0] | po"), "po");
  EXPECT_EQ(normal("po | 0"), "po");
  EXPECT_EQ(normal("[R | 0]; po"), "[R] ; po");
  EXPECT_EQ(normal("f(0)", "let f(x) = [R | x]; po"), "[R] ; po");
  EXPECT_EQ(normal("z | po", "let z = 0"), "po");
  EXPECT_EQ(normal("[z | R]; po", "let z = 0"), "[R] ; po");
}

TEST(ModelLanguage, CommentsOfBothKinds) { EXPECT_EQ(normal("po // rf\n | (* rf * *) co"), "po | co"); }

TEST(ModelLanguage, AxiomsAndFlags) {
  const auto model =
      parse("\"a title\" acyclic po as one irreflexive rf ~empty co as three flag ~empty fr as data-race");
  ASSERT_TRUE(model.ok()) << render(model.errors());
  const Rules& rules = *model.value();
  EXPECT_EQ(rules.title, "a title");
  EXPECT_EQ(rules.name, "test");
  ASSERT_EQ(rules.axioms.size(), 3U);
  EXPECT_EQ(rules.axioms[0].name, "one");
  EXPECT_EQ(rules.axioms[0].test, rules::Test::Acyclic);
  EXPECT_FALSE(rules.axioms[0].negated);
  EXPECT_EQ(rules.axioms[1].name, "axiom 2");
  EXPECT_EQ(rules.axioms[1].test, rules::Test::Irreflexive);
  EXPECT_TRUE(rules.axioms[2].negated);
  ASSERT_EQ(rules.flags.size(), 1U);
  EXPECT_EQ(rules.flags[0].name, "data-race");
  EXPECT_TRUE(rules.flags[0].is_race());
  EXPECT_TRUE(rules.flags[0].negated);
}

TEST(ModelLanguage, RecursionBecomesFixedPointsInGroups) {
  const auto model = parse(
      "let rec a = po | b; b and b = rf | a; a\n"
      "let rec c = a | c; c\n"
      "let rec s = R | t and t = range([s]; rf)\n"
      "acyclic c empty s");
  ASSERT_TRUE(model.ok()) << render(model.errors());
  const Rules& rules = *model.value();
  ASSERT_EQ(rules.fixpoints.size(), 5U);
  const std::vector<std::uint32_t> groups = {0, 0, 1, 2, 2};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    EXPECT_EQ(rules.fixpoints[i].group, groups[i]);
    EXPECT_LT(rules.fixpoints[i].variable, rules.fixpoints[i].body);
  }
  EXPECT_EQ(rules.kinds[rules.fixpoints[2].variable], rules::Kind::Relation);
  EXPECT_EQ(rules.kinds[rules.fixpoints[3].variable], rules::Kind::Set);
  EXPECT_EQ(rules.kinds[rules.fixpoints[4].variable], rules::Kind::Set);
  EXPECT_EQ(to_string(rules, rules.fixpoints[0].body), "po | b ; b");
}

TEST(ModelLanguage, RecursionOnTheLeftOfADifferenceIsFine) {
  EXPECT_TRUE(parse("let rec x = (x \\ rf) | po acyclic x").ok());
  EXPECT_FALSE(parse("let rec x = (rf \\ x) | po acyclic x").ok());
}

TEST(ModelLanguage, ANameIsFreeAgainOnceItsGroupIsClosed) {
  EXPECT_TRUE(parse("let rec x = po | x; x let y = rf \\ x let rec z = y | z; (rf \\ x) acyclic z").ok());
}

TEST(ModelLanguage, OrdersAndMapping) {
  const auto model = parse("mapping abi order tr on M | F let x = tr & loc acyclic x | po");
  ASSERT_TRUE(model.ok()) << render(model.errors());
  EXPECT_TRUE(model.value()->mappings.seq_cst_as_fences);
  ASSERT_EQ(model.value()->orders.size(), 1U);
  EXPECT_EQ(model.value()->orders[0].name, "tr");
  EXPECT_EQ(to_string(*model.value(), model.value()->orders[0].set), "M | F");
  EXPECT_EQ(to_string(*model.value(), model.value()->axioms[0].term), "x | po");
}

TEST(ModelLanguage, UnusedDefinitionsAreDropped) {
  const auto model = parse("let unused = rf; rf; rf let rec r = co; r | co acyclic po");
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model.value()->terms.size(), 1U);
  EXPECT_TRUE(model.value()->fixpoints.empty());
}

TEST(ModelLanguage, ArgumentsComeBeforeTheirUsers) {
  const auto model = load_model("gwcp");
  ASSERT_TRUE(model.ok()) << render(model.errors());
  EXPECT_EQ(model.value()->kinds.size(), model.value()->terms.size());
  for (const rules::Fixpoint& fixpoint : model.value()->fixpoints) EXPECT_LT(fixpoint.variable, fixpoint.body);
}

// Reads sc.cat of herd7, except its relation for accesses of different sizes.
TEST(ModelLanguage, FilesOfHerdsLibraryAreKnown) {
  const auto model = parse(R"("SC"
include "fences.cat"
include "filters.cat"
include "cos.cat"
with co from generate_cos(W)
show rfe, fre \ id as free
(* Atomic *)
empty rmw & (fre;coe) as atom
unshow rfe
(* Sequential consistency *)
let po-w = WW(po) | RM(po) | fencerel(F)
acyclic po-w | fr | rf | co as sc
)");
  ASSERT_TRUE(model.ok()) << render(model.errors());
  EXPECT_EQ(model.value()->title, "SC");
  EXPECT_EQ(model.value()->axioms.size(), 2U);
  EXPECT_EQ(normal("rfe", "include \"cos.cat\""), "rf & ext");
  EXPECT_EQ(normal("WR(po)", "include \"filters.cat\""), "po & W * R");
}

TEST(ModelLanguage, TryTakesTheFirstExpressionWhoseNamesAreDefined) {
  EXPECT_EQ(normal("try po with rf"), "po");
  EXPECT_EQ(normal("try fencerel(Wmb) with rf"), "rf");
  EXPECT_EQ(normal("try no-such with (try nor-this with co)"), "co");
  EXPECT_EQ(normal("try (try no-such with po) with rf"), "po");
  EXPECT_EQ(normal("(try unknown(po) with 0) | rf"), "rf");
  EXPECT_EQ(normal("f(po)", "let f(r) = try g(r) with r let g(r) = rf"), "po") << "g is defined after f";
  EXPECT_EQ(normal("f(po)", "let f(r) = try r with rf"), "po");
  EXPECT_EQ(normal("x", "let rec x = try x | po with rf"), normal("x", "let rec x = x | po"));
  EXPECT_FALSE(parse("acyclic try no-such with nor-this").ok());
}

TEST(ModelLanguage, ShowMayBeANameOfADefinition) { EXPECT_EQ(normal("show", "let show = po"), "po"); }

}  // namespace
}  // namespace ambit::parser
