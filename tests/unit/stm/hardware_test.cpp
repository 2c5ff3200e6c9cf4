// Tests the simulator's transactional memory with both kinds of conflict detection: eager and lazy.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "model/verdict/verdict.h"
#include "tests/unit/stm/stm_programs.h"

namespace ambit {
namespace {

Outcomes shown_with(sim::Options options, const ProgramPtr& program) {
  options.schedule = sim::ScheduleKind::Exhaustive;
  Context context;
  const auto simulation = sim::simulate(program, options, context);
  EXPECT_TRUE(simulation.value().is_exhaustive) << program->name << ": " << simulation.value().why_not;
  Outcomes all;
  for (const auto& [outcome, count] : simulation.value().histogram.outcomes) all.insert(outcome);
  return all;
}

// With lazy conflict detection, the outcomes are exactly those that sc-tm(isolation=strong) allows (tests/simulator).
TEST(HardwareTransactions, EagerAndLazyConflictsHaveTheSameOutcomes) {
  for (const ProgramPtr& test : transaction_tests()) {
    const sim::Options lazy{.memory = sim::MemoryKind::Sc, .conflicts = sim::ConflictKind::Lazy};
    const sim::Options eager{.memory = sim::MemoryKind::Sc, .conflicts = sim::ConflictKind::Eager};
    EXPECT_EQ(shown_with(eager, test), shown_with(lazy, test)) << test->name;
  }
}

/// Returns the outcomes that a model allows.
Outcomes allowed_by(const std::string& model, const std::map<std::string, std::string>& options,
                    const ProgramPtr& program) {
  verdict::Checker checker;
  verdict::CheckOptions questions;
  questions.questions.outcomes = true;
  Context context;
  const auto verdict = checker.check(program, parser::load_model(model, options).value(), questions, context);
  EXPECT_FALSE(verdict.value().unknown) << program->name;
  const auto& outcomes = verdict.value().answers.outcomes;
  return {outcomes.begin(), outcomes.end()};
}

void expect_within(const Outcomes& shown, const Outcomes& allowed, const std::string& what) {
  EXPECT_TRUE(std::ranges::includes(allowed, shown)) << what;
  EXPECT_FALSE(shown.empty()) << what;
}

// With strong isolation, the model ptx-tm allows the outcomes of the gpu memory.
TEST(HardwareTransactions, TheMemoryOfAGpuKeepsToPtx) {
  for (const ProgramPtr& test : transaction_tests()) {
    const Outcomes allowed = allowed_by("ptx-tm", {{"isolation", "strong"}}, test);
    for (const sim::ConflictKind conflicts : {sim::ConflictKind::Lazy, sim::ConflictKind::Eager}) {
      sim::Options options;
      options.conflicts = conflicts;
      expect_within(shown_with(options, test), allowed, test->name);
    }
  }
}

/// Returns the test with all its threads in one warp.
ProgramPtr in_one_warp(const Program& test) {
  auto program = std::make_shared<Program>(test);
  int lane = 0;
  for (Thread& thread : program->threads) thread.place = {.lane = lane++};
  return program;
}

bool has_barrier(const Program& program) {
  return std::ranges::any_of(program.threads, [](const Thread& thread) {
    return std::ranges::any_of(thread.code, [](const Instruction& instruction) {
      return std::holds_alternative<Barrier>(instruction.operation);
    });
  });
}

// Lanes in lockstep have fewer schedules than independent threads, so lockstep adds no outcomes. Lanes with different
// code run different sides of a branch, so at a barrier, a lane would wait forever for another lane. The test omits
// programs with barriers.
TEST(HardwareTransactions, LanesInLockstepKeepToTheModels) {
  for (const ProgramPtr& test : transaction_tests()) {
    if (has_barrier(*test)) continue;
    const ProgramPtr warp = in_one_warp(*test);
    const Outcomes sc = allowed_by("sc-tm", {{"isolation", "strong"}}, warp);
    const Outcomes ptx = allowed_by("ptx-tm", {{"isolation", "strong"}}, warp);
    for (const sim::ConflictKind conflicts : {sim::ConflictKind::Lazy, sim::ConflictKind::Eager}) {
      sim::Options options;
      options.warps = sim::WarpKind::Lockstep;
      options.conflicts = conflicts;
      expect_within(shown_with(options, warp), ptx, test->name + " gpu");
      options.memory = sim::MemoryKind::Sc;
      expect_within(shown_with(options, warp), sc, test->name + " sc");
    }
  }
}

// In a conflict, the transaction that makes the access starts again, and the other transaction continues. So if threads
// take turns, there is no livelock.
TEST(HardwareTransactions, EagerConflictsEndInTurns) {
  sim::Options options;
  options.memory = sim::MemoryKind::Sc;
  options.schedule = sim::ScheduleKind::RoundRobin;
  options.conflicts = sim::ConflictKind::Eager;
  options.runs = 1;
  Context context;
  const auto simulation = sim::simulate(transaction_test("lost-update"), options, context);
  ASSERT_EQ(simulation.value().histogram.outcomes.size(), 1U);
  EXPECT_EQ(simulation.value().histogram.outcomes.begin()->first, std::vector<Value>{2});
}

}  // namespace
}  // namespace ambit
