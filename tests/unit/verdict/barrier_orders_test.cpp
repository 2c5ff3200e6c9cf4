// Compares barriers with a small interpreter that follows every interleaving of a program over one memory. Under the
// model sc, both engines must find the interpreter's outcomes. They must report divergence if and only if a thread
// waits forever in some interleaving. The interpreter shares no code with the engines. It counts arrivals as the PTX
// manual (bar) describes: a phase ends when the number of arrivals equals the count of the barrier instruction, and the
// next arrival begins a new phase. In PTX, different counts in one phase are undefined; here, such a phase never ends.
// A barrier without a count waits for all threads that have not exited (PTX ISA, exit).

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/verdict/bound.h"
#include "model/verdict/verdict.h"
#include "tests/support/dice.h"
#include "tests/support/parsed.h"
#include "tests/support/program_builder.h"

namespace ambit::verdict {
namespace {

using namespace ambit::test;

constexpr std::size_t kCells = 2;
constexpr std::size_t kBarriers = 2;

struct Step {
  enum class Kind : std::uint8_t { Store, Load, Barrier } kind = Kind::Store;
  std::size_t cell = 0;        ///< the accessed cell of a Store or Load
  int value = 0;               ///< the stored value of a Store
  std::size_t barrier = 0;     ///< for Barrier
  int count = 0;               ///< the count of a Barrier; 0 means all threads
  bool arrives_only = false;   ///< whether a thread arrives at a Barrier without waiting
  bool has_condition = false;  ///< the thread executes the step only if its register is not 0
};
using Code = std::vector<std::vector<Step>>;  ///< the steps of each thread; each thread has one register

/// A state of the interpreter. It consists only of numbers, so that a set can contain the visited states.
struct Machine {
  struct Counter {
    int phase = 0;
    int arrived = 0;
    int expected = 0;
    bool is_broken = false;
    friend auto operator<=>(const Counter&, const Counter&) = default;
  };
  struct Runner {
    std::size_t at = 0;
    int reg = 0;
    int waits_for = -1;  ///< the phase whose end the thread awaits at its barrier
    friend auto operator<=>(const Runner&, const Runner&) = default;
  };
  std::array<int, kCells> memory{};
  std::array<Counter, kBarriers> barriers{};
  std::vector<Runner> threads;
  friend auto operator<=>(const Machine&, const Machine&) = default;
};

struct Seen {
  std::set<std::vector<Value>> outcomes;  ///< outcomes of runs that end: the threads' registers, then memory
  bool is_stuck = false;                  ///< some run never ends
};

class Interleavings {
 public:
  explicit Interleavings(const Code& code) : code_(code) {
    for (const auto& thread : code) {
      for (const Step& step : thread) {
        if (step.kind == Step::Kind::Barrier && step.count != 0) is_counted_[step.barrier] = true;
      }
    }
  }

  Seen follow() {
    Machine start;
    start.threads.resize(code_.size());
    std::vector<Machine> open = {start};
    std::set<Machine> known;
    while (!open.empty()) {
      const Machine state = open.back();
      open.pop_back();
      if (!known.insert(state).second) continue;
      bool moved = false;
      for (std::size_t t = 0; t < code_.size(); ++t) {
        Machine next = state;
        if (!step(next, t)) continue;
        complete_without_exited(next);
        moved = true;
        open.push_back(next);
      }
      if (!moved) end(state);
    }
    return seen_;
  }

 private:
  bool step(Machine& state, std::size_t t) const {
    Machine::Runner& self = state.threads[t];
    if (self.at == code_[t].size()) return false;
    const Step& step = code_[t][self.at];
    if (self.waits_for >= 0) {
      if (state.barriers[step.barrier].phase <= self.waits_for) return false;
      self.waits_for = -1;
      ++self.at;
      return true;
    }
    if (step.kind == Step::Kind::Barrier && (!step.has_condition || self.reg != 0)) {
      const int phase = arrive(state.barriers[step.barrier], step.count == 0 ? threads() : step.count);
      if (!step.arrives_only) {
        self.waits_for = phase;
        return true;
      }
    } else if (step.kind == Step::Kind::Store) {
      state.memory[step.cell] = step.value;
    } else if (step.kind == Step::Kind::Load) {
      self.reg = state.memory[step.cell];
    }
    ++self.at;
    return true;
  }

  /// Completes a barrier without a count if all threads wait at the barrier, except threads that have exited.
  void complete_without_exited(Machine& state) const {
    for (std::size_t b = 0; b < kBarriers; ++b) {
      Machine::Counter& barrier = state.barriers[b];
      if (is_counted_[b] || barrier.arrived == 0) continue;
      bool is_complete = true;
      for (std::size_t t = 0; t < code_.size(); ++t) {
        const Machine::Runner& one = state.threads[t];
        if (one.at == code_[t].size()) continue;
        const Step& step = code_[t][one.at];
        is_complete =
            is_complete && step.kind == Step::Kind::Barrier && step.barrier == b && one.waits_for == barrier.phase;
      }
      if (is_complete) barrier = {barrier.phase + 1, 0, 0, false};
    }
  }

  static int arrive(Machine::Counter& barrier, int count) {
    const int phase = barrier.phase;
    if (barrier.arrived > 0 && barrier.expected != count) barrier.is_broken = true;
    barrier.expected = count;
    ++barrier.arrived;
    if (!barrier.is_broken && barrier.arrived == count) barrier = {phase + 1, 0, 0, false};
    return phase;
  }

  void end(const Machine& state) {
    std::vector<Value> outcome;
    for (std::size_t t = 0; t < code_.size(); ++t) {
      if (state.threads[t].at < code_[t].size()) {
        seen_.is_stuck = true;
        return;
      }
      outcome.push_back(state.threads[t].reg);
    }
    outcome.insert(outcome.end(), state.memory.begin(), state.memory.end());
    seen_.outcomes.insert(outcome);
  }

  int threads() const { return static_cast<int>(code_.size()); }

  const Code& code_;
  std::array<bool, kBarriers> is_counted_{};
  Seen seen_;
};

std::shared_ptr<const Program> program_of(const Code& code) {
  ProgramBuilder p;
  const std::array cells = p.globals("x", "y");
  std::vector<std::pair<ThreadBuilder*, RegisterId>> registers;
  for (std::size_t t = 0; t < code.size(); ++t) {
    ThreadBuilder& thread = p.thread("P" + std::to_string(t), {.block = 0, .warp = static_cast<int>(t)});
    const RegisterId r = thread.declare("r");
    registers.emplace_back(&thread, r);
    for (const Step& step : code[t]) {
      const Label skip = thread.later();
      if (step.has_condition) thread.branch(thread.value(r) == 0, skip);
      if (step.kind == Step::Kind::Store) thread.store(cells[step.cell], step.value, relaxed());
      if (step.kind == Step::Kind::Load) thread.load_into(r, cells[step.cell], relaxed());
      if (step.kind == Step::Kind::Barrier) {
        Barrier barrier;
        barrier.id = static_cast<std::uint32_t>(step.barrier);
        if (step.count != 0) barrier.count = constant(step.count);
        barrier.arrive_only = step.arrives_only;
        thread.add(barrier);
      }
      thread.place(skip);
    }
  }
  for (const auto& [thread, r] : registers) p.observe(*thread, r);
  for (const Expr& cell : cells) p.observe(cell);
  return p.build();
}

std::string text_of(const Code& code) {
  std::string text;
  for (std::size_t t = 0; t < code.size(); ++t) {
    text += "P" + std::to_string(t) + ":";
    for (const Step& step : code[t]) {
      text += step.has_condition ? " if(r) " : " ";
      if (step.kind == Step::Kind::Store) text += "st c" + std::to_string(step.cell) + "=" + std::to_string(step.value);
      if (step.kind == Step::Kind::Load) text += "ld c" + std::to_string(step.cell);
      if (step.kind == Step::Kind::Barrier) {
        text +=
            (step.arrives_only ? "arrive " : "sync ") + std::to_string(step.barrier) + "," + std::to_string(step.count);
      }
      text += ";";
    }
    text += "\n";
  }
  return text;
}

Seen seen_by(const Code& code, Engine engine) {
  Checker checker;
  Context context;
  CheckOptions options;
  options.engine = engine;
  options.questions = {.proposition = false, .flags = false, .incidents = true, .outcomes = true};
  const auto verdict = checker.check(program_of(code), shipped_model("sc"), options, context);
  EXPECT_TRUE(verdict.ok()) << render(verdict.errors());
  EXPECT_FALSE(verdict.value().unknown.has_value());
  Seen seen;
  for (const events::Outcome& outcome : verdict.value().answers.outcomes) seen.outcomes.insert(outcome);
  seen.is_stuck =
      incident_possibility(verdict.value(), events::Incident::Kind::BarrierDivergence) == events::Possibility::Possible;
  return seen;
}

void expect_same(const Code& code) {
  const Seen expected = Interleavings(code).follow();
  for (const Engine engine : {Engine::Explicit, Engine::Smt}) {
    const Seen seen = seen_by(code, engine);
    EXPECT_EQ(seen.outcomes, expected.outcomes) << to_string(engine) << "\n" << text_of(code);
    EXPECT_EQ(seen.is_stuck, expected.is_stuck) << to_string(engine) << "\n" << text_of(code);
  }
}

/// Limits for random programs, and the percentage of each kind of step.
struct Taste {
  std::size_t most_threads = 3;
  std::size_t most_steps = 4;
  unsigned barriers = 50;
  unsigned conditions = 15;
  unsigned arrivals = 20;
  bool fixed_counts = true;  ///< all arrivals at a barrier have the same count
  unsigned uncounted = 0;    ///< percentage of barriers that wait for all threads
};

Code random_code(Dice& dice, const Taste& taste) {
  Code code(2 + dice.below(taste.most_threads - 1));
  std::array<int, kBarriers> counts{};
  for (int& count : counts) {
    count = dice.chance(taste.uncounted) ? 0 : static_cast<int>(dice.below(code.size() + 2));
  }
  int value = 0;
  for (auto& thread : code) {
    const std::size_t length = 1 + dice.below(taste.most_steps);
    for (std::size_t i = 0; i < length; ++i) {
      Step step;
      if (dice.chance(taste.barriers)) {
        step.kind = Step::Kind::Barrier;
        step.barrier = dice.below(kBarriers);
        // All arrivals at a barrier have a count, or no arrival at the barrier has a count.
        step.count = taste.fixed_counts ? counts[step.barrier] : 1 + static_cast<int>(dice.below(code.size() + 1));
        step.arrives_only = step.count != 0 && dice.chance(taste.arrivals);
        step.has_condition = dice.chance(taste.conditions);
      } else {
        step.kind = dice.chance(50) ? Step::Kind::Store : Step::Kind::Load;
        step.cell = dice.below(kCells);
        step.value = ++value;
      }
      thread.push_back(step);
    }
  }
  return code;
}

void compare_many(unsigned seed, std::size_t programs, const Taste& taste) {
  Dice dice(seed);
  for (std::size_t i = 0; i < programs && !testing::Test::HasFailure(); ++i) expect_same(random_code(dice, taste));
}

TEST(BarrierOrders, CountsAsWritten) { compare_many(1, 700, {}); }
TEST(BarrierOrders, CountsThatDiffer) { compare_many(2, 300, {.fixed_counts = false}); }
TEST(BarrierOrders, ManyArrivals) { compare_many(3, 300, {.most_steps = 5, .barriers = 75, .arrivals = 50}); }
TEST(BarrierOrders, AfterBranches) { compare_many(4, 400, {.barriers = 40, .conditions = 60}); }
TEST(BarrierOrders, FourThreads) { compare_many(5, 150, {.most_threads = 4, .most_steps = 3}); }

TEST(BarrierOrders, ExitedThreads) { compare_many(6, 400, {.barriers = 60, .conditions = 40, .uncounted = 100}); }
TEST(BarrierOrders, ExitedThreadsAmongCounts) { compare_many(7, 300, {.conditions = 40, .uncounted = 50}); }
TEST(BarrierOrders, ExitedOfFourThreads) {
  compare_many(8, 100, {.most_threads = 4, .most_steps = 3, .conditions = 50, .uncounted = 80});
}

class StuckExecutions : public testing::TestWithParam<Engine> {
 protected:
  Verdict check(const std::string& text, const std::string& model, bool count = false) {
    Checker checker;
    Context context;
    CheckOptions options;
    options.engine = GetParam();
    options.questions.count = count;
    auto verdict = checker.check(test::program_of(text), shipped_model(model), options, context);
    EXPECT_TRUE(verdict.ok()) << render(verdict.errors());
    return std::move(verdict).value();
  }
};

TEST_P(StuckExecutions, TheConditionAppliesToTheOthers) {
  // P1 reaches the barrier only if it reads 1; if it reads 0, P0 waits forever.
  const Verdict verdict = check(R"(CUDA sometimes
{ global int x = 0; }
P0 @ block 0 { __barrier(1, 2); }
P1 @ block 0 { int r = atomicAdd(&x, 0); if (r == 1) __barrier(1, 2); }
P2 @ block 1 { atomicExch(&x, 1); }
exists (P1:r == 0)
)",
                                "sc", true);
  EXPECT_EQ(verdict.frequency, Frequency::Never);
  EXPECT_EQ(verdict.answers.executions, 1U);
  EXPECT_EQ(incident_possibility(verdict, events::Incident::Kind::BarrierDivergence), events::Possibility::Possible);
  ASSERT_TRUE(verdict.answers.incidents.at(0).witness);
  EXPECT_EQ(describe_waits(*verdict.graph, *verdict.answers.incidents[0].witness),
            std::vector<std::string>{"P0 waits at barrier 1 of block 0 (line 3) with 1 of 2 arrivals"});
}

TEST_P(StuckExecutions, ARaceBeforeTheWaitIsARace) {
  const Verdict verdict = check(R"(CUDA early
{ global int x = 0; }
P0 @ block 0 { x = 1; __barrier(1, 2); }
P1 @ block 1 { x = 2; }
exists (x == 1)
)",
                                "ptx");
  EXPECT_EQ(verdict.answers.any.possibility, events::Possibility::Impossible);
  EXPECT_FALSE(verdict.frequency.has_value());
  EXPECT_EQ(verdict.race, events::Possibility::Possible);
}

TEST_P(StuckExecutions, NothingAfterTheWaitRaces) {
  const Verdict verdict = check(R"(CUDA late
{ global int x = 0; }
P0 @ block 0 { __barrier(1, 2); x = 1; }
P1 @ block 1 { x = 2; }
exists (x == 1)
)",
                                "ptx");
  EXPECT_EQ(verdict.race, events::Possibility::Impossible);
}

INSTANTIATE_TEST_SUITE_P(Engines, StuckExecutions, testing::Values(Engine::Smt, Engine::Explicit),
                         [](const auto& engine) { return std::string(to_string(engine.param)); });

}  // namespace
}  // namespace ambit::verdict
