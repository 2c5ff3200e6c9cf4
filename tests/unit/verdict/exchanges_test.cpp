// Tests communication between threads: shuffles, votes, reductions, and barriers that count.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "model/verdict/bound.h"
#include "model/verdict/verdict.h"
#include "runner/sim/simulate.h"
#include "tests/support/parsed.h"

namespace ambit::verdict {
namespace {

using events::Possibility;
using testing::HasSubstr;

/// Returns a program with four lanes of one warp. Thread i has lane number i.
std::string four_lanes(const std::string& body, const std::string& condition) {
  return fmt::format(
      "CUDA lanes\n{{ global int x = 0, y = 0; }}\n__global__ void k(int *out) {{\n  int t = threadIdx.x;\n{}\n}}\n"
      "launch k<<<1, 4>>>(out[4]);\n{}\n",
      body, condition);
}

Verdict check(const std::string& text, Engine engine, const std::string& model = "ptx") {
  Checker checker;
  Context context;
  CheckOptions options;
  options.engine = engine;
  Result<Verdict> verdict = checker.check(test::program_of(text), test::shipped_model(model), options, context);
  EXPECT_TRUE(verdict.ok()) << (verdict.ok() ? "" : render(verdict.errors()));
  return std::move(verdict).value();
}

struct Row {
  std::string call;
  /// The expected value of each lane, from the sections on warp functions in the CUDA C++ Programming Guide.
  std::array<int, 4> expected;
};

class Calls : public testing::TestWithParam<Row> {};

TEST_P(Calls, BothEnginesComputeEachLanesResult) {
  const auto& [call, expected] = GetParam();
  const std::string condition = fmt::format("forall (out[0] == {} && out[1] == {} && out[2] == {} && out[3] == {})",
                                            expected[0], expected[1], expected[2], expected[3]);
  const std::string text = four_lanes(fmt::format("  out[t] = {};", call), condition);
  for (const Engine engine : {Engine::Explicit, Engine::Smt}) {
    const Verdict verdict = check(text, engine);
    EXPECT_EQ(verdict.frequency, Frequency::Always) << call;
    EXPECT_EQ(verdict.race, Possibility::Impossible) << call;
  }
  Context context;
  sim::Options runs;
  runs.runs = 20;
  const auto simulation = sim::simulate(test::program_of(text), runs, context);
  ASSERT_TRUE(simulation.ok());
  const auto& outcomes = simulation.value().histogram.outcomes;
  ASSERT_EQ(outcomes.size(), 1U) << call;
  EXPECT_EQ(outcomes.begin()->first, (std::vector<Value>(expected.begin(), expected.end()))) << call;
}

INSTANTIATE_TEST_SUITE_P(
    Exchanges, Calls,
    testing::Values(
        Row{"__shfl_sync(0xf, 10 * t, 2)", {20, 20, 20, 20}}, Row{"__shfl_sync(0xf, 10 * t, 5, 4)", {10, 10, 10, 10}},
        Row{"__shfl_sync(0xf, 10 * t, t + 1, 2)", {10, 0, 30, 20}},
        Row{"__shfl_up_sync(0xf, 10 * t, 1)", {0, 0, 10, 20}}, Row{"__shfl_up_sync(0xf, 10 * t, 1, 2)", {0, 0, 20, 20}},
        Row{"__shfl_down_sync(0xf, 10 * t, 2, 4)", {20, 30, 20, 30}},
        Row{"__shfl_xor_sync(0xf, 10 * t, 3)", {30, 20, 10, 0}}, Row{"__any_sync(0xf, t == 3)", {1, 1, 1, 1}},
        Row{"__any_sync(0xf, t == 4)", {0, 0, 0, 0}}, Row{"__all_sync(0xf, t < 4)", {1, 1, 1, 1}},
        Row{"__all_sync(0xf, t < 3)", {0, 0, 0, 0}}, Row{"__ballot_sync(0xf, t % 2)", {10, 10, 10, 10}},
        Row{"__popc(__ballot_sync(0xf, t > 0))", {3, 3, 3, 3}}, Row{"__match_any_sync(0xf, t / 2)", {3, 3, 12, 12}},
        Row{"__reduce_add_sync(0xf, t)", {6, 6, 6, 6}}, Row{"__reduce_min_sync(0xf, t - 2)", {-2, -2, -2, -2}},
        Row{"__reduce_max_sync(0xf, t - 2)", {1, 1, 1, 1}}, Row{"__reduce_and_sync(0xfu, t | 4u)", {4, 4, 4, 4}},
        Row{"__reduce_or_sync(0xfu, (unsigned)t)", {3, 3, 3, 3}},
        Row{"__reduce_xor_sync(0xfu, (unsigned)t)", {0, 0, 0, 0}}, Row{"__syncthreads_count(t != 2)", {3, 3, 3, 3}},
        Row{"__syncthreads_and(t < 4)", {1, 1, 1, 1}}, Row{"__syncthreads_and(t)", {0, 0, 0, 0}},
        Row{"__syncthreads_or(t == 2)", {1, 1, 1, 1}}));

/// A vote has the same result in all lanes, even if the lanes have read different values.
TEST(Exchanges, AVoteKeepsLanesTogether) {
  const std::string body =
      "  int seen = load(x, relaxed, device);\n  if (t == 0) store(x, 1, relaxed, device);\n  if ({}) "
      "__syncthreads();\n  out[t] = 1;";
  for (const Engine engine : {Engine::Explicit, Engine::Smt}) {
    const Verdict together = check(four_lanes(fmt::format(fmt::runtime(body), "__any_sync(0xf, seen)"), ""), engine);
    EXPECT_EQ(incident_possibility(together, events::Incident::Kind::BarrierDivergence), Possibility::Impossible);
    const Verdict alone = check(four_lanes(fmt::format(fmt::runtime(body), "seen"), ""), engine);
    EXPECT_EQ(incident_possibility(alone, events::Incident::Kind::BarrierDivergence), Possibility::Possible);
  }
}

/// The result of a shuffle depends on the source lane's read. So its value cannot come out of thin air.
TEST(Exchanges, NoValueComesOutOfThinAir) {
  const std::string body =
      "  int seen = 0;\n  if (t == 0) seen = load(x, relaxed, device);\n"
      "  int told = __shfl_sync(0xf, seen, 0);\n  if (t == 1) store(x, told + 1, relaxed, device);\n"
      "  if (t == 0) out[0] = seen;";
  for (const Engine engine : {Engine::Explicit, Engine::Smt}) {
    EXPECT_EQ(check(four_lanes(body, "exists (out[0] != 0)"), engine).frequency, Frequency::Never);
  }
}

/// Lane 3 would read from lane 4, which does not exist. So its value is undefined, but this matters only if the thread
/// uses the value.
TEST(Exchanges, UndefinedValuesMayBeUnobservedData) {
  const std::string sum =
      "  int v = t;\n  for (int d = 2; d > 0; d /= 2) v += __shfl_down_sync(0xf, v, d);\n  out[t] = v;";
  const Verdict first = check(four_lanes(sum, "forall (out[0] == 6)"), Engine::Auto);
  EXPECT_EQ(first.frequency, Frequency::Always);
  EXPECT_EQ(first.race, Possibility::Impossible);
  const Verdict last = check(four_lanes(sum, "forall (out[3] == 6)"), Engine::Auto);
  EXPECT_EQ(last.unknown, UnknownReason::Unsupported);
  EXPECT_THAT(last.unknown_detail, HasSubstr("the value that b0t"));
  const Verdict branch = check(four_lanes(sum + "\n  if (v == 3) y = 1;", "forall (out[0] == 6)"), Engine::Auto);
  EXPECT_EQ(branch.unknown, UnknownReason::Unsupported);
}

/// If the mask is not constant, it is unknown which lanes participate. So results are opaque; races are still found.
TEST(Exchanges, UnknownMasksAreNotFollowed) {
  const std::string body = "  unsigned m = load(x, relaxed, device);\n  int v = __shfl_sync(m, t, 0);\n  y = v;";
  const Verdict verdict = check(four_lanes(body, ""), Engine::Auto);
  EXPECT_EQ(verdict.race, Possibility::Possible);
  EXPECT_EQ(check(four_lanes(body, "exists (y == 0)"), Engine::Auto).unknown, UnknownReason::Opaque);
}

}  // namespace
}  // namespace ambit::verdict
