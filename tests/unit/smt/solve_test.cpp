#include "model/smt/solve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>

#include "model/eval/evaluator.h"
#include "parser/parse.h"
#include "tests/support/models.h"
#include "tests/support/parsed.h"
#include "tests/support/programs.h"

namespace ambit::smt {
namespace {

using eval::testing::equal_all;
using eval::testing::ModelBuilder;
using eval::testing::ProgramBuilder;
using events::Possibility;
using Wanted = std::vector<std::pair<std::string, Value>>;

events::EventGraph graph_of(const ProgramBuilder& builder, const Wanted& wanted, bool as_fences = false) {
  const std::shared_ptr<Program> program = builder.program();
  program->condition.quantifier = Quantifier::Exists;
  program->condition.proposition = equal_all(*program, wanted);
  events::GraphOptions options;
  options.mappings.seq_cst_as_fences = as_fences;
  return events::build(program, options).value();
}

ProgramBuilder store_buffering(int threads, bool fenced) {
  std::vector<std::string> locations;
  for (int i = 0; i < threads; ++i) locations.push_back("x" + std::to_string(i));
  ProgramBuilder p(locations);
  for (int i = 0; i < threads; ++i) {
    p.thread().store("x" + std::to_string(i), 1, Order::Relaxed, Scope::Device);
    if (fenced) p.fence();
    p.load("r0", "x" + std::to_string((i + 1) % threads), Order::Relaxed, Scope::Device);
  }
  return p;
}

Wanted all_zero(int threads) {
  Wanted result;
  for (int i = 0; i < threads; ++i) result.emplace_back("P" + std::to_string(i) + ":r0", 0);
  return result;
}

ProgramBuilder counters(int threads) {
  ProgramBuilder p({"x"});
  for (int i = 0; i < threads; ++i) p.thread().rmw("r0", RmwOp::Add, "x", 1);
  return p;
}

/// Returns a program in which each thread increments x by a load and a store. So increments can be lost.
ProgramBuilder losing_counters(int threads) {
  ProgramBuilder p({"x"});
  for (int i = 0; i < threads; ++i) {
    p.thread().load("r0", "x", Order::Relaxed, Scope::Device).store_register("x", "r0", 1);
  }
  return p;
}

events::Answers solve(const events::EventGraph& graph, const rules::Rules& rules,
                      const events::Questions& questions = {}) {
  Solver solver;
  Context context;
  return solver.solve(graph, rules, questions, context);
}

rules::Rules shipped(const std::string& name) { return *parser::load_model(name).value(); }

TEST(Solve, StoreBufferingIsForbiddenByFencesOnly) {
  const rules::Rules ptx = shipped("ptx");
  for (const int threads : {2, 5, 10}) {
    EXPECT_EQ(solve(graph_of(store_buffering(threads, false), all_zero(threads)), ptx).holds.possibility,
              Possibility::Possible);
    const events::Answers fenced = solve(graph_of(store_buffering(threads, true), all_zero(threads)), ptx);
    EXPECT_EQ(fenced.holds.possibility, Possibility::Impossible);
    EXPECT_EQ(fenced.fails.possibility, Possibility::Possible);
  }
}

// If there are several executions, the solver chooses one. The choice must not depend on problems that the solver has
// solved earlier on the same thread.
TEST(Solve, WitnessesDoNotDependOnProblemsBefore) {
  const rules::Rules ptx = shipped("ptx");
  const std::vector<events::EventGraph> before = {graph_of(counters(5), {{"x", 4}}),
                                                  graph_of(store_buffering(10, true), all_zero(10))};
  for (const int threads : {3, 4, 5, 6}) {
    const events::EventGraph graph = graph_of(counters(threads), {{"x", threads}});
    Context context;
    Solver fresh;
    const events::Answers expected = fresh.solve(graph, ptx, {}, context);
    Solver used;
    for (const events::EventGraph& other : before) used.solve(other, ptx, {}, context);
    const events::Answers answers = used.solve(graph, ptx, {}, context);
    EXPECT_EQ(answers.holds.witness.value().reads_from, expected.holds.witness.value().reads_from) << threads;
  }
}

TEST(Solve, CountersCount) {
  const events::EventGraph graph = graph_of(counters(8), {{"x", 8}});
  const events::Answers ptx = solve(graph, shipped("ptx"));
  EXPECT_EQ(ptx.holds.possibility, Possibility::Possible);
  EXPECT_EQ(ptx.fails.possibility, Possibility::Impossible);
  const events::Answers free = solve(graph_of(counters(4), {{"x", 1}}), eval::testing::nothing().rules);
  EXPECT_EQ(free.holds.possibility, Possibility::Possible);
  EXPECT_EQ(eval::find_flaw(graph_of(counters(4), {{"x", 1}}), eval::testing::nothing().rules, *free.holds.witness),
            std::nullopt);
}

// Without fences, the reads of a ring of 14 threads are independent, so all 2^14 combinations are possible. With
// fences, not all threads can read 0. So a ring of three threads has 7 combinations.
TEST(Solve, OutcomesOfRings) {
  const rules::Rules ptx = shipped("ptx");
  events::Questions questions;
  questions.outcomes = true;
  ProgramBuilder wide = store_buffering(14, false);
  EXPECT_EQ(solve(graph_of(wide, {}), ptx, questions).outcomes.size(), 16384U);
  ProgramBuilder three = store_buffering(3, true);
  EXPECT_EQ(solve(graph_of(three, {}), ptx, questions).outcomes.size(), 7U);
}

// The number of combinations, 2^23, is above the limit of 2^22. The list contains only 24 outcomes: one outcome, and 23
// outcomes that each differ from the first in one read.
TEST(Solve, TooManyOutcomesAreNotNone) {
  events::Questions questions;
  questions.outcomes = true;
  const events::Answers answers = solve(graph_of(store_buffering(23, false), {}), shipped("ptx"), questions);
  EXPECT_EQ(answers.unknown, UnknownReason::Unsupported);
  EXPECT_EQ(answers.outcomes.size(), 24U);
  EXPECT_TRUE(std::is_sorted(answers.outcomes.begin(), answers.outcomes.end()));
}

// The first thread that runs its exchange does not store. The stores of the other two threads race. Which two threads
// race depends on the execution.
TEST(Solve, OneRaceForTwoPlacesUnlessEveryPairIsRequested) {
  const auto program = test::program_of(R"(CUDA t
__device__ int x;
__device__ int z;
__global__ void k(int *x, int *z) {
  if (atomicExch(x, 1) != 0) *z = 1;
}
launch k<<<1, 3>>>(&x, &z);
)");
  const events::EventGraph graph = events::build(program, {}).value();
  const rules::Rules ptx = shipped("ptx");
  events::Questions questions;
  questions.proposition = false;
  const events::FlagAnswer one = solve(graph, ptx, questions).flags.front();
  questions.every_pair = true;
  const events::FlagAnswer every = solve(graph, ptx, questions).flags.front();
  EXPECT_EQ(every.pairs.size(), 3U);
  EXPECT_TRUE(every.unchecked.empty());
  EXPECT_GE(one.pairs.size(), 1U);
  EXPECT_FALSE(one.unchecked.empty());
  EXPECT_EQ(one.pairs.size() + one.unchecked.size(), 3U);
}

// X = [W];po | X;po in a positive place. The least solution has only pairs from a write to a later event of its thread.
// The equation also has larger solutions, but the flag on X must report only the pairs of the least solution.
TEST(Solve, LeastFixedPointsInPositivePlaces) {
  ModelBuilder m;
  const auto x = m.variable("x", 0);
  const auto both_ways = m.any(m.co(), m.inverse(m.co()));  // its cycles allow larger solutions
  m.body(x, m.any(m.both(m.rf(), m.complement(m.rf())), m.sequence(x, both_ways)));
  m.flag_not_empty(x);
  ProgramBuilder p({"x"});
  p.thread().store("x", 1).thread().store("x", 2);
  const events::Answers answers = solve(graph_of(p, {}), m.rules);
  EXPECT_EQ(answers.any.possibility, Possibility::Possible);
  EXPECT_EQ(answers.flags[0].possibility, Possibility::Impossible);
}

TEST(Solve, StopsAtTheTimeout) {
  Solver solver;
  Context context;
  context.set_timeout(std::chrono::milliseconds(50));
  const events::EventGraph graph = graph_of(losing_counters(40), {{"x", 40}});
  const auto start = std::chrono::steady_clock::now();
  const events::Answers answers = solver.solve(graph, shipped("ptx"), {}, context);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_EQ(answers.unknown, UnknownReason::Timeout);
  EXPECT_EQ(answers.fails.possibility, Possibility::Unknown);
  EXPECT_FALSE(answers.unknown_detail.empty());
  // The solver still answers the next question.
  Context fresh;
  EXPECT_EQ(solver.solve(graph_of(store_buffering(2, true), all_zero(2)), shipped("ptx"), {}, fresh).holds.possibility,
            Possibility::Impossible);
}

TEST(Solve, StopsWhenInterrupted) {
  std::atomic<bool> cancelled = false;
  Solver solver;
  Context context;
  context.set_cancellation(&cancelled);
  std::thread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    cancelled = true;
  });
  const events::Answers answers = solver.solve(graph_of(losing_counters(40), {{"x", 40}}), shipped("ptx"), {}, context);
  user.join();
  EXPECT_EQ(answers.unknown, UnknownReason::Interrupted);
}

TEST(Solve, TooManyValues) {
  ProgramBuilder p({"x", "y"});
  for (int t = 0; t < 14; ++t) {  // the values of x are all sums of different powers of two
    p.thread().rmw("r0", RmwOp::Add, "x", Value{1} << t);
  }
  const events::Answers answers = solve(graph_of(p, {{"x", 3}}), shipped("ptx"));
  EXPECT_EQ(answers.unknown, UnknownReason::Values);
  EXPECT_EQ(answers.any.possibility, Possibility::Unknown);
}

TEST(Solve, CountsAndDumpsQueries) {
  const std::filesystem::path directory = std::filesystem::path(::testing::TempDir()) / "ambit-smt-dump";
  std::filesystem::remove_all(directory);
  std::filesystem::create_directories(directory);
  Solver solver;
  Context context;
  context.dump_directory = directory.string();
  solver.solve(graph_of(store_buffering(2, true), all_zero(2)), shipped("ptx"), {}, context);
  const double queries = context.statistics.values["smt.queries"];
  EXPECT_GT(queries, 0);
  EXPECT_GT(context.statistics.values["smt.clauses"], 0);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    EXPECT_EQ(entry.path().extension(), ".smt2");
    ++files;
  }
  EXPECT_EQ(static_cast<double>(files), queries);
  EXPECT_FALSE(context.statistics.values.contains("smt.queries_not_written"));
}

TEST(Solve, CountsQueriesThatCannotBeWritten) {
  Solver solver;
  Context context;
  context.dump_directory = ::testing::TempDir() + "ambit-no-such-folder";
  solver.solve(graph_of(store_buffering(2, true), all_zero(2)), shipped("ptx"), {}, context);
  EXPECT_GT(context.statistics.values["smt.queries"], 0);
  EXPECT_EQ(context.statistics.values["smt.queries_not_written"], context.statistics.values["smt.queries"]);
}

}  // namespace
}  // namespace ambit::smt
