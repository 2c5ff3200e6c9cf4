#include <algorithm>
#include <set>

#include "core/assert.h"
#include "model/eval/search.h"

namespace ambit::eval {
namespace {

using events::Event;
using events::EventId;
using events::kNoEvent;

/// From this many open candidates on it pays to test whether any of them can succeed.
constexpr double kWorthTesting = 8;

bool share_location(const Event& a, const Event& b) {
  return std::ranges::any_of(a.locations, [&](LocationId l) { return std::ranges::binary_search(b.locations, l); });
}

std::uint64_t bit(EventId e) { return std::uint64_t{1} << (e % 64); }

}  // namespace

void Search::find_choices() {
  writers_.assign(graph_.size(), {});
  may_cohere_ = events::Relation(graph_.size());
  open_choices_.assign(timeline_.levels(), 1);
  for (EventId w = 0; w < graph_.size(); ++w) {
    const Event& write = graph_.events[w];
    if (!write.is_write()) continue;
    double rivals = 1;
    for (EventId e = 0; e < graph_.size(); ++e) {
      const Event& other = graph_.events[e];
      if (e == w || !other.is_access() || !share_location(write, other)) continue;
      if (other.is_read() && other.rmw_partner != w && intersect(domains_.values[w], domains_.values[e])) {
        writers_[e].push_back(w);
      }
      if (other.kind == events::EventKind::Write) {
        may_cohere_.insert(w, e);
        if (e < w) ++rivals;
      }
    }
    if (write.kind == events::EventKind::Write) open_choices_.back() *= rivals;  // gives k! for k writes
  }
  for (std::size_t level = timeline_.reads.size(); level-- > 0;) {
    const EventId read = timeline_.reads[level];
    const auto count =
        static_cast<double>(graph_.is_choice(read) ? graph_.events[read].alternatives : writers_[read].size());
    open_choices_[level] = open_choices_[level + 1] * std::max(1.0, count);
  }
}

void Search::search(Mode mode) {
  mode_ = mode;
  find_choices();
  candidate_.begin();
  if (meets_requirements(0)) choose_source();
}

bool Search::meets_requirements(std::uint32_t level) const {
  if (mode_ == Mode::Prefix) {
    return std::ranges::any_of(timeline_.bounds, [&](events::NodeId bound) {
      return !candidate_.knowledge.is_known(bound) || candidate_.node(bound) != 0;
    });
  }
  const bool is_stuck = candidate_.knowledge.is_known(graph_.stuck) && candidate_.node(graph_.stuck) != 0;
  if (is_stuck && !recorder_.wants_stuck()) return false;
  const auto is_zero = [&](events::NodeId node) { return candidate_.node(node) == 0; };
  return std::ranges::none_of(timeline_.requirements[level], is_zero) &&
         std::ranges::all_of(timeline_.bounds_at[level], is_zero);
}

bool Search::prefix_is_possible() const {
  // A thread that reaches the bound has met its own requirements. Those of other threads need not be met in a prefix:
  // they may be waiting for what comes after the bound.
  const auto threads_of = [&](events::NodeId node) {
    events::EventSet reads(graph_.size());
    graph_.values.collect_reads(node, reads);
    std::set<std::uint32_t> threads;
    reads.for_each([&](EventId read) { threads.insert(graph_.events[read].thread); });
    return threads;
  };
  const auto is_obstacle = [&](events::NodeId requirement, std::uint32_t bounded) {
    if (candidate_.node(requirement) != 0) return false;
    const std::set<std::uint32_t> concerned = threads_of(requirement);
    if (concerned.contains(events::kNoThread)) return true;  // says what a choice means
    return std::ranges::all_of(concerned, [&](std::uint32_t t) { return t == bounded; });
  };
  for (std::size_t i = 0; i < timeline_.bounds.size(); ++i) {
    if (candidate_.node(timeline_.bounds[i]) == 0) continue;
    const bool is_possible = std::ranges::none_of(timeline_.requirements, [&](const auto& level) {
      return std::ranges::any_of(level, [&](events::NodeId r) { return is_obstacle(r, timeline_.bound_threads[i]); });
    });
    if (is_possible) return true;
  }
  return false;
}

void Search::choose_source() {
  if (should_stop()) return;
  const std::uint32_t level = candidate_.knowledge.position;
  if (level == timeline_.reads.size()) return complete_sources();
  const EventId read = timeline_.reads[level];
  if (graph_.is_choice(read)) return choose_alternative(read);
  if (!candidate_.is_executed(read)) return try_source(kNoEvent, 0, 1);
  const LocationId location = candidate_.next_location();
  for (const EventId write : writers_[read]) {
    if (finished_ || stopped_) return;
    if (!std::ranges::binary_search(graph_.events[write].locations, location)) continue;
    const Candidate::Promise& promise = candidate_.promise(write);
    if (candidate_.is_known(write)) {
      if (!is_feasible(write, read) || candidate_.location[write] != location) continue;
      try_source(write, candidate_.value[write], writers_[read].size());
    } else if (promise.count > 0) {
      if (promise.location == location) try_source(write, promise.value, writers_[read].size());
    } else {
      for (const Value value : domains_.values[write]) {
        if (!std::ranges::binary_search(domains_.values[read], value)) continue;
        try_source(write, value, writers_[read].size());
      }
    }
  }
}

void Search::choose_alternative(EventId choice) {
  const std::uint32_t count = graph_.events[choice].alternatives;
  for (Value value = 0; value < static_cast<Value>(count); ++value) try_source(kNoEvent, value, count);
}

void Search::try_source(EventId write, Value value, std::size_t choices) {
  if (finished_ || stopped_) return;
  const bool consistent = candidate_.assign(write, value);
  const std::uint32_t level = candidate_.knowledge.position;
  if (consistent && meets_requirements(level)) {
    const bool is_open = level < timeline_.reads.size() && choices > 1;
    if (!is_open || open_choices_[level] < kWorthTesting || may_be_completed()) choose_source();
  }
  candidate_.retract();
}

bool Search::may_be_completed() {
  ++bound_tests_;
  const bool is_exact = timeline_.static_level <= candidate_.knowledge.position;
  fill_executed_bounds();
  if (!prepare_static(is_exact) || !fill_source_bounds()) {
    ++prunings_;
    return false;
  }
  fill_coherence_bounds();
  fill_order_bounds();
  const auto& steps = plan_.bound_steps[is_exact ? 1 : 0];
  for (std::size_t level = 1; level < kLevels; ++level) {
    if (machine_.run(steps[level])) continue;
    ++prunings_;
    return false;
  }
  return true;
}

void Search::fill_executed_bounds() {
  for (EventId e = 0; e < graph_.size(); ++e) {
    const events::NodeId guard = graph_.events[e].guard;
    const bool is_known = candidate_.knowledge.is_known(guard);
    const bool executed = is_known && candidate_.node(guard) != 0;
    if (executed || candidate_.promise(e).count > 0) {
      machine_.executed_lower.insert(e);
    } else {
      machine_.executed_lower.erase(e);
    }
    if (executed || !is_known) {
      machine_.executed_upper.insert(e);
    } else {
      machine_.executed_upper.erase(e);
    }
  }
}

bool Search::is_feasible(EventId write, EventId read) const {
  if (!candidate_.is_known(write)) return true;
  return candidate_.is_executed(write) && std::ranges::binary_search(domains_.values[read], candidate_.value[write]);
}

bool Search::fill_source_bounds() {
  const BufferId lower = buffer_of(plan_.reads_from, Bound::Lower);
  const BufferId upper = buffer_of(plan_.reads_from, Bound::Upper);
  std::fill_n(machine_.buffer(lower), machine_.relation_words(), 0);
  std::fill_n(machine_.buffer(upper), machine_.relation_words(), 0);
  for (std::size_t level = 0; level < timeline_.reads.size(); ++level) {
    const EventId read = timeline_.reads[level];
    EventId only = candidate_.source[read];
    if (level >= candidate_.knowledge.position) {
      std::size_t count = 0;
      for (const EventId write : writers_[read]) {
        if (!is_feasible(write, read)) continue;
        machine_.row(upper, write)[read / 64] |= bit(read);
        only = write;
        ++count;
      }
      if (!graph_.events[read].is_unconditional() || count > 1) continue;
      if (count == 0) return false;
    }
    if (only == kNoEvent) continue;
    machine_.row(lower, only)[read / 64] |= bit(read);
    machine_.row(upper, only)[read / 64] |= bit(read);
  }
  return true;
}

void Search::fill_coherence_bounds() {
  const BufferId lower = buffer_of(plan_.coherence, Bound::Lower);
  const BufferId upper = buffer_of(plan_.coherence, Bound::Upper);
  std::fill_n(machine_.buffer(lower), machine_.relation_words(), 0);
  std::copy_n(may_cohere_.words(), machine_.relation_words(), machine_.buffer(upper));
  for (EventId e = 0; e < graph_.size(); ++e) {
    const Event& event = graph_.events[e];
    if (event.kind != events::EventKind::Write || !machine_.executed_lower.contains(e)) continue;
    if (event.locations.size() == 1) {
      machine_.row(lower, event.locations.front())[e / 64] |= bit(e);
    } else if (candidate_.is_known(e)) {
      machine_.row(lower, candidate_.location[e])[e / 64] |= bit(e);
    }
  }
}

void Search::fill_order_bounds() {
  const std::uint64_t* present = machine_.executed_upper.words();
  for (const rules::TermId order : plan_.order_terms) {
    std::fill_n(machine_.buffer(buffer_of(order, Bound::Lower)), machine_.relation_words(), 0);
    const BufferId upper = buffer_of(order, Bound::Upper);
    for (EventId e = 0; e < graph_.size(); ++e) {
      std::copy_n(present, machine_.stride(), machine_.row(upper, e));
      machine_.row(upper, e)[e / 64] &= ~bit(e);
    }
  }
}

}  // namespace ambit::eval
