#include "model/eval/pair_order.h"

#include <algorithm>

#include "base/assert.h"

namespace ambit::eval {

using events::EventId;

namespace {

std::uint64_t bit(EventId e) { return std::uint64_t{1} << (e % 64); }

}  // namespace

void PairOrder::clear() {
  std::fill_n(machine_->buffer(lower_), machine_->relation_words(), 0);
  std::fill_n(machine_->buffer(upper_), machine_->relation_words(), 0);
  groups_.clear();
  pairs_.clear();
  log_.clear();
}

void PairOrder::add_group(std::vector<EventId> members, const events::Relation* relevant) {
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (std::size_t j = 0; j < members.size(); ++j) {
      if (i == j) continue;
      machine_->row(upper_, members[i])[members[j] / 64] |= bit(members[j]);
      const bool matters = relevant == nullptr || relevant->contains(members[i], members[j]) ||
                           relevant->contains(members[j], members[i]);
      if (i < j && matters) pairs_.push_back({groups_.size(), members[i], members[j]});
    }
  }
  groups_.push_back(std::move(members));
}

bool PairOrder::precedes(EventId a, EventId b) const { return (machine_->row(lower_, a)[b / 64] & bit(b)) != 0; }

void PairOrder::set(EventId a, EventId b) {
  machine_->row(lower_, a)[b / 64] |= bit(b);
  machine_->row(upper_, b)[a / 64] &= ~bit(a);
  log_.emplace_back(a, b);
}

void PairOrder::decide(std::size_t group, EventId first, EventId second) {
  AMBIT_ASSERT(first != second && !precedes(second, first));
  for (const EventId before : groups_[group]) {
    if (before != first && !precedes(before, first)) continue;
    for (const EventId after : groups_[group]) {
      if (after != second && !precedes(second, after)) continue;
      if (!precedes(before, after)) set(before, after);
    }
  }
}

void PairOrder::undo(std::size_t mark) {
  while (log_.size() > mark) {
    const auto [a, b] = log_.back();
    log_.pop_back();
    machine_->row(lower_, a)[b / 64] &= ~bit(b);
    machine_->row(upper_, b)[a / 64] |= bit(a);
  }
}

std::size_t PairOrder::next_open(std::size_t from) const {
  while (from < pairs_.size() && is_decided(pairs_[from].first, pairs_[from].second)) ++from;
  return from;
}

std::size_t PairOrder::open_count() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(pairs_, [&](const Pair& pair) { return !is_decided(pair.first, pair.second); }));
}

std::vector<EventId> PairOrder::sequence(std::size_t group) const {
  std::vector<EventId> rest = groups_[group];
  std::vector<EventId> result;
  while (!rest.empty()) {
    const auto is_first = [&](EventId e) {
      return std::ranges::none_of(rest, [&](EventId other) { return precedes(other, e); });
    };
    const auto first = std::ranges::find_if(rest, is_first);
    AMBIT_ASSERT(first != rest.end());
    result.push_back(*first);
    rest.erase(first);
  }
  return result;
}

}  // namespace ambit::eval
