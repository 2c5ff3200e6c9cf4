#include <gtest/gtest.h>

#include <set>
#include <string>

#include "parser/parse.h"
#include "runner/sim/simulate.h"

namespace ambit::sim {
namespace {

std::shared_ptr<const Program> parsed(const std::string& text) {
  auto program = parser::parse_program(std::make_shared<const SourceFile>(SourceFile{"t.litmus", text}));
  EXPECT_TRUE(program.ok()) << render(program.errors());
  return program.value();
}

std::shared_ptr<const Program> program_of(const std::string& p0, const std::string& p1, const std::string& condition) {
  const std::string text = "CUDA t\n{ global int x = 0, y = 0; }\nP0 @ block 0 { int r0 = 0; " + p0 +
                           " }\nP1 @ block 1 { int r1 = 0; " + p1 + " }\nexists (" + condition + ")\n";
  return parsed(text);
}

/// Returns a program with one warp. All lanes of the warp run the same kernel.
std::shared_ptr<const Program> warp_of(int lanes, const std::string& body, const std::string& condition) {
  return parsed("CUDA t\n__device__ int x = 0, y = 0;\n__global__ void kmain(int *data) {\n" + body +
                "\n}\nlaunch kmain<<<1, " + std::to_string(lanes) + ">>>(data[4]);\nexists (" + condition + ")\n");
}

using Outcomes = std::set<std::vector<Value>>;

Outcomes outcomes(const std::shared_ptr<const Program>& program, Options options = {.memory = MemoryKind::Sc}) {
  options.schedule = ScheduleKind::Exhaustive;
  Context context;
  const auto simulation = simulate(program, options, context);
  EXPECT_TRUE(simulation.ok()) << render(simulation.errors());
  EXPECT_TRUE(simulation.value().is_exhaustive) << simulation.value().why_not;
  EXPECT_EQ(simulation.value().histogram.deadlocks, 0U);
  Outcomes all;
  for (const auto& [outcome, count] : simulation.value().histogram.outcomes) all.insert(outcome);
  return all;
}

TEST(SimulatedTransactions, ACommitRestartsTheOtherTransaction) {
  const auto program = program_of("atomic { r0 = x; x = r0 + 1; }", "atomic { r1 = x; x = r1 + 1; }",
                                  "x == 0 && P0:r0 == 0 && P1:r1 == 0");
  for (const std::vector<Value>& outcome : outcomes(program)) {
    EXPECT_EQ(outcome.at(0), 2) << "x";
    EXPECT_EQ(outcome.at(1) + outcome.at(2), 1) << "one lane has read 0, and the other lane has read 1";
  }
}

TEST(SimulatedTransactions, AWriteOutsideIsAConflictToo) {
  const auto program = program_of("atomic { r0 = x; r0 = r0 * 2 + x; }", "x = 1;", "P0:r0 == 0");
  EXPECT_EQ(outcomes(program), (Outcomes{{0}, {3}}));
}

TEST(SimulatedTransactions, OpenTransactionsAreInvisible) {
  const auto program = program_of("atomic { x = 1; x = 2; }", "r1 = x;", "P1:r1 == 0");
  EXPECT_EQ(outcomes(program), (Outcomes{{0}, {2}}));
}

TEST(SimulatedTransactions, AnAbortKeepsRegistersOnly) {
  const auto program = program_of("atomic { x = 7; r0 = x; abort; }", "r1 = x;", "x == 0 && P0:r0 == 0 && P1:r1 == 0");
  EXPECT_EQ(outcomes(program), (Outcomes{{0, 7, 0}}));
}

constexpr Options kLockstep{.memory = MemoryKind::Sc, .warps = WarpKind::Lockstep};
constexpr Options kEagerLockstep{
    .memory = MemoryKind::Sc, .warps = WarpKind::Lockstep, .conflicts = ConflictKind::Eager};

TEST(LockstepTransactions, LanesThatConflictAllCommit) {
  const auto program = warp_of(3, "atomic { int r = x; x = r + 1; } data[threadIdx.x] = 1;", "x == 0");
  EXPECT_EQ(outcomes(program, kLockstep), (Outcomes{{3}}));
  EXPECT_EQ(outcomes(program, kEagerLockstep), (Outcomes{{3}}));
}

// With locks, each of the two lanes of a warp would wait for the other lane. With transactions, a lane whose attempt
// fails is masked, and tries again later.
TEST(LockstepTransactions, OppositeOrdersOfAccessesEnd) {
  const auto program = warp_of(2,
                               "if (threadIdx.x == 0) { atomic { int r = x; y = r + 1; } }\n"
                               "else { atomic { int r = y; x = r + 1; } }",
                               "x == 0 && y == 0");
  EXPECT_EQ(outcomes(program, kLockstep), (Outcomes{{1, 2}, {2, 1}}));
  EXPECT_EQ(outcomes(program, kEagerLockstep), (Outcomes{{1, 2}, {2, 1}}));
}

// If a lane's attempt fails, the lane tries again, and the other lanes wait. No lane runs the code after the
// transaction until all lanes have completed the transaction.
TEST(LockstepTransactions, TheWarpGoesOnWhenAllLanesHaveEnded) {
  const auto program =
      warp_of(2, "atomic { int r = x; x = r + 1; } int s = x; data[threadIdx.x] = s;", "data[0] == 0 && data[1] == 0");
  EXPECT_EQ(outcomes(program, kLockstep), (Outcomes{{2, 2}}));
  EXPECT_EQ(outcomes(program, kEagerLockstep), (Outcomes{{2, 2}}));
  EXPECT_TRUE(outcomes(program).contains({1, 2})) << "one independent lane may overtake the other";
}

TEST(LockstepTransactions, BranchesAndAbortsInside) {
  const auto program =
      warp_of(2, "atomic { int r = x; if (threadIdx.x == r) { y = y + 1; x = 1; } else { abort; } }", "y == 0");
  // Lane 0 can commit immediately. Lane 1 can commit only after lane 0.
  EXPECT_EQ(outcomes(program, kLockstep), outcomes(program));
  // Before lane 0 writes x, both lanes have read x. So lane 0 starts its attempt again. Lane 1 has read 0, so it
  // executes its abort.
  EXPECT_EQ(outcomes(program, kEagerLockstep), (Outcomes{{1}}));
}

// Two warps increment together. After a conflict between the warps, lanes of both warps start again.
TEST(LockstepTransactions, WarpsThatConflict) {
  const auto program = parsed(
      "CUDA t\n__device__ int x = 0;\n__global__ void kmain(int *data) { atomic { int r = x; x = r + 1; } }\n"
      "launch kmain<<<2, 2>>>(data[1]);\nexists (x == 0)\n");
  EXPECT_EQ(outcomes(program, kLockstep), (Outcomes{{4}}));
  EXPECT_EQ(outcomes(program, kEagerLockstep), (Outcomes{{4}}));
}

constexpr Options kGpu{.memory = MemoryKind::Gpu};
constexpr Options kEagerGpu{.memory = MemoryKind::Gpu, .conflicts = ConflictKind::Eager};

// A transaction of device scope commits in the L2, so other blocks see its writes.
TEST(TransactionsOfAGpu, NoUpdateIsLostBetweenBlocks) {
  const auto program = program_of("atomic { r0 = x; x = r0 + 1; }", "atomic { r1 = x; x = r1 + 1; }", "x == 0");
  EXPECT_EQ(outcomes(program, kGpu), (Outcomes{{2}}));
  EXPECT_EQ(outcomes(program, kEagerGpu), (Outcomes{{2}}));
}

// A transaction of block scope commits in its block's L1. So transactions of two blocks do not conflict, and an update
// can be lost.
TEST(TransactionsOfAGpu, BlockScopeEndsInTheL1) {
  const auto apart =
      program_of("atomic(block) { r0 = x; x = r0 + 1; }", "atomic(block) { r1 = x; x = r1 + 1; }", "x == 0");
  EXPECT_EQ(outcomes(apart, kGpu), (Outcomes{{1}, {2}}));
  const auto together = parsed(
      "CUDA t\n{ global int x = 0; }\nP0 @ block 0 { int r0 = 0; atomic(block) { r0 = x; x = r0 + 1; } }\n"
      "P1 @ block 0 { int r1 = 0; atomic(block) { r1 = x; x = r1 + 1; } }\nexists (x == 0)\n");
  EXPECT_EQ(outcomes(together, kGpu), (Outcomes{{2}}));
}

// A plain store conflicts with a transaction when the stored value reaches the memory from which the transaction reads.
TEST(TransactionsOfAGpu, AStoreThatArrivesIsAConflict) {
  const auto program = program_of("atomic { r0 = x; r0 = r0 * 2 + x; }", "x = 1;", "P0:r0 == 0");
  EXPECT_EQ(outcomes(program, kGpu), (Outcomes{{0}, {3}}));
}

// A plain read may return an old value from the L1 of its block, even if a transaction has already committed a new
// value in the L2.
TEST(TransactionsOfAGpu, PlainReadsAreNotCoherent) {
  const auto program = program_of("atomic { x = 1; y = 1; }", "r1 = x; r1 = r1 * 2 + y;", "P1:r1 == 0");
  EXPECT_EQ(outcomes(program, kGpu), (Outcomes{{0}, {1}, {2}, {3}}));
}

TEST(TransactionsOfAGpu, AnAccessOfAWiderScopeIsAnError) {
  const auto program = program_of("atomic { fetch_add(x, 1, relaxed, system); }", "", "x == 0");
  Context context;
  const auto simulation = simulate(program, kGpu, context);
  ASSERT_FALSE(simulation.ok());
  EXPECT_EQ(
      simulation.errors().front().message,
      "the simulated memory of a GPU does not support an access of system scope in a transaction of device scope");
}

/// Returns the operations in the traces of all runs, such as "P0 begin". Lists each distinct run once.
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

// An attempt enters the trace when the attempt ends. If it fails because of a conflict, it has reads but no writes.
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
