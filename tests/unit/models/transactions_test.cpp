// Each axiom of the transactional models is necessary: without the axiom, the verdict of some test of
// litmus/transactions changes.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "model/eval/enumerate.h"
#include "model/rules/implied_axioms.h"
#include "parser/parse.h"
#include "tests/support/files.h"

namespace ambit {
namespace {

using Options = std::map<std::string, std::string>;

struct Need {
  std::string model;
  Options options;
  std::string axiom;
  std::string test;  ///< a test of litmus/transactions whose proposition can hold only without the axiom
};

void PrintTo(const Need& need, std::ostream* out) { *out << need.model << " " << need.axiom << " " << need.test; }

class TransactionAxioms : public testing::TestWithParam<Need> {};

/// Checks a test under `rules`, and returns the answers.
events::Answers ask(const std::filesystem::path& path, const rules::Rules& rules, const events::Questions& questions) {
  const auto source = std::make_shared<const SourceFile>(SourceFile{path.string(), test::contents(path)});
  const auto program = parser::parse_program(source);
  if (!program.ok()) {
    ADD_FAILURE() << render(program.errors());
    return {};
  }
  const auto graph = events::build(program.value(), {.mappings = rules.mappings});
  if (!graph.ok()) {
    ADD_FAILURE() << render(graph.errors());
    return {};
  }
  Context context;
  return eval::enumerate(graph.value(), rules, questions, context);
}

/// Returns whether some execution that the rules allow satisfies the test's proposition.
events::Possibility holds(const std::string& test, const rules::Rules& rules) {
  const auto path = test::project() / "litmus/transactions" / (test + ".litmus");
  return ask(path, rules, {.flags = false}).holds.possibility;
}

TEST_P(TransactionAxioms, IsNeeded) {
  const Need& need = GetParam();
  const auto rules = parser::load_model(need.model, need.options);
  ASSERT_TRUE(rules.ok()) << render(rules.errors());
  EXPECT_EQ(holds(need.test, *rules.value()), events::Possibility::Impossible);
  rules::Rules fewer = *rules.value();
  const auto removed = std::erase_if(fewer.axioms, [&](const rules::Axiom& axiom) { return axiom.name == need.axiom; });
  EXPECT_EQ(removed, 1U);
  EXPECT_EQ(holds(need.test, fewer), events::Possibility::Possible);
}

const Options kIsolation = {{"txn-order", "off"}, {"opacity", "off"}};
const Options kStrongIsolation = {{"isolation", "strong"}, {"txn-order", "off"}, {"opacity", "off"}};
const Options kOrder = {{"opacity", "off"}};
const Options kStrongOrder = {{"isolation", "strong"}, {"opacity", "off"}};

INSTANTIATE_TEST_SUITE_P(
    Models, TransactionAxioms,
    testing::Values(
        Need{"sc-tm", kIsolation, "isolation", "write-skew"},
        Need{"sc-tm", kStrongIsolation, "isolation", "containment"}, Need{"sc-tm", kOrder, "txn-order", "order-of-two"},
        Need{"sc-tm", kStrongOrder, "txn-order", "order-through-a-thread"},
        Need{"sc-tm", kOrder, "txn-order", "order-across-a-barrier"}, Need{"sc-tm", {}, "opacity", "zombie"},
        Need{"hrf-indirect-tm", kIsolation, "isolation", "lost-update"},
        Need{"hrf-indirect-tm", kStrongIsolation, "isolation", "non-repeatable-read"},
        Need{"hrf-indirect-tm", kOrder, "txn-order", "privatisation"}, Need{"hrf-indirect-tm", {}, "opacity", "zombie"},
        Need{"ptx-tm", kStrongIsolation, "isolation", "containment"},
        Need{"ptx-tm", kStrongOrder, "txn-order", "order-through-a-thread"},
        Need{"ptx-tm", {{"isolation", "strong"}}, "opacity", "non-repeatable-read-then-abort"}));

std::vector<std::string> names_of_axioms(const rules::Rules& rules) {
  std::vector<std::string> names;
  for (const rules::Axiom& axiom : rules.axioms) names.push_back(axiom.name);
  return names;
}

// If an axiom of a model follows from other axioms, `check` skips the axiom.
TEST(ImpliedAxioms, AreThoseOfIsolation) {
  using Names = std::vector<std::string>;
  const auto left = [](const std::string& model, const Options& options) {
    return names_of_axioms(rules::without_implied_axioms(*parser::load_model(model, options).value()));
  };
  EXPECT_EQ(left("sc-tm", {}), (Names{"atomicity", "txn-order", "opacity"}));
  EXPECT_EQ(left("sc-tm", {{"txn-order", "off"}}), (Names{"sc", "atomicity", "isolation", "opacity"}));
  EXPECT_EQ(left("hrf-indirect-tm", {{"isolation", "strong"}}), (Names{"sc", "atomicity", "txn-order", "opacity"}));
  const Names of_ptx = left("ptx-tm", {{"opacity", "off"}});
  EXPECT_FALSE(std::ranges::find(of_ptx, "isolation") != of_ptx.end());
  EXPECT_TRUE(std::ranges::find(of_ptx, "txn-order") != of_ptx.end());
}

TEST(ImpliedAxioms, AllowNoOtherExecution) {
  constexpr events::Questions kCount{.proposition = false, .flags = false, .incidents = false, .count = true};
  for (const std::string model : {"sc-tm", "hrf-indirect-tm", "ptx-tm"}) {
    for (const Options& options : {Options{}, Options{{"isolation", "strong"}}, kOrder}) {
      const auto whole = parser::load_model(model, options).value();
      const rules::Rules fewer = rules::without_implied_axioms(*whole);
      for (const auto& file : test::files_in(test::project() / "litmus/transactions")) {
        if (file.parent_path().filename() == "stm") continue;
        const auto executions = ask(file, *whole, kCount).executions;
        EXPECT_TRUE(executions.has_value()) << file;
        EXPECT_EQ(ask(file, fewer, kCount).executions, executions) << model << " " << file;
      }
    }
  }
}

}  // namespace
}  // namespace ambit
