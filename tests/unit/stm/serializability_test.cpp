// Compares the transactional memories of kernels/stm with the transactional models. The model must allow every outcome
// of a memory's code. The search is exhaustive: all schedules under sc, and all executions under ptx.
// docs/reference/transactions/memories.md gives the exceptions of each memory.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>

#include "model/verdict/verdict.h"
#include "tests/unit/stm/stm_programs.h"

namespace ambit {
namespace {

using Options = std::map<std::string, std::string>;
using Names = std::set<std::string>;

Outcomes allowed(const ProgramPtr& program, const std::string& model, const Options& options) {
  verdict::CheckOptions queried;
  queried.questions = {.proposition = false, .flags = false, .incidents = false, .outcomes = true};
  Context context;
  context.set_timeout(std::chrono::seconds(60));
  const auto verdict = verdict::Checker().check(program, parser::load_model(model, options).value(), queried, context);
  EXPECT_TRUE(verdict.ok()) << render(verdict.errors());
  EXPECT_FALSE(verdict.value().unknown) << program->name << ": " << verdict.value().unknown_detail;
  const auto& outcomes = verdict.value().answers.outcomes;
  return {outcomes.begin(), outcomes.end()};
}

/// Returns the outcomes of a program in all schedules.
Outcomes shown(const ProgramPtr& program) {
  sim::Options options;
  options.memory = sim::MemoryKind::Sc;
  options.schedule = sim::ScheduleKind::Exhaustive;
  options.max_steps = 1000000;
  Context context;
  const auto simulation = sim::simulate(program, options, context);
  EXPECT_TRUE(simulation.ok()) << render(simulation.errors());
  EXPECT_TRUE(simulation.value().is_exhaustive) << program->name << ": " << simulation.value().why_not;
  Outcomes all;
  for (const auto& [outcome, count] : simulation.value().histogram.outcomes) all.insert(outcome);
  return all;
}

bool includes(const Outcomes& all, const Outcomes& some) { return std::ranges::includes(all, some); }

/// Returns the names of the tests for which the memory shows an outcome that sc-tm forbids.
Names violations_under_sc(Stm stm, std::uint32_t attempts, const Options& options, const Names& left_out = {}) {
  Names names;
  for (const ProgramPtr& test : transaction_tests()) {
    if (left_out.contains(test->name)) continue;
    if (!includes(allowed(test, "sc-tm", options), shown(coded(*test, stm, attempts)))) names.insert(test->name);
  }
  return names;
}

Names violations_under_ptx(Stm stm, std::uint32_t attempts, const Options& options, const Names& only = {},
                           const Names& left_out = {}) {
  Names names;
  for (const ProgramPtr& test : transaction_tests()) {
    if ((!only.empty() && !only.contains(test->name)) || left_out.contains(test->name)) continue;
    const Outcomes possible = allowed(coded(*test, stm, attempts), "ptx", {});
    if (!includes(allowed(test, "ptx-tm", options), possible)) names.insert(test->name);
  }
  return names;
}

const Options kNoOpacity = {{"opacity", "off"}};
// A plain read sees a write of an attempt that is aborted later.
const Names kDirty = {"dirty-read"};
// The outcomes of late-undo and privatisation occur even if a transaction of the reader first makes the data private.
const Names kDirtyAndLate = {"dirty-read", "late-undo", "privatisation"};

// ---- sc: all schedules ----

TEST(StmUnderSc, PstmWithAllAttempts) { EXPECT_EQ(violations_under_sc(Stm::Pstm, 0, {}), kDirty); }

TEST(StmUnderSc, EstmWithAllAttempts) {
  // Four threads would have too many states
  EXPECT_EQ(violations_under_sc(Stm::Estm, 0, {}, {"independent-reads", "two-aborts"}), kDirty);
}

TEST(StmUnderSc, IstmWithThreeAttempts) {
  EXPECT_EQ(violations_under_sc(Stm::Istm, 3, kNoOpacity), kDirtyAndLate);
  const Names zombies = {"dirty-read", "late-undo", "privatisation", "two-aborts", "zombie"};
  EXPECT_EQ(violations_under_sc(Stm::Istm, 3, {}), zombies);
}

// In published ISTM, a transaction can read a value that another transaction undoes. Write skew is also possible.
TEST(StmUnderSc, IstmAsPublishedIsNotSerializable) {
  const Names wrong = {"atomic-and-abort",
                       "dirty-read",
                       "late-undo",
                       "nested-abort",
                       "own-write-then-abort",
                       "privatisation",
                       "read-between-write-and-abort",
                       "write-skew"};
  EXPECT_EQ(violations_under_sc(Stm::IstmAsPublished, 2, kNoOpacity), wrong);
}

// ---- ptx: all executions ----

TEST(StmUnderPtx, PstmWithTwoAttempts) {
  // The test omits one program: one of its three transactions may need more iterations of a wait than the loop bound.
  EXPECT_EQ(violations_under_ptx(Stm::Pstm, 2, {{"boundary", "none"}}, {}, {"order-across-a-barrier"}), kDirty);
  // The commit of PSTM is not a fence.sc.
  EXPECT_EQ(violations_under_ptx(Stm::Pstm, 1, {}, {"store-buffering-across-the-end"}),
            Names{"store-buffering-across-the-end"});
}

TEST(StmUnderPtx, IstmWithTwoAttempts) { EXPECT_EQ(violations_under_ptx(Stm::Istm, 2, kNoOpacity), kDirtyAndLate); }

TEST(StmUnderPtx, EstmWithOneAttempt) {
  const Names small = {"write-skew", "publication", "containment", "transaction-and-plain-read",
                       "own-write-then-abort"};
  EXPECT_EQ(violations_under_ptx(Stm::Estm, 1, {{"boundary", "none"}}, small), Names{});
}

}  // namespace
}  // namespace ambit
