// A fixed-seed sample of the programs of `./dev fuzz`.
#include <gtest/gtest.h>

#include "parser/parse.h"
#include "tests/differential/compare.h"
#include "tests/differential/random_program.h"
#include "tests/differential/random_ptx.h"
#include "tests/differential/random_transactional.h"

namespace ambit::differential {
namespace {

constexpr std::uint64_t kFirstSeed = 1;
constexpr std::uint64_t kPrograms = 250;

void expect_agreement_on(const std::string& text, const std::shared_ptr<const rules::Rules>& rules,
                         smt::Solver& solver) {
  const auto program = parser::parse_program(std::make_shared<SourceFile>(SourceFile{"sample", text}));
  ASSERT_TRUE(program.ok()) << render(program.errors()) << text;
  const Comparison comparison = compare(program.value(), *rules, solver, 5000);
  EXPECT_EQ(comparison.kind, Comparison::Kind::Agreed) << rules->name << ": " << comparison.what;
}

// A path leads from P0's read to P1's write. Each edge of the path is certain, but one event on the path is a barrier
// that P0 reaches only in some executions.
TEST(Differential, CertainEdgesThroughAConditionalEvent) {
  Models models;
  smt::Solver solver;
  for (const auto& rules : models.pick(1)) {
    expect_agreement_on(R"(CUDA m
{ global int x = 0; }
P0 @ block 0 { int r0 = x; if (r0 != 2) __syncthreads(); }
P1 @ block 0 { __syncthreads(); store(x, 1, relaxed, system); }
P2 @ gpu 1 block 0 { int r0 = fetch_add(x, 1, release, system); }
~exists (P0:r0 != 2)
)",
                        rules, solver);
  }
}

void expect_agreement(std::string (*generate)(std::uint64_t), Programs kind = Programs::Plain,
                      std::uint64_t programs = kPrograms) {
  Models models;
  smt::Solver solver;
  std::size_t agreed = 0;
  std::size_t skipped = 0;
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + programs; ++seed) {
    const std::string text = generate(seed);
    const auto source = std::make_shared<SourceFile>(SourceFile{"random", text});
    const auto program = parser::parse_program(source);
    ASSERT_TRUE(program.ok()) << render(program.errors()) << text;
    for (const auto& rules : models.pick(seed, kind)) {
      const Comparison comparison = compare(program.value(), *rules, solver, 5000);
      EXPECT_NE(comparison.kind, Comparison::Kind::Disagreed)
          << rules->name << ": " << comparison.what << "\nseed " << seed << "\n"
          << text;
      agreed += comparison.kind == Comparison::Kind::Agreed ? 1 : 0;
      skipped += comparison.kind == Comparison::Kind::Skipped ? 1 : 0;
    }
  }
  // Skipped programs were not compared. A sample with mostly skipped programs would prove nothing.
  EXPECT_GE(agreed, 100 * skipped);
}

TEST(Differential, EnginesAgreeOnRandomPrograms) { expect_agreement(random_program); }
TEST(Differential, EnginesAgreeOnRandomPtx) { expect_agreement(random_ptx); }
TEST(Differential, EnginesAgreeOnRandomTransactions) {
  expect_agreement(random_transactional, Programs::Transactional, 100);
}

}  // namespace
}  // namespace ambit::differential
