// Tests the explicit engine with symmetry reduction. If executions differ only by an exchange of equal threads or
// blocks, the engine enumerates one of these executions.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "model/eval/enumerate.h"
#include "model/eval/evaluator.h"
#include "model/rules/base_terms.h"
#include "tests/support/parsed.h"

namespace ambit::verdict {
namespace {

struct Enumerated {
  events::Answers answers;
  double candidates = 0;
};

std::set<std::pair<events::EventId, events::EventId>> pairs_of(const events::Answers& answers) {
  std::set<std::pair<events::EventId, events::EventId>> pairs;
  for (const events::FlagAnswer& flag : answers.flags) {
    for (const events::FlaggedPair& pair : flag.pairs) pairs.emplace(pair.first, pair.second);
  }
  return pairs;
}

class SymmetricEnumeration : public testing::TestWithParam<std::string> {
 protected:
  Enumerated enumerate(const std::string& model, bool uses_symmetry) {
    const auto rules = test::shipped_model(model);
    const auto graph = events::build(test::program_of(GetParam()), {.mappings = rules->mappings});
    EXPECT_TRUE(graph.ok());
    events::Questions questions;
    questions.outcomes = true;
    Context context;
    events::Symmetry symmetry;
    if (uses_symmetry) {
      const rules::BaseTerms terms = rules::base_terms(*rules);
      const auto looked = events::looked_at(terms.sets, terms.relations, *graph.value().program, questions);
      symmetry = events::Symmetry::find(graph.value(), looked, context);
      EXPECT_FALSE(symmetry.is_trivial());
    }
    Enumerated result{eval::enumerate(graph.value(), *rules, questions, context, std::nullopt, symmetry)};
    for (const events::FlagAnswer& flag : result.answers.flags) {
      for (const events::FlaggedPair& pair : flag.pairs) {
        EXPECT_EQ(eval::find_flaw(graph.value(), *rules, *pair.witness), std::nullopt);
      }
    }
    result.candidates = context.statistics.values["explicit.candidates"];
    return result;
  }
};

TEST_P(SymmetricEnumeration, AnswersAreThoseWithoutSymmetry) {
  for (const char* model : {"ptx", "cuda-cpp", "sc"}) {
    const Enumerated all = enumerate(model, false);
    const Enumerated some = enumerate(model, true);
    ASSERT_FALSE(all.answers.unknown) << model;
    ASSERT_FALSE(some.answers.unknown) << model;
    EXPECT_EQ(all.answers.outcomes, some.answers.outcomes) << model;
    EXPECT_EQ(pairs_of(all.answers), pairs_of(some.answers)) << model;
    EXPECT_EQ(all.answers.bound.possibility, some.answers.bound.possibility) << model;
    EXPECT_EQ(all.answers.holds.possibility, some.answers.holds.possibility) << model;
    EXPECT_EQ(all.answers.fails.possibility, some.answers.fails.possibility) << model;
    EXPECT_LT(some.candidates, all.candidates) << model;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, SymmetricEnumeration,
    testing::Values(
        // Each thread increments x by compare-exchanges in a loop.
        "CUDA loop\n{ global int x = 0; }\n__global__ void k() {\n  int old = load(x, relaxed, device);\n"
        "  int seen = atomicCAS(&x, old, old + 1);\n"
        "  while (seen != old) { old = seen; seen = atomicCAS(&x, old, old + 1); }\n}\nlaunch k<<<3, 1>>>();\n"
        "exists (x == 3)\n",
        // Each thread writes a different cell. The other threads race with this write.
        "CUDA own\n{ global int x = 0; }\n__global__ void k(int *c) {\n  c[threadIdx.x] = 1;\n  atomicAdd(&x, 1);\n"
        "  int r = c[(threadIdx.x + 1) % 2];\n}\nlaunch k<<<1, 2>>>(c[2]);\nexists (x == 2)\n",
        // Blocks of two threads can also be exchanged.
        "CUDA blocks\n{ global int x = 0; }\n__global__ void k(int *c) {\n  atomicAdd_block(&c[blockIdx.x], 1);\n"
        "  int r = load(x, relaxed, device);\n  if (r == 0) x = 1;\n}\nlaunch k<<<2, 2>>>(c[2]);\nexists (c[0] == 2)\n",
        // A lock: a loop that waits.
        "CUDA lock\n{ global int m = 0, d = 0; }\n__global__ void k() {\n  lock(m, device);\n  d = d + 1;\n"
        "  unlock(m, device);\n}\nlaunch k<<<3, 1>>>();\nforall (d == 3)\n"));

}  // namespace
}  // namespace ambit::verdict
