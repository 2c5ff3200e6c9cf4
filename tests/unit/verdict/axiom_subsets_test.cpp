#include "model/verdict/axiom_subsets.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/parsed.h"

namespace ambit::verdict {
namespace {

using events::Possibility;
using test::program_of;
using test::shipped_model;

struct Case {
  std::string name;
  std::string model;
  std::string text;
};

std::string case_name(const testing::TestParamInfo<Case>& info) { return info.param.name; }

std::shared_ptr<const events::EventGraph> graph_of(const Case& one, const rules::Rules& rules) {
  return std::make_shared<const events::EventGraph>(
      events::build(program_of("CUDA t\n" + one.text), {3, rules.mappings}).value());
}

class Subsets : public testing::TestWithParam<Case> {};

// For every subset of the axioms, compares two methods. The first method is one encoding, in which the axioms of the
// subset are assumptions. The second method enumerates executions of a model that has only these axioms.
TEST_P(Subsets, BothEnginesAgree) {
  const auto rules = shipped_model(GetParam().model);
  const auto graph = graph_of(GetParam(), *rules);
  Context context;
  AxiomSubsets symbolic(graph, rules, Engine::Smt, context);
  AxiomSubsets enumerated(graph, rules, Engine::Explicit, context);
  const AxiomSet end = AxiomSet{1} << rules->axioms.size();
  // Begins with all axioms. If the solver has learned a clause from an axiom, this clause must not affect later queries
  // without the axiom.
  for (AxiomSet set = end; set-- > 0;) {
    const AxiomSubsets::Answer answer = symbolic.query(set);
    EXPECT_EQ(answer.possibility, enumerated.query(set).possibility) << "axioms " << set;
    EXPECT_EQ(answer.witness.has_value(), answer.possibility != Possibility::Impossible) << "axioms " << set;
    if (answer.possibility != Possibility::Impossible) continue;
    // The solver reports the axioms that it has used. These axioms must be in the subset, and they alone must forbid
    // the outcome.
    ASSERT_TRUE(answer.used);
    EXPECT_EQ(*answer.used & ~set, 0U);
    EXPECT_EQ(enumerated.query(*answer.used).possibility, Possibility::Impossible) << "axioms " << *answer.used;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shipped, Subsets,
    testing::Values(Case{"message_passing", "ptx",
                         "{ global int x = 0, f = 0; }\n"
                         "P0 @ block 0 { x = 1; store(f, 1, release, device); }\n"
                         "P1 @ block 1 { int r0 = load(f, acquire, device); int r1 = x; }\n"
                         "exists (P1:r0 == 1 && P1:r1 == 0)\n"},
                    Case{"store_buffering", "cuda-cpp",
                         "{ global int x = 0, y = 0; }\n"
                         "P0 @ block 0 { store(x, 1, relaxed, device); __threadfence(); int r0 = load(y, relaxed, "
                         "device); }\n"
                         "P1 @ block 1 { store(y, 1, relaxed, device); __threadfence(); int r0 = load(x, relaxed, "
                         "device); }\n"
                         "exists (P0:r0 == 0 && P1:r0 == 0)\n"},
                    Case{"ordered_fences", "hrf-relaxed(fence-sc=on)",
                         "{ global int x = 0, y = 0; }\n"
                         "P0 @ block 0 { store(x, 1, relaxed, device); __threadfence(); int r0 = load(y, relaxed, "
                         "device); }\n"
                         "P1 @ block 1 { store(y, 1, relaxed, device); __threadfence(); int r0 = load(x, relaxed, "
                         "device); }\n"
                         "exists (P0:r0 == 0 && P1:r0 == 0)\n"},
                    Case{"four_updates", "sc",  // some learned clauses depend on the axiom atomicity
                         "{ global int x = 0; }\n"
                         "P0 @ block 0 { int r0 = atomicAdd(&x, 1); }\nP1 @ block 1 { int r0 = atomicAdd(&x, 1); }\n"
                         "P2 @ block 2 { int r0 = atomicAdd(&x, 1); }\nP3 @ block 3 { int r0 = atomicAdd(&x, 1); }\n"
                         "exists (x < 4)\n"},
                    Case{"loop", "ptx",  // exceeds the bound if updates can fail without a reason
                         "{ global int x = 0; }\n"
                         "P0 @ block 0 { int seen = 0; int found; do { found = seen; seen = atomicCAS(&x, found, 1); } "
                         "while (seen != found); }\n"
                         "exists (x == 0)\n"},
                    Case{"no_values", "ptx",
                         "{ global int x = 0; }\nP0 @ block 0 { x = 1; }\nP1 @ block 1 { int r0 = x; }\n"
                         "exists (P1:r0 == 2)\n"}),
    case_name);

}  // namespace
}  // namespace ambit::verdict
