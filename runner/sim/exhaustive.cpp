#include "runner/sim/exhaustive.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <unordered_set>
#include <utility>

namespace ambit::sim {
namespace {

struct FingerprintHash {
  std::size_t operator()(const Fingerprint& print) const { return print.low; }
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
    Level& first = spare_level();
    engine_.reset(first.state);
    enter(first);
    while (depth_ != 0 && !is_stopped()) {
      Level& level = levels_[depth_ - 1];
      if (level.next < level.choices.size()) {
        const Choice choice = level.choices[level.next++];
        const bool is_asleep = is_reduced_ && std::ranges::find(level.sleep, choice) != level.sleep.end();
        level.can_go_on |= is_asleep;
        if (!is_asleep) take(level, choice);
        continue;
      }
      if (!level.can_go_on) finish(level.state, false);
      --depth_;
      if (depth_ != 0) step_back();
    }
    Simulation& result = record_.result();
    result.is_cancelled = is_cancelled_ || record_.is_over();
    result.is_exhaustive = why_not_.empty() && !result.is_cancelled;
    result.why_not = why_not_;
  }

 private:
  using Choices = std::vector<Choice>;
  /// A state on the path from the initial state, and the choices there.
  struct Level {
    State state;
    Choices sleep;
    Choices choices;
    std::size_t next = 0;    ///< index of the next choice to try
    bool can_go_on = false;  ///< some choice has been explored, or an earlier run covers some choice
  };

  bool is_stopped() const { return is_cancelled_ || record_.is_over() || is_full_; }

  /// Returns the level after the last level in use. Levels are reused, so that copies into their vectors need no new
  /// memory.
  Level& spare_level() {
    if (depth_ == levels_.size()) levels_.emplace_back();
    return levels_[depth_];
  }

  /// Continues from the state of the spare level. Returns false if the search ends there.
  bool enter(Level& level) {
    if (is_stopped()) return false;
    if (context_.should_stop(20)) {
      is_cancelled_ = true;
      return false;
    }
    const State& state = level.state;
    if (!record_.shows_runs() && !seen_.insert(fingerprint(state)).second) return false;
    if (seen_.size() > engine_.options().max_states) {
      is_full_ = true;
      why_not_ = fmt::format("there are more than {} states", engine_.options().max_states);
      return false;
    }
    level.choices.clear();
    if (!state.is_dropped && !state.is_endless) engine_.find_choices(state, level.choices);
    const bool is_too_long = path_.size() >= engine_.options().max_steps && !level.choices.empty();
    if (level.choices.empty() || is_too_long) {
      finish(state, is_too_long);
      return false;
    }
    level.next = 0;
    level.can_go_on = false;
    ++depth_;
    return true;
  }

  void take(Level& level, const Choice& choice) {
    Level& next = spare_level();
    next.state = level.state;
    StepEvent event = engine_.apply(next.state, choice);
    if (waits_in_vain(next.state, choice)) return;
    level.can_go_on = true;
    next.sleep.clear();
    for (const Choice& other : level.sleep) {
      if (commute(level.state, choice, other)) next.sleep.push_back(other);
    }
    if (is_reduced_) level.sleep.push_back(choice);
    path_.push_back(choice);
    if (choice.is_of_program()) steps_.push_back(std::move(event));
    if (!enter(next)) step_back();
  }

  void step_back() {
    if (path_.back().is_of_program()) steps_.pop_back();
    path_.pop_back();
  }

  /// Returns whether the step ends a loop iteration that changed nothing and would repeat. The search can skip this
  /// iteration, because the thread can wait until its reads return other values. If there are caches, the search skips
  /// no iteration, because caches may keep the old values.
  bool waits_in_vain(const State& next, const Choice& choice) const {
    return is_reduced_ && !is_gpu_ && choice.kind == Choice::Kind::Step && next.threads[choice.unit].spin != kNone;
  }

  /// Returns whether two choices commute. They do if both orders lead to one state, all detectors see both orders
  /// alike, and neither choice enables or disables the other.
  bool commute(const State& state, const Choice& a, const Choice& b) const {
    const auto is_apart = [](const Choice& choice) {
      return choice.kind == Choice::Kind::Side || choice.kind == Choice::Kind::Part;
    };
    if (is_apart(a) || is_apart(b)) return false;
    const bool are_steps = a.kind == Choice::Kind::Step && b.kind == Choice::Kind::Step;
    if (are_steps && !steps_commute(state, a.unit, b.unit)) return false;
    return !is_gpu_ || meet_again(state, a, b);
  }

  bool steps_commute(const State& state, std::uint32_t a, std::uint32_t b) const {
    if (a == b) return false;
    const bool is_lockstep = engine_.options().warps == WarpKind::Lockstep;
    const auto& threads = engine_.program().threads;
    if (is_lockstep && same_warp(threads[a].place, threads[b].place)) return false;
    if (may_share_a_count(state, a, b)) return false;
    // A commit writes cells and restarts other transactions.
    if (engine_.machine().is_transactional(state, a) || engine_.machine().is_transactional(state, b)) return false;
    const Machine::NextAccess first = engine_.machine().next_access(state, a);
    const Machine::NextAccess second = engine_.machine().next_access(state, b);
    if (first.location == kNone && second.location == kNone) return true;
    if (first.location == kNone) return !is_noticed(state, a, b, second.location);
    if (second.location == kNone) return !is_noticed(state, b, a, first.location);
    if (first.location != second.location) return true;
    return !first.writes && !second.writes && is_shared(first.location);
  }

  /// Returns whether both threads arrive at counted barriers. At such barriers, the order of the arrivals can decide
  /// which threads meet.
  bool may_share_a_count(const State& state, std::uint32_t a, std::uint32_t b) const {
    const Machine& machine = engine_.machine();
    if (machine.is_at_barrier(state, a) || machine.is_at_barrier(state, b)) return false;
    const auto is_counted = [&](std::uint32_t thread) {
      const auto* barrier = std::get_if<Barrier>(&machine.next_operation(state, thread));
      return barrier != nullptr && (barrier->count || barrier->arrive_only);
    };
    return is_counted(a) && is_counted(b);
  }

  /// Returns whether the location is in a block's shared memory. Unlike reads of shared memory, two reads of one global
  /// location do not commute, because ScoRD and iGUARD keep the last reader.
  bool is_shared(LocationId location) const {
    const Program& program = engine_.program();
    return program.objects[program.locations[location].object].space == MemorySpace::Shared;
  }

  /// Returns whether the order of a step of `thread` and an access of `accessor` may influence a detector. HAccRG,
  /// ScoRD and iGUARD keep the last accesses of each cell and count fences and barriers. Therefore the order of a
  /// warp's fence and an access matters in two cases. Either this warp makes the access, or this warp has accessed the
  /// same cell before. If a barrier does not wait for a thread of its block, the order of the barrier and the thread's
  /// access also matters.
  bool is_noticed(const State& state, std::uint32_t thread, std::uint32_t accessor, LocationId location) const {
    const auto& threads = engine_.program().threads;
    const ThreadPlace& place = threads[thread].place;
    const Operation& operation = engine_.machine().next_operation(state, thread);
    if (const auto* barrier = std::get_if<Barrier>(&operation)) {
      const bool is_of_all = !barrier->count && !barrier->arrive_only && !barrier->wait_only &&
                             (barrier->kind != BarrierKind::Warp || barrier->mask == kAllLanes);
      return !is_of_all && same_instance(place, threads[accessor].place, Scope::Block);
    }
    if (!std::holds_alternative<Fence>(operation)) return false;
    return same_warp(place, threads[accessor].place) || std::ranges::any_of(steps_, [&](const StepEvent& step) {
             return step.location == location && same_warp(place, threads[step.thread].place);
           });
  }

  /// Returns whether two choices are possible in both orders, and both orders lead to the same state. Tries both
  /// orders, because only the state shows whether two choices access the same lines and buffers. (Sleep sets need only
  /// independence in the current state: Katz and Peled, "Defining conditional independence using collapses", TCS 101,
  /// 1992.)
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
    if (state.is_endless) why_not_ = "a thread computes for too long between two steps";
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
  std::deque<Level> levels_;  ///< levels from depth_ on are unused
  std::size_t depth_ = 0;
  std::vector<Choice> path_;
  std::vector<StepEvent> steps_;
  std::unordered_set<Fingerprint, FingerprintHash> seen_;
};

}  // namespace

void run_all(const Engine& engine, Context& context, RunRecord& record) { Search(engine, context, record).run(); }

}  // namespace ambit::sim
