#include <gtest/gtest.h>

#include <set>
#include <string>

#include "parser/parse.h"
#include "runner/sim/simulate.h"
#include "runner/sim/transaction_locks.h"

namespace ambit::sim {
namespace {

std::shared_ptr<const Program> program_of(const std::string& p0, const std::string& p1, const std::string& condition) {
  const std::string text = "CUDA t\n{ global int x = 0, y = 0; }\nP0 @ block 0 { int r0 = 0; " + p0 +
                           " }\nP1 @ block 1 { int r1 = 0; " + p1 + " }\nexists (" + condition + ")\n";
  auto program = parser::parse_program(std::make_shared<const SourceFile>(SourceFile{"t.litmus", text}));
  EXPECT_TRUE(program.ok()) << render(program.errors());
  return program.value();
}

using Outcomes = std::set<std::vector<Value>>;

Outcomes outcomes(const std::shared_ptr<const Program>& program, Options options = {}) {
  options.memory = MemoryKind::Sc;
  options.schedule = ScheduleKind::Exhaustive;
  Context context;
  const auto simulation = simulate(program, options, context);
  EXPECT_TRUE(simulation.ok()) << render(simulation.errors());
  EXPECT_TRUE(simulation.value().is_exhaustive) << simulation.value().why_not;
  Outcomes all;
  for (const auto& [outcome, count] : simulation.value().histogram.outcomes) all.insert(outcome);
  return all;
}

TEST(SimulatedTransactions, WhoCommitsMakesTheOtherBeginAgain) {
  const auto program = program_of("atomic { r0 = x; x = r0 + 1; }", "atomic { r1 = x; x = r1 + 1; }",
                                  "x == 0 && P0:r0 == 0 && P1:r1 == 0");
  for (const std::vector<Value>& outcome : outcomes(program)) {
    EXPECT_EQ(outcome.at(0), 2) << "x";
    EXPECT_EQ(outcome.at(1) + outcome.at(2), 1) << "one of them has read 0, the other 1";
  }
}

TEST(SimulatedTransactions, AWriteOutsideIsAConflictToo) {
  const auto program = program_of("atomic { r0 = x; r0 = r0 * 2 + x; }", "x = 1;", "P0:r0 == 0");
  EXPECT_EQ(outcomes(program), (Outcomes{{0}, {3}}));
}

TEST(SimulatedTransactions, NobodySeesAnOpenTransaction) {
  const auto program = program_of("atomic { x = 1; x = 2; }", "r1 = x;", "P1:r1 == 0");
  EXPECT_EQ(outcomes(program), (Outcomes{{0}, {2}}));
}

TEST(SimulatedTransactions, AnAbortKeepsRegistersOnly) {
  const auto program = program_of("atomic { x = 7; r0 = x; abort; }", "r1 = x;", "x == 0 && P0:r0 == 0 && P1:r1 == 0");
  EXPECT_EQ(outcomes(program), (Outcomes{{0, 7, 0}}));
}

TEST(SimulatedTransactions, LockstepAndTheMemoryOfAGpuRefuse) {
  const auto program = program_of("atomic { x = 1; }", "", "x == 0");
  Context context;
  EXPECT_FALSE(simulate(program, {.memory = MemoryKind::Gpu}, context).ok());
  EXPECT_FALSE(simulate(program, {.memory = MemoryKind::Sc, .warps = WarpKind::Lockstep}, context).ok());
}

TEST(TransactionLocks, ATransactionIsACriticalSectionOfItsScope) {
  const auto program = program_of("if (y == 0) { atomic(block) { x = 1; } } y = 2;", "atomic { r1 = x; }", "x == 0");
  const auto locked = with_locks_for_transactions(program);
  ASSERT_TRUE(locked.ok());
  EXPECT_FALSE(locked.value()->first_transaction().has_value());
  std::vector<std::pair<LockRole, Scope>> roles;
  for (const Thread& thread : locked.value()->threads) {
    for (const Instruction& instruction : thread.code) {
      const auto* rmw = std::get_if<Rmw>(&instruction.operation);
      if (rmw != nullptr) roles.emplace_back(rmw->lock, rmw->access.scope);
    }
  }
  EXPECT_EQ(roles, (std::vector<std::pair<LockRole, Scope>>{{LockRole::Acquire, Scope::Block},
                                                            {LockRole::Release, Scope::Block},
                                                            {LockRole::Acquire, Scope::Device},
                                                            {LockRole::Release, Scope::Device}}));
  EXPECT_EQ(outcomes(locked.value()), outcomes(program)) << "jumps lead where they led";
}

TEST(TransactionLocks, AnAbortIsAnError) {
  const auto locked = with_locks_for_transactions(program_of("atomic { x = 1; abort; }", "", "x == 0"));
  ASSERT_FALSE(locked.ok());
  EXPECT_EQ(locked.errors().front().message, "traces have no transactions that can abort");
}

}  // namespace
}  // namespace ambit::sim
