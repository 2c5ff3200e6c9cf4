#include "runner/sim/exhaustive.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace ambit::sim {
namespace {

struct FingerprintHash {
  std::size_t operator()(const Fingerprint& print) const { return print.low ^ (print.high * 0x9e3779b97f4a7c15U); }
};

class Search {
 public:
  Search(const Engine& engine, Context& context, RunRecord& record)
      : engine_(engine),
        context_(context),
        record_(record),
        is_reduced_(record.shows_runs()),
        is_gpu_(engine.options().memory == MemoryKind::Gpu) {}

  void run() {
    State state;
    engine_.reset(state);
    visit(state, {});
    Simulation& result = record_.result();
    result.is_cancelled = is_cancelled_ || record_.is_over();
    result.is_exhaustive = why_not_.empty() && !result.is_cancelled;
    result.why_not = why_not_;
  }

 private:
  using Choices = std::vector<Choice>;

  bool is_stopped() const { return is_cancelled_ || record_.is_over() || is_full_; }

  void visit(const State& state, Choices sleep) {
    if (is_stopped()) return;
    if (context_.should_stop()) {
      is_cancelled_ = true;
      return;
    }
    if (!record_.shows_runs() && !seen_.insert(fingerprint(state)).second) return;
    if (seen_.size() > engine_.options().max_states) {
      is_full_ = true;
      why_not_ = fmt::format("there are more than {} states", engine_.options().max_states);
      return;
    }
    Choices choices;
    if (!state.is_dropped && !state.is_endless) engine_.find_choices(state, choices);
    const bool is_too_long = path_.size() >= engine_.options().max_steps && !choices.empty();
    if (choices.empty() || is_too_long) return finish(state, is_too_long);
    bool can_go_on = false;
    for (const Choice& choice : choices) {
      const bool is_asleep = is_reduced_ && std::find(sleep.begin(), sleep.end(), choice) != sleep.end();
      const bool is_taken = !is_asleep && take(state, choice, sleep);
      can_go_on = can_go_on || is_asleep || is_taken;
      if (is_stopped()) return;
      if (is_reduced_ && is_taken) sleep.push_back(choice);
    }
    if (!can_go_on) finish(state, false);
  }

  /// False: the choice is none, see waits_in_vain.
  bool take(const State& state, const Choice& choice, const Choices& sleep) {
    State next = state;
    const StepEvent event = engine_.apply(next, choice);
    if (waits_in_vain(next, choice)) return false;
    Choices still_asleep;
    for (const Choice& other : sleep) {
      if (commute(state, choice, other)) still_asleep.push_back(other);
    }
    const bool is_step = choice.kind == Choice::Kind::Step;
    path_.push_back(choice);
    if (is_step) steps_.push_back(event);
    visit(next, std::move(still_asleep));
    path_.pop_back();
    if (is_step) steps_.pop_back();
    return true;
  }

  /// The step ends a round of a loop that changed nothing and will be made again. Such a round may as well not begin
  /// before it ends differently, so a wait fails once at most in the runs that are shown. Not with caches: they may
  /// keep what a vain round has read.
  bool waits_in_vain(const State& next, const Choice& choice) const {
    return is_reduced_ && !is_gpu_ && choice.kind == Choice::Kind::Step && next.threads[choice.unit].spin != kNone;
  }

  /// Either order of the two leads to the same state, and neither makes the other possible or impossible.
  bool commute(const State& state, const Choice& a, const Choice& b) const {
    if (a.kind == Choice::Kind::Side || b.kind == Choice::Kind::Side) return false;
    const bool are_steps = a.kind == Choice::Kind::Step && b.kind == Choice::Kind::Step;
    if (are_steps && !steps_commute(state, a.unit, b.unit)) return false;
    return !is_gpu_ || meet_again(state, a, b);
  }

  bool steps_commute(const State& state, std::uint32_t a, std::uint32_t b) const {
    if (a == b) return false;
    const bool is_lockstep = engine_.options().warps == WarpKind::Lockstep;
    const auto& threads = engine_.program().threads;
    if (is_lockstep && same_warp(threads[a].place, threads[b].place)) return false;
    const Machine::NextAccess first = engine_.machine().next_access(state, a);
    const Machine::NextAccess second = engine_.machine().next_access(state, b);
    return first.location == kNone || first.location != second.location || (!first.writes && !second.writes);
  }

  /// Whether two choices touch the same lines and buffers depends on the state; so both orders are tried. (Sleep sets
  /// need no more than independence in the state at hand: Katz and Peled, "Defining conditional independence using
  /// collapses", TCS 101, 1992.)
  bool meet_again(const State& state, const Choice& a, const Choice& b) const {
    State one = state;
    const StepEvent a_first = engine_.apply(one, a);
    if (!is_possible(one, b)) return false;
    const StepEvent b_second = engine_.apply(one, b);
    State other = state;
    const StepEvent b_first = engine_.apply(other, b);
    if (!is_possible(other, a)) return false;
    const StepEvent a_second = engine_.apply(other, a);
    return a_first == a_second && b_first == b_second && fingerprint(one) == fingerprint(other);
  }

  bool is_possible(const State& state, const Choice& choice) const {
    if (state.is_dropped || state.is_endless) return false;
    Choices choices;
    engine_.find_choices(state, choices);
    return std::ranges::find(choices, choice) != choices.end();
  }

  static bool same_warp(const ThreadPlace& a, const ThreadPlace& b) {
    return same_instance(a, b, Scope::Block) && a.warp == b.warp;
  }

  void finish(const State& state, bool is_too_long) {
    record_.finish(state, path_, steps_, is_too_long);
    const Options& options = engine_.options();
    if (is_too_long) why_not_ = fmt::format("some run has more than {} steps", options.max_steps);
    is_full_ = ++runs_ >= options.max_runs;
    if (is_full_) why_not_ = fmt::format("there are more than {} runs", options.max_runs);
  }

  const Engine& engine_;
  Context& context_;
  RunRecord& record_;
  bool is_reduced_;
  bool is_gpu_;
  bool is_cancelled_ = false;
  bool is_full_ = false;
  std::uint64_t runs_ = 0;
  std::string why_not_;
  std::vector<Choice> path_;
  std::vector<StepEvent> steps_;
  std::unordered_set<Fingerprint, FingerprintHash> seen_;
};

}  // namespace

void run_all(const Engine& engine, Context& context, RunRecord& record) { Search(engine, context, record).run(); }

}  // namespace ambit::sim
