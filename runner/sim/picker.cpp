#include "runner/sim/picker.h"

#include <algorithm>
#include <numeric>

namespace ambit::sim {

std::uint32_t Picker::mover(const Choice& choice) const {
  const auto threads = static_cast<std::uint32_t>(engine_.program().threads.size());
  return choice.kind == Choice::Kind::Step ? choice.unit : threads;
}

/// Returns a uniformly distributed number below `bound`. Unlike with the distributions of the standard library, the
/// number is the same on every platform. The bias is less than 2^-32.
std::size_t Picker::below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

void Picker::begin(std::uint64_t run) {
  const Options& options = engine_.options();
  std::seed_seq seeds{options.seed & 0xffffffffU, options.seed >> 32U, run & 0xffffffffU, run >> 32U};
  random_.seed(seeds);
  step_ = 0;
  turn_ = 0;
  if (options.schedule == ScheduleKind::RoundRobin) turn_ = static_cast<std::uint32_t>(run);
  if (options.schedule != ScheduleKind::Pct) return;
  priorities_.resize(engine_.program().threads.size() + 1);
  std::iota(priorities_.begin(), priorities_.end(), std::int64_t{options.change_points} + 1);
  for (std::size_t i = priorities_.size(); i > 1; --i) std::swap(priorities_[i - 1], priorities_[below(i)]);
  change_points_.clear();
  for (unsigned i = 0; i < options.change_points; ++i) change_points_.push_back(below(length_));
}

const Choice& Picker::pick(const std::vector<Choice>& choices) {
  ++step_;
  switch (engine_.options().schedule) {
    case ScheduleKind::RoundRobin: return in_turn(choices);
    case ScheduleKind::Pct: return by_priority(choices);
    case ScheduleKind::Random:
    case ScheduleKind::Exhaustive: break;
  }
  return any(choices);
}

void Picker::end(std::size_t steps) { length_ = std::max(length_, steps); }

const Choice& Picker::any_of(const std::vector<Choice>& choices, std::uint32_t who) {
  const auto is_own = [&](const Choice& choice) { return mover(choice) == who; };
  const auto count = static_cast<std::size_t>(std::count_if(choices.begin(), choices.end(), is_own));
  std::size_t left = below(count);
  const auto found =
      std::find_if(choices.begin(), choices.end(), [&](const Choice& choice) { return is_own(choice) && left-- == 0; });
  return *found;
}

/// Picks the first thread that can take a step, in cyclic order after the last picked thread. The memory counts as one
/// more thread.
const Choice& Picker::in_turn(const std::vector<Choice>& choices) {
  const auto movers = static_cast<std::uint32_t>(engine_.program().threads.size() + 1);
  const auto distance = [&](const Choice& choice) { return (mover(choice) + movers - turn_ % movers) % movers; };
  const auto next = std::min_element(choices.begin(), choices.end(),
                                     [&](const Choice& a, const Choice& b) { return distance(a) < distance(b); });
  const std::uint32_t who = mover(*next);
  turn_ = who + 1;
  return any_of(choices, who);
}

/// Picks by priorities: Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs",
/// ASPLOS 2010, section 3.
const Choice& Picker::by_priority(const std::vector<Choice>& choices) {
  const auto highest = [&] {
    return mover(*std::max_element(choices.begin(), choices.end(), [&](const Choice& a, const Choice& b) {
      return priorities_[mover(a)] < priorities_[mover(b)];
    }));
  };
  for (std::size_t i = 0; i < change_points_.size(); ++i) {
    if (change_points_[i] == step_) priorities_[highest()] = static_cast<std::int64_t>(change_points_.size() - i);
  }
  return any_of(choices, highest());
}

}  // namespace ambit::sim
