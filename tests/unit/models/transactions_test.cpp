// Each axiom of the models of transactions is needed: without it a test of litmus/transactions has another verdict.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "model/eval/enumerate.h"
#include "parser/parse.h"
#include "tests/support/files.h"

namespace ambit {
namespace {

using Options = std::map<std::string, std::string>;

struct Need {
  std::string model;
  Options options;
  std::string axiom;
  std::string test;  ///< of litmus/transactions: its proposition holds in no execution, but in one without the axiom
};

void PrintTo(const Need& need, std::ostream* out) { *out << need.model << " " << need.axiom << " " << need.test; }

class TransactionAxioms : public testing::TestWithParam<Need> {};

/// The proposition holds in some execution that the rules allow.
events::Possibility holds(const std::string& test, const rules::Rules& rules) {
  const auto path = test::project() / "litmus/transactions" / (test + ".litmus");
  const auto source = std::make_shared<const SourceFile>(SourceFile{path.string(), test::contents(path)});
  const auto program = parser::parse_program(source);
  if (!program.ok()) {
    ADD_FAILURE() << render(program.errors());
    return events::Possibility::Unknown;
  }
  const auto graph = events::build(program.value(), {.mappings = rules.mappings});
  if (!graph.ok()) {
    ADD_FAILURE() << render(graph.errors());
    return events::Possibility::Unknown;
  }
  Context context;
  return eval::enumerate(graph.value(), rules, {.flags = false}, context).holds.possibility;
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
        Need{"sc-tm", kStrongOrder, "txn-order", "order-through-a-thread"}, Need{"sc-tm", {}, "opacity", "zombie"},
        Need{"hrf-indirect-tm", kIsolation, "isolation", "lost-update"},
        Need{"hrf-indirect-tm", kStrongIsolation, "isolation", "non-repeatable-read"},
        Need{"hrf-indirect-tm", kOrder, "txn-order", "privatisation"}, Need{"hrf-indirect-tm", {}, "opacity", "zombie"},
        Need{"ptx-tm", kStrongIsolation, "isolation", "containment"},
        Need{"ptx-tm", kStrongOrder, "txn-order", "order-through-a-thread"},
        Need{"ptx-tm", {{"isolation", "strong"}}, "opacity", "non-repeatable-read-then-abort"}));

}  // namespace
}  // namespace ambit
