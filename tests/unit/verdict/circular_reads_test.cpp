// Tests the order in which the explicit engine chooses, for each read, the write that it reads from.
#include <gtest/gtest.h>

#include <string>

#include "model/verdict/verdict.h"
#include "tests/support/parsed.h"

namespace ambit::verdict {
namespace {

struct Checked {
  Verdict verdict;
  double candidates = 0;
};

Checked check(const std::string& text, const std::shared_ptr<const rules::Rules>& rules, Engine engine,
              unsigned unroll) {
  Checker checker;
  Context context;
  CheckOptions options;
  options.engine = engine;
  options.unroll = unroll;
  Result<Verdict> verdict = checker.check(test::program_of(text), rules, options, context);
  EXPECT_TRUE(verdict.ok());
  return {std::move(verdict).value(), context.statistics.values["explicit.candidates"]};
}

/// Each of two threads writes only if it reads the other thread's value.
const std::string kTwoBranches =
    "CUDA branches\n{ global int x = 0, y = 0; }\n"
    "P0 @ block 0 { int r = load(x, relaxed, device); if (r == 1) store(y, 1, relaxed, device); }\n"
    "P1 @ block 1 { int s = load(y, relaxed, device); if (s == 1) store(x, 1, relaxed, device); }\n"
    "exists (P0:r == 1 && P1:s == 1)\n";

TEST(CircularReads, AModelWithoutControlDependenciesAllowsThem) {
  const auto rules = test::model_of("\"free\"\nacyclic po & loc | rf | co | fr as coherence\n");
  for (const Engine engine : {Engine::Explicit, Engine::Smt}) {
    EXPECT_EQ(check(kTwoBranches, rules, engine, 3).verdict.frequency, Frequency::Sometimes) << to_string(engine);
  }
}

TEST(CircularReads, ModelsForbidThem) {
  for (const char* model : {"ptx", "cuda-cpp", "ptx-6.0", "sc"}) {
    const Checked explicitly = check(kTwoBranches, test::shipped_model(model), Engine::Explicit, 3);
    EXPECT_EQ(explicitly.verdict.frequency, Frequency::Never) << model;
    EXPECT_EQ(explicitly.candidates, 1) << model;  // in the only candidate, both threads read 0
  }
}

TEST(CircularReads, AlsoAfterABarrier) {
  // The barrier completes only if P0 arrives. So P1's store after the barrier depends on P0's read, but no dependency
  // relation contains this pair of events.
  const std::string text =
      "CUDA barrier\n{ global int x = 0; }\n"
      "P0 @ block 0 { int r = load(x, relaxed, device); if (r == 1) __barrier(1, 2); }\n"
      "P1 @ block 0 { __barrier(1, 2); store(x, 1, relaxed, device); }\nexists (P0:r == 1)\n";
  const auto rules = test::shipped_model("ptx");
  EXPECT_EQ(check(text, rules, Engine::Explicit, 3).verdict.frequency,
            check(text, rules, Engine::Smt, 3).verdict.frequency);
}

TEST(CircularReads, NoValueOfACompareExchangeIsGuessed) {
  const std::string text =
      "CUDA increments\n{ global int x = 0; }\n__global__ void k() {\n  int old = load(x, relaxed, device);\n"
      "  int seen = atomicCAS(&x, old, old + 1);\n"
      "  while (seen != old) { old = seen; seen = atomicCAS(&x, old, old + 1); }\n}\nlaunch k<<<3, 1>>>();\n"
      "forall (x == 3)\n";
  for (const char* model : {"ptx", "sc"}) {
    const Checked explicitly = check(text, test::shipped_model(model), Engine::Explicit, 3);
    EXPECT_EQ(explicitly.verdict.frequency, Frequency::Always) << model;
    EXPECT_LT(explicitly.candidates, 500) << model;  // guessing values of reads would give millions of candidates
  }
}

}  // namespace
}  // namespace ambit::verdict
