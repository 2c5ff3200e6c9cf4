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
  EXPECT_EQ(locked.errors().front().message, "the memory of a GPU has no transactions that can abort");
}

/// The operations of the runs' traces, "P0 begin", each run once.
std::set<std::string> traced(const std::shared_ptr<const Program>& program) {
  Options options;
  options.memory = MemoryKind::Sc;
  options.schedule = ScheduleKind::Exhaustive;
  Context context;
  std::set<std::string> all;
  const auto simulation = simulate(program, options, context, [&](const Run& run) {
    std::string text;
    for (const TraceEvent& event : run.trace.events) {
      const bool is_access = event.op == TraceOp::Read || event.op == TraceOp::Write;
      if (is_access) text += (event.op == TraceOp::Read ? "r" : "w") + std::to_string(event.value);
      if (event.op == TraceOp::TransactionBegin) text += " " + run.trace.tables.threads()[event.thread].name + "(";
      if (event.op == TraceOp::TransactionCommit) text += ")";
      if (event.op == TraceOp::TransactionAbort) text += "!";
    }
    all.insert(text);
    return true;
  });
  EXPECT_TRUE(simulation.ok()) << render(simulation.errors());
  return all;
}

// An attempt stands where it ends. One that a conflict ends has read, and has written nothing.
TEST(TransactionTraces, HoldEveryAttempt) {
  const auto program = program_of("atomic { r0 = x; x = r0 + 1; }", "atomic { x = 5; }", "x == 0");
  const std::set<std::string> runs = {" P0(r0w1) P1(w5)", " P1(w5) P0(r5w6)", " P1(w5) P0(r0! P0(r5w6)",
                                      " P0(r0w1) P1(! P1(w5)"};
  EXPECT_EQ(traced(program), runs);
}

TEST(TransactionTraces, AnAbortWritesNothing) {
  const auto program = program_of("atomic { x = 7; abort; }", "r1 = x;", "x == 0");
  EXPECT_EQ(traced(program), (std::set<std::string>{" P0(!r0", "r0 P0(!"}));
}

}  // namespace
}  // namespace ambit::sim
