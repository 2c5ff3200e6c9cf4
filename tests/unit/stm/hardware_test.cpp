// The transactional memory of the simulator, with both ways of finding conflicts.

#include <gtest/gtest.h>

#include "tests/unit/stm/stm_programs.h"

namespace ambit {
namespace {

Outcomes shown_with(sim::ConflictKind conflicts, const ProgramPtr& program) {
  sim::Options options;
  options.memory = sim::MemoryKind::Sc;
  options.schedule = sim::ScheduleKind::Exhaustive;
  options.conflicts = conflicts;
  Context context;
  const auto simulation = sim::simulate(program, options, context);
  EXPECT_TRUE(simulation.value().is_exhaustive) << program->name << ": " << simulation.value().why_not;
  Outcomes all;
  for (const auto& [outcome, count] : simulation.value().histogram.outcomes) all.insert(outcome);
  return all;
}

// The lazy form shows exactly what sc-tm(isolation=strong) allows (tests/simulator).
TEST(HardwareTransactions, EagerAndLazyConflictsHaveTheSameOutcomes) {
  for (const ProgramPtr& test : transaction_tests()) {
    EXPECT_EQ(shown_with(sim::ConflictKind::Eager, test), shown_with(sim::ConflictKind::Lazy, test)) << test->name;
  }
}

// Who asks begins again, and the other one goes on: threads that step in turns come to an end.
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
