// Tests whether programs with the transactional memories of kernels/stm end, under sc and with unlimited attempts. From
// every reachable state, some schedule must lead to the end. The number of states is finite, so a random schedule then
// ends with probability one. Some other schedules may never end.

#include <gtest/gtest.h>

#include <optional>
#include <unordered_map>

#include "runner/sim/engine.h"
#include "tests/unit/stm/stm_programs.h"

namespace ambit {
namespace {

ProgramPtr program_of(const std::string& threads) {
  const std::string text = "CUDA t\n{ global int x = 0, y = 0; }\n" + threads;
  return parser::parse_program(std::make_shared<const SourceFile>(SourceFile{"t.litmus", text})).value();
}

/// Returns a program in which each thread increments x.
ProgramPtr increments(int threads) {
  std::string text;
  for (int t = 0; t < threads; ++t) {
    const std::string n = std::to_string(t);
    text += "P" + n + " @ block " + n + " { atomic { int r" + n + " = x; x = r" + n + " + 1; } }\n";
  }
  return program_of(text);
}

/// Returns a program with two transactions that take two entries in opposite order.
ProgramPtr crossing() {
  return program_of("P0 @ block 0 { atomic { x = 1; y = 1; } }\nP1 @ block 1 { atomic { y = 2; x = 2; } }\n");
}

struct PrintHash {
  std::size_t operator()(const sim::Fingerprint& print) const { return print.low; }
};

/// All reachable states of a program, and the number of states from which no schedule leads to the end.
class StateGraph {
 public:
  explicit StateGraph(const ProgramPtr& program) : engine_(sim::Engine::create(program, options()).value()) {
    sim::State first;
    engine_->reset(first);
    number_of(first);
    for (std::size_t at = 0; at < states_.size(); ++at) expand(at);
  }

  std::size_t size() const { return states_.size(); }
  bool has_end() const { return !ends_.empty(); }

  std::size_t states_without_an_end() const {
    std::vector<bool> ends(size(), false);
    std::vector<std::size_t> open = ends_;
    for (const std::size_t end : open) ends[end] = true;
    std::size_t missing = size() - open.size();
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      for (const std::size_t before : before_[at]) {
        if (ends[before]) continue;
        ends[before] = true;
        --missing;
        open.push_back(before);
      }
    }
    return missing;
  }

 private:
  static sim::Options options() {
    sim::Options options;
    options.memory = sim::MemoryKind::Sc;
    return options;
  }

  std::size_t number_of(const sim::State& state) {
    const auto [found, is_new] = numbers_.emplace(sim::fingerprint(state), states_.size());
    if (is_new) {
      states_.push_back(state);
      before_.emplace_back();
    }
    return found->second;
  }

  void expand(std::size_t at) {
    std::vector<sim::Choice> choices;
    engine_->find_choices(states_[at], choices);
    if (engine_->all_exited(states_[at])) ends_.push_back(at);
    for (const sim::Choice& choice : choices) {
      sim::State next = states_[at];
      engine_->apply(next, choice);
      before_[number_of(next)].push_back(at);
    }
    states_[at] = {};
  }

  std::unique_ptr<sim::Engine> engine_;
  std::unordered_map<sim::Fingerprint, std::size_t, PrintHash> numbers_;
  std::vector<sim::State> states_;
  std::vector<std::vector<std::size_t>> before_;
  std::vector<std::size_t> ends_;
};

void expect_progress(const ProgramPtr& program, Stm stm) {
  const StateGraph graph(coded(*program, stm, 0));
  EXPECT_TRUE(graph.has_end());
  EXPECT_EQ(graph.states_without_an_end(), 0U) << "of " << graph.size();
}

TEST(StmProgress, PstmCanAlwaysEnd) {
  expect_progress(increments(2), Stm::Pstm);
  expect_progress(increments(3), Stm::Pstm);
  expect_progress(crossing(), Stm::Pstm);
}

// If an aborted attempt left a wrong count of readers, the entry would stay shared or locked forever.
TEST(StmProgress, EstmCanAlwaysEnd) {
  expect_progress(increments(2), Stm::Estm);
  expect_progress(crossing(), Stm::Estm);
}

/// Returns the number of steps in a round-robin run; nothing if the run does not end.
std::optional<std::uint64_t> steps_of_round_robin(Stm stm, const ProgramPtr& program) {
  sim::Options options;
  options.memory = sim::MemoryKind::Sc;
  options.schedule = sim::ScheduleKind::RoundRobin;
  options.runs = 1;
  options.max_steps = 100000;
  Context context;
  const auto simulation = sim::simulate(coded(*program, stm, 0), options, context);
  return simulation.value().histogram.outcomes.empty() ? std::nullopt : std::optional<std::uint64_t>(1);
}

// ESTM can livelock under high contention. Several threads may have read an entry, which is then shared, so none of
// these threads may write it. All of them abort. If they run in step, all of them then read the entry again. In PSTM,
// one owner continues.
TEST(StmProgress, EstmHasALivelockInStep) {
  EXPECT_FALSE(steps_of_round_robin(Stm::Estm, increments(2)));
  EXPECT_TRUE(steps_of_round_robin(Stm::Pstm, increments(2)));
  EXPECT_TRUE(steps_of_round_robin(Stm::Istm, increments(2)));
}

}  // namespace
}  // namespace ambit
