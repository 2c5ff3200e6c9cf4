#include "model/eval/enumerate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/eval/evaluator.h"
#include "tests/support/models.h"
#include "tests/support/programs.h"

namespace ambit::eval {
namespace {

using events::Answers;
using events::EventGraph;
using events::Outcome;
using events::Possibility;
using events::Questions;
using testing::coherence_only;
using ::testing::ElementsAre;
using testing::equal_all;
using testing::interleaving;
using ::testing::IsEmpty;
using testing::ModelBuilder;
using testing::nothing;
using testing::ProgramBuilder;
using testing::sequential_consistency;

Questions everything() {
  Questions questions;
  questions.outcomes = true;
  questions.count = true;
  return questions;
}

/// Returns the answers to all questions, and checks every witness.
Answers ask(const EventGraph& graph, const ModelBuilder& model, const Questions& questions = everything()) {
  Context context;
  Answers answers = enumerate(graph, model.rules, questions, context);
  const auto inspect = [&](const std::optional<events::Execution>& witness) {
    if (!witness) return;
    EXPECT_EQ(find_flaw(graph, model.rules, *witness), std::nullopt);
  };
  inspect(answers.any.witness);
  inspect(answers.holds.witness);
  inspect(answers.fails.witness);
  for (const auto& flag : answers.flags) {
    for (const auto& pair : flag.pairs) inspect(*pair.witness);
  }
  return answers;
}
Answers ask(const ProgramBuilder& program, const ModelBuilder& model) { return ask(program.graph(), model); }

ProgramBuilder message_passing() {
  ProgramBuilder p({"x", "y"});
  p.thread().store("x", 1).store("y", 1);
  p.thread().load("r0", "y").load("r1", "x");
  return p;
}

ProgramBuilder store_buffering() {
  ProgramBuilder p({"x", "y"});
  p.thread().store("x", 1).load("r0", "y");
  p.thread().store("y", 1).load("r0", "x");
  return p;
}

ProgramBuilder iriw() {
  ProgramBuilder p({"x", "y"});
  p.thread().store("x", 1);
  p.thread().store("y", 1);
  p.thread().load("r0", "x").load("r1", "y");
  p.thread().load("r0", "y").load("r1", "x");
  return p;
}

// In the outcomes below, the registers come first, in thread order, then x and y.

TEST(Enumerate, MessagePassing) {
  EXPECT_EQ(ask(message_passing(), coherence_only()).executions, 4U);
  const Answers sc = ask(message_passing(), sequential_consistency());
  EXPECT_EQ(sc.executions, 3U);
  EXPECT_THAT(sc.outcomes, ElementsAre(Outcome{0, 0, 1, 1}, Outcome{0, 1, 1, 1}, Outcome{1, 1, 1, 1}));
}

TEST(Enumerate, StoreBufferingHasThreeInterleavedOutcomes) {
  EXPECT_EQ(ask(store_buffering(), coherence_only()).executions, 4U);
  const Answers sc = ask(store_buffering(), sequential_consistency());
  EXPECT_EQ(sc.executions, 3U);
  EXPECT_THAT(sc.outcomes, ElementsAre(Outcome{0, 1, 1, 1}, Outcome{1, 0, 1, 1}, Outcome{1, 1, 1, 1}));
}

TEST(Enumerate, IriwLosesOneOutcomeToSequentialConsistency) {
  EXPECT_EQ(ask(iriw(), coherence_only()).executions, 16U);
  EXPECT_EQ(ask(iriw(), sequential_consistency()).executions, 15U);
}

TEST(Enumerate, CoherentReads) {
  ProgramBuilder p({"x"});
  p.thread().store("x", 1);
  p.thread().load("r0", "x").load("r1", "x");
  EXPECT_EQ(ask(p, nothing()).executions, 4U);
  EXPECT_THAT(ask(p, coherence_only()).outcomes, ElementsAre(Outcome{0, 0, 1}, Outcome{0, 1, 1}, Outcome{1, 1, 1}));
}

TEST(Enumerate, TwoPlusTwoWrites) {
  ProgramBuilder p({"x", "y"});
  p.thread().store("x", 1).store("y", 2);
  p.thread().store("y", 1).store("x", 2);
  EXPECT_EQ(ask(p, nothing()).executions, 4U);
  EXPECT_EQ(ask(p, coherence_only()).executions, 4U);
  const Answers sc = ask(p, sequential_consistency());
  EXPECT_EQ(sc.executions, 3U);
  EXPECT_THAT(sc.outcomes, ElementsAre(Outcome{1, 2}, Outcome{2, 1}, Outcome{2, 2}));
}

// Three threads write one location. There are 3! coherence orders and three outcomes.
TEST(Enumerate, CoherenceOrdersAreCounted) {
  ProgramBuilder p({"x"});
  for (Value v = 1; v <= 3; ++v) p.thread().store("x", v);
  const Answers answers = ask(p, coherence_only());
  EXPECT_EQ(answers.executions, 6U);
  EXPECT_THAT(answers.outcomes, ElementsAre(Outcome{1}, Outcome{2}, Outcome{3}));
}

TEST(Enumerate, AtomicAddsLoseNoUpdate) {
  ProgramBuilder p({"x"});
  p.thread().rmw("r0", RmwOp::Add, "x", 1);
  p.thread().rmw("r0", RmwOp::Add, "x", 1);
  const Answers sc = ask(p, sequential_consistency());
  EXPECT_EQ(sc.executions, 2U);
  EXPECT_THAT(sc.outcomes, ElementsAre(Outcome{0, 1, 2}, Outcome{1, 0, 2}));
  // Without axioms, both threads may read the initial 0, with either of two coherence orders. A thread may also read
  // the other thread's write, again with either coherence order.
  const Answers free = ask(p, nothing());
  EXPECT_EQ(free.executions, 6U);
  EXPECT_THAT(free.outcomes,
              ElementsAre(Outcome{0, 0, 1}, Outcome{0, 1, 1}, Outcome{0, 1, 2}, Outcome{1, 0, 1}, Outcome{1, 0, 2}));
}

// n increments by atomicAdd have n! orders, and one final value.
TEST(Enumerate, FourAtomicAdds) {
  ProgramBuilder p({"x"});
  for (int i = 0; i < 4; ++i) p.thread().rmw("r0", RmwOp::Add, "x", 1);
  const Answers answers = ask(p, coherence_only());
  EXPECT_EQ(answers.executions, 24U);
  for (const Outcome& outcome : answers.outcomes) EXPECT_EQ(outcome.back(), 4);
}

TEST(Enumerate, FailedCompareExchangeWritesNothing) {
  ProgramBuilder p({"x"});
  p.thread().rmw("r0", RmwOp::CompareExchange, "x", 1, 0);
  p.thread().rmw("r0", RmwOp::CompareExchange, "x", 2, 0);
  const Answers answers = ask(p, sequential_consistency());
  EXPECT_THAT(answers.outcomes, ElementsAre(Outcome{0, 1, 1}, Outcome{2, 0, 2}));
  EXPECT_EQ(answers.executions, 2U);
}

TEST(Enumerate, SpinLoopEndsWithTheValueItWaitsFor) {
  ProgramBuilder p({"x", "y"});
  p.thread().store("x", 1).store("y", 1, Order::Relaxed);
  p.thread().spin_until("y", 1).load("r0", "x");
  EXPECT_THAT(ask(p, sequential_consistency()).outcomes, ElementsAre(Outcome{1, 1, 1}));
  EXPECT_THAT(ask(p, coherence_only()).outcomes, ElementsAre(Outcome{0, 1, 1}, Outcome{1, 1, 1}));
}

TEST(Enumerate, UnsatisfiedAwaitHasNoExecution) {
  ProgramBuilder p({"x"});
  p.thread().spin_until("x", 1);
  const Answers answers = ask(p, coherence_only());
  EXPECT_EQ(answers.any.possibility, Possibility::Impossible);
  EXPECT_EQ(answers.executions, 0U);
}

TEST(Enumerate, ConditionalWrite) {
  ProgramBuilder p({"x", "y"});
  p.thread().store("x", 1);
  p.thread().load("r0", "x").if_equal("r0", 1, 1).store("y", 1);
  EXPECT_THAT(ask(p, coherence_only()).outcomes, ElementsAre(Outcome{0, 1, 0}, Outcome{1, 1, 1}));
}

// Load buffering with data dependencies: the value 1 would come out of thin air, so it is impossible even in a model
// without axioms. With control dependencies, the model decides whether 1 is possible.
TEST(Enumerate, ValuesAreGrounded) {
  ProgramBuilder data({"x", "y"});
  data.thread().load("r0", "x").store_register("y", "r0");
  data.thread().load("r0", "y").store_register("x", "r0");
  EXPECT_THAT(ask(data, nothing()).outcomes, ElementsAre(Outcome{0, 0, 0, 0}));
  EXPECT_EQ(ask(data, nothing()).executions,
            3U);  // the candidate in which each thread reads the other's write is excluded: its values form a cycle

  ProgramBuilder control({"x", "y"});
  control.thread().load("r0", "x").if_equal("r0", 1, 1).store("y", 1);
  control.thread().load("r0", "y").if_equal("r0", 1, 1).store("x", 1);
  EXPECT_THAT(ask(control, nothing()).outcomes, ElementsAre(Outcome{0, 0, 0, 0}, Outcome{1, 1, 1, 1}));
  EXPECT_THAT(ask(control, sequential_consistency()).outcomes, ElementsAre(Outcome{0, 0, 0, 0}));
}

// Two threads run x = x + 1, so x goes from 0 to 1 to 2. A larger value would need a write that depends on itself.
TEST(Enumerate, GrowingValuesStop) {
  ProgramBuilder p({"x"});
  p.thread().load("r0", "x").store_register("x", "r0", 1);
  p.thread().load("r0", "x").store_register("x", "r0", 1);
  const Answers answers = ask(p, sequential_consistency());
  EXPECT_THAT(answers.outcomes, ElementsAre(Outcome{0, 0, 1}, Outcome{0, 1, 2}, Outcome{1, 0, 2}));
}

TEST(Enumerate, AssumeLeavesExecutionsOut) {
  ProgramBuilder p({"x"});
  p.thread().store("x", 1);
  p.thread().load("r0", "x").assume_equal("r0", 1);
  EXPECT_THAT(ask(p, coherence_only()).outcomes, ElementsAre(Outcome{1, 1}));
}

TEST(Enumerate, FilterLeavesExecutionsOut) {
  auto program = message_passing().program();
  program->condition.filter = equal_all(*program, {{"P1:r0", 1}});
  const EventGraph graph = events::build(program, {}).value();
  EXPECT_EQ(ask(graph, coherence_only()).executions, 2U);
}

TEST(Enumerate, PropositionHoldsAndFails) {
  auto program = message_passing().program();
  program->condition.quantifier = Quantifier::Exists;
  program->condition.proposition = equal_all(*program, {{"P1:r0", 1}, {"P1:r1", 0}});
  const EventGraph graph = events::build(program, {}).value();
  Questions only_proposition;
  only_proposition.flags = false;
  const Answers weak = ask(graph, coherence_only(), only_proposition);
  EXPECT_EQ(weak.holds.possibility, Possibility::Possible);
  EXPECT_EQ(weak.fails.possibility, Possibility::Possible);
  const Answers sc = ask(graph, sequential_consistency(), only_proposition);
  EXPECT_EQ(sc.holds.possibility, Possibility::Impossible);
  EXPECT_EQ(sc.holds.witness, std::nullopt);
  EXPECT_EQ(sc.fails.possibility, Possibility::Possible);
}

TEST(Enumerate, FlagsEveryPairOnce) {
  const EventGraph graph = message_passing().graph();
  const Answers answers = ask(graph, sequential_consistency());
  ASSERT_EQ(answers.flags.size(), 1U);
  EXPECT_EQ(answers.flags[0].possibility, Possibility::Possible);
  // Events: 0 and 1 are initial; 2 W x; 3 W y; 4 R y; 5 R x. If R y returns 0, W y and R y are unordered. Then W x and
  // R x are also unordered.
  std::vector<std::pair<unsigned, unsigned>> pairs;
  for (const auto& pair : answers.flags[0].pairs) pairs.emplace_back(pair.first, pair.second);
  EXPECT_THAT(pairs, ElementsAre(std::pair(2U, 5U), std::pair(3U, 4U)));
}

TEST(Enumerate, DeclaredOrderIsChosenOncePerExecution) {
  EXPECT_EQ(ask(message_passing(), interleaving()).executions, 3U);
  EXPECT_EQ(ask(store_buffering(), interleaving()).executions, 3U);
  EXPECT_EQ(ask(iriw(), interleaving()).executions, 15U);
}

// Store buffering with a fence.sc between the accesses of each thread. From-reads must not contradict the total order
// of the fences, so the two reads cannot both return 0.
TEST(Enumerate, OrderOfFences) {
  ProgramBuilder p({"x", "y"});
  p.thread().store("x", 1).fence().load("r0", "y");
  p.thread().store("y", 1).fence().load("r0", "x");
  ModelBuilder m = coherence_only();
  const auto fences = m.order_on(m.set(BaseSet::Fence), "fso");
  m.irreflexive(m.sequence(m.sequence(m.sequence(m.fr(), m.po()), fences), m.po()), "fence");
  EXPECT_EQ(ask(p, m).executions, 3U);
  EXPECT_EQ(ask(p, coherence_only()).executions, 4U);
}

TEST(Enumerate, CountIsAbsentUnlessRequested) {
  Questions questions;
  EXPECT_EQ(ask(message_passing().graph(), coherence_only(), questions).executions, std::nullopt);
  EXPECT_THAT(ask(message_passing().graph(), coherence_only(), questions).outcomes, IsEmpty());
}

// do { r0 = x; x = r0 + 1; } while (r0 != 9) needs ten iterations, but the bound is three. The other thread waits for a
// store after the loop. No execution within the bound reaches this store, but the part of the execution up to the bound
// counts.
TEST(Enumerate, LoopBoundIsReported) {
  ProgramBuilder p({"x", "y"});
  p.thread().load("r0", "x").store_register("x", "r0", 1);
  p.statement(Branch{Expr::make(Op::NotEqual, kInt, {Expr::make_register(p.reg("r0")), Expr::make_constant(9)}), 0});
  p.store("y", 1);
  const Answers alone = ask(p, coherence_only());
  EXPECT_EQ(alone.bound.possibility, Possibility::Possible);
  EXPECT_EQ(alone.any.possibility, Possibility::Impossible);
  p.thread().spin_until("y", 1);
  EXPECT_EQ(ask(p, coherence_only()).bound.possibility, Possibility::Possible);
}

TEST(Enumerate, BoundIsImpossibleWithoutLoops) {
  EXPECT_EQ(ask(message_passing(), coherence_only()).bound.possibility, Possibility::Impossible);
}

TEST(Enumerate, FailedAssertionIsAnIncident) {
  ProgramBuilder p({"x"});
  p.thread().store("x", 1);
  p.thread().load("r0", "x").load("r1", "x");
  const auto equal = Expr::make(Op::Equal, kInt, {Expr::make_register(p.reg("r0")), Expr::make_register(p.reg("r1"))});
  p.statement(Assert{equal});
  const Answers answers = ask(p, coherence_only());
  ASSERT_EQ(answers.incidents.size(), 1U);
  EXPECT_EQ(answers.incidents[0].possibility, Possibility::Possible);  // r0 = 0, r1 = 1
  ModelBuilder no_reads_from_threads = coherence_only();
  auto& m = no_reads_from_threads;
  m.empty(m.without(m.rf(), m.product(m.set(BaseSet::InitialWrite), m.set(BaseSet::Universe))));
  EXPECT_EQ(ask(p, m).incidents[0].possibility, Possibility::Impossible);
}

// The model uses its declared order only between blocks. So the order of two events of one block does not matter.
TEST(Enumerate, MaskedOrder) {
  ProgramBuilder p({"x", "y"});
  p.thread(0).store("x", 1).fence().load("r0", "y");
  p.thread(0).store("y", 1).fence().load("r0", "x");
  for (const bool same_block : {false, true}) {
    ModelBuilder m = coherence_only();
    const auto order = m.order_on(m.set(BaseSet::Fence), "fso");
    const auto block = m.base(BaseRelation::SameBlock);
    const auto seen = m.both(order, same_block ? block : m.complement(block));
    m.irreflexive(m.sequence(m.sequence(m.sequence(m.fr(), m.po()), seen), m.po()), "fence");
    EXPECT_EQ(ask(p, m).executions, same_block ? 3U : 4U);
  }
}

// The order of the fences must not form a cycle around the ring. So the only forbidden outcome is the outcome in which
// all reads return 0.
TEST(Enumerate, RingOfFences) {
  constexpr int kThreads = 5;
  std::vector<std::string> names;
  for (int i = 0; i < kThreads; ++i) names.push_back("x" + std::to_string(i));
  ProgramBuilder p(names);
  for (int i = 0; i < kThreads; ++i) {
    p.thread().store(names[static_cast<std::size_t>(i)], 1).fence();
    p.load("r0", names[static_cast<std::size_t>((i + 1) % kThreads)]);
  }
  ModelBuilder m = coherence_only();
  const auto order = m.order_on(m.set(BaseSet::Fence), "fso");
  m.irreflexive(m.sequence(m.sequence(m.sequence(m.fr(), m.po()), order), m.po()), "fence");
  EXPECT_EQ(ask(p, m).outcomes.size(), (1U << kThreads) - 1);
}

TEST(Enumerate, TooManyValues) {
  ProgramBuilder p({"x"});
  p.thread();
  for (Value v = 1; v <= 60; ++v) p.store("x", v * v * 1000);
  p.thread().load("r0", "x");
  p.load("r1", "x");
  Expr sum = Expr::make(Op::Add, kInt, {Expr::make_register(p.reg("r0")), Expr::make_register(p.reg("r1"))});
  Expr more = Expr::make(Op::Add, kInt, {sum, sum});
  Store store;
  store.access.address = Expr::make_constant(make_address(0, 0), kLongLong);
  store.access.type = kInt;
  store.value = more;
  p.statement(store);
  const Answers answers = ask(p, coherence_only());
  EXPECT_EQ(answers.unknown, UnknownReason::Values);
  EXPECT_EQ(answers.any.possibility, Possibility::Unknown);
  EXPECT_EQ(answers.bound.possibility, Possibility::Unknown);
}

TEST(Enumerate, StopsWhenCancelled) {
  const std::atomic<bool> cancelled = true;
  Context context;
  context.set_cancellation(&cancelled);
  const EventGraph graph = iriw().graph();
  const Answers answers = enumerate(graph, coherence_only().rules, everything(), context);
  EXPECT_EQ(answers.unknown, UnknownReason::Interrupted);
  EXPECT_FALSE(answers.unknown_detail.empty());
  EXPECT_EQ(answers.any.possibility, Possibility::Unknown);
  EXPECT_EQ(answers.executions, std::nullopt);
}

TEST(Enumerate, StopsAfterItsSteps) {
  Context context;
  const EventGraph graph = iriw().graph();
  const Answers few = enumerate(graph, coherence_only().rules, everything(), context, 1);
  EXPECT_EQ(few.unknown, UnknownReason::Timeout);
  EXPECT_EQ(few.executions, std::nullopt);
  // Four reads with two values each give 16 candidates. The enumerator finds them in at most 100 steps.
  const Answers all = enumerate(graph, coherence_only().rules, everything(), context, 100);
  EXPECT_EQ(all.unknown, std::nullopt);
  EXPECT_EQ(all.executions, 16U);
}

// The values take longer to find than a call of the solver, so with a limit on steps the enumerator gives up.
TEST(Enumerate, LimitedStepsAvoidManyValues) {
  ProgramBuilder p({"x", "y"});
  p.thread().store("x", 1).store("x", 2).store("x", 3);
  p.thread();
  Expr sum = Expr::make_constant(0, kInt);
  for (const char* name : {"r0", "r1", "r2", "r3"}) {  // 4 values each, 256 sums
    p.load(name, "x");
    sum = Expr::make(Op::Add, kInt,
                     {Expr::make(Op::Multiply, kInt, {std::move(sum), Expr::make_constant(10, kInt)}),
                      Expr::make_register(p.reg(name))});
  }
  Store store;
  store.access.address = Expr::make_constant(make_address(1, 0), kLongLong);
  store.access.type = kInt;
  store.value = std::move(sum);
  p.statement(store);
  p.thread().load("r0", "y");
  const EventGraph graph = p.graph();
  Context context;
  const Answers limited = enumerate(graph, coherence_only().rules, everything(), context, 1'000'000);
  EXPECT_EQ(limited.unknown, UnknownReason::Values);
  EXPECT_EQ(limited.unknown_detail, "a read can return more than 128 different values");
  const Answers whole = enumerate(graph, coherence_only().rules, everything(), context);
  EXPECT_EQ(whole.unknown, std::nullopt);
  // The values read from x never decrease, so there are 35 sequences. The read of y comes before or after the store.
  EXPECT_EQ(whole.outcomes.size(), 35U * 2 - 1);
}

TEST(Enumerate, MoreThanOneWordOfEvents) {
  ProgramBuilder p({"x", "y"});
  p.thread();
  for (int i = 0; i < 70; ++i) p.fence();
  p.store("x", 1).load("r0", "y");
  p.thread().store("y", 1).load("r0", "x");
  EXPECT_EQ(ask(p, sequential_consistency()).executions, 3U);
  EXPECT_EQ(ask(p, coherence_only()).executions, 4U);
}

TEST(Estimate, GrowsWithReadsAndWrites) {
  const ModelBuilder model = coherence_only();
  Context context;
  const double small = estimated_candidates(message_passing().graph(), model.rules, context);
  EXPECT_EQ(small, 4);
  EXPECT_EQ(estimated_candidates(iriw().graph(), model.rules, context), 16);
}

TEST(Estimate, IsInfiniteWithManyValues) {
  const ModelBuilder model = coherence_only();
  Context context;
  ProgramBuilder p({"x"});
  p.thread();
  for (Value v = 1; v < 128; ++v) p.store("x", v);
  p.thread().load("r0", "x");
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_LT(estimated_candidates(p.graph(), model.rules, context), kInfinity);
  p.store("x", 128);
  EXPECT_EQ(estimated_candidates(p.graph(), model.rules, context), kInfinity);
}

}  // namespace
}  // namespace ambit::eval
