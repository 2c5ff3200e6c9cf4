#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/assert.h"
#include "model/eval/search.h"

namespace ambit::eval {
namespace {

using events::Event;
using events::EventId;
using events::kNoEvent;

/// If at least this number of candidate executions is open, the search tests the bounds first.
constexpr double kWorthTesting = 8;

bool share_location(const Event& a, const Event& b) {
  return std::ranges::any_of(a.locations, [&](LocationId l) { return std::ranges::binary_search(b.locations, l); });
}

std::uint64_t bit_of(EventId e) { return std::uint64_t{1} << (e % 64); }

}  // namespace

void Search::find_choices() {
  writers_.assign(graph_.size(), {});
  may_cohere_ = events::Relation(graph_.size());
  left_out_.assign(graph_.size(), events::EventSet(graph_.size()));
  coherence_choices_ = 1;
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
    if (write.kind == events::EventKind::Write) coherence_choices_ *= rivals;  // for k writes, the product is k!
  }
}

/// Orders the reads. The order alternates between the reads of exchangeable threads, because these threads remain
/// exchangeable only while their choices are equal.
void Search::order_reads() {
  read_order_ = dependents_.reads;
  if (orbits_.is_trivial()) return;
  std::vector<EventId> first(graph_.program->threads.size(), kNoEvent);
  for (EventId e = 0; e < graph_.size(); ++e) {
    const std::uint32_t thread = graph_.events[e].thread;
    if (thread != events::kNoThread && first[thread] == kNoEvent) first[thread] = e;
  }
  const auto position = [&](EventId read) {
    return graph_.is_choice(read) ? EventId{0} : 1 + read - first[graph_.events[read].thread];
  };
  std::ranges::stable_sort(read_order_, {}, position);
}

void Search::search(Mode mode) {
  mode_ = mode;
  find_choices();
  order_reads();
  candidate_.begin();
  if (meets_requirements()) choose_source();
}

/// Returns whether the newly known values violate no requirement.
bool Search::meets_requirements() const {
  if (mode_ == Mode::Prefix) {
    return std::ranges::any_of(dependents_.bounds, [&](events::NodeId bound) {
      return !candidate_.knowledge.is_known(bound) || candidate_.node(bound) != 0;
    });
  }
  const bool is_stuck = candidate_.knowledge.is_known(graph_.stuck) && candidate_.node(graph_.stuck) != 0;
  if (is_stuck && !recorder_.wants_stuck()) return false;
  return std::ranges::all_of(candidate_.news(), [&](events::NodeId node) {
    return candidate_.node(node) == 0 ? !dependents_.is_requirement[node] : !dependents_.is_bound[node];
  });
}

bool Search::prefix_is_possible() const {
  // A thread that reaches the bound must have met its own requirements. In a prefix, the requirements of other threads
  // may be violated, because these threads may wait for events after the bound.
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
    if (concerned.contains(events::kNoThread)) return true;  // the requirement defines a choice, so it must always hold
    return std::ranges::all_of(concerned, [&](std::uint32_t t) { return t == bounded; });
  };
  for (std::size_t i = 0; i < dependents_.bounds.size(); ++i) {
    if (candidate_.node(dependents_.bounds[i]) == 0) continue;
    const bool is_possible = std::ranges::none_of(dependents_.requirements, [&](events::NodeId requirement) {
      return is_obstacle(requirement, dependents_.bound_threads[i]);
    });
    if (is_possible) return true;
  }
  return false;
}

void Search::choose_source() {
  if (should_stop()) return;
  if (candidate_.assigned_count() == dependents_.reads.size()) return complete_sources();
  EventId chosen = kNoEvent;
  EventId waiting = kNoEvent;
  Sources chosen_sources;
  Sources waiting_sources;
  for (const EventId read : read_order_) {
    if (candidate_.is_assigned(read)) continue;
    if (graph_.is_choice(read)) return choose_alternative(read);
    if (candidate_.is_absent(read)) return try_source(read, kNoEvent, 0, 1);
    if (!candidate_.is_known(read)) continue;
    Sources sources = sources_of(read);
    if (sources.open.empty() && sources.known.size() <= 1) return choose_source_of(read, sources);
    const bool waits = sources.known.empty();
    EventId& first = waits ? waiting : chosen;
    if (first != kNoEvent) continue;
    first = read;
    (waits ? waiting_sources : chosen_sources) = std::move(sources);
  }
  if (chosen != kNoEvent) return choose_source_of(chosen, chosen_sources);
  AMBIT_ASSERT(waiting != kNoEvent);  // a thread's first open read can wait only for other threads
  if (guesses_) guess_source(waiting, waiting_sources);
}

Search::Sources Search::sources_of(EventId read) const {
  Sources result;
  for (const EventId write : writers_[read]) {
    const Fit fits = fit(write, read);
    if (fits == Fit::No || left_out_[read].contains(write)) continue;
    (fits == Fit::Yes ? result.known : result.open).push_back(write);
  }
  return result;
}

/// Returns whether the exchange maps the choices made so far to themselves.
bool Search::keeps_choices(const Orbits::Exchange& exchange) const {
  const auto image = [&](EventId e) { return orbits_.image(exchange, e); };
  for (const EventId read : dependents_.reads) {
    if (candidate_.is_assigned(read) && candidate_.source[read] != kNoEvent) {
      const EventId other = image(read);
      if (!candidate_.is_assigned(other) || candidate_.source[other] != image(candidate_.source[read])) return false;
    }
    bool keeps = true;
    left_out_[read].for_each([&](EventId write) { keeps = keeps && left_out_[image(read)].contains(image(write)); });
    if (!keeps) return false;
  }
  return true;
}

/// If an exchange preserves the current choices, it maps the completions of these choices to each other. So an image of
/// a tried pair leads only to images of known executions.
void Search::choose_source_up_to_exchanges(EventId read, const Sources& sources) {
  const std::size_t choices = sources.known.size() + (sources.open.empty() ? 0 : 1);
  std::vector<Orbits::Exchange> exchanges;
  if (choices > 1 && !has_guessed_) {
    std::ranges::copy_if(orbits_.exchanges(), std::back_inserter(exchanges),
                         [&](const Orbits::Exchange& exchange) { return keeps_choices(exchange); });
  }
  std::vector<Orbits::Pair> tried;
  for (const EventId write : sources.known) {
    if (finished_ || stopped_) break;
    if (left_out_[read].contains(write)) continue;  // the pair is an image of another pair
    try_source(read, write, candidate_.value[write], choices);
    for (const Orbits::Pair& pair : orbits_.of({read, write}, exchanges)) {
      if (left_out_[pair.first].contains(pair.second)) continue;
      left_out_[pair.first].insert(pair.second);
      tried.push_back(pair);
    }
  }
  if (!sources.open.empty() && !finished_ && !stopped_) go_on(choices);
  for (const Orbits::Pair& pair : tried) left_out_[pair.first].erase(pair.second);
}

void Search::choose_source_of(EventId read, const Sources& sources) {
  if (!orbits_.is_trivial()) return choose_source_up_to_exchanges(read, sources);
  const std::size_t choices = sources.known.size() + (sources.open.empty() ? 0 : 1);
  for (const EventId write : sources.known) try_source(read, write, candidate_.value[write], choices);
  if (sources.open.empty() || finished_ || stopped_) return;
  for (const EventId write : sources.known) left_out_[read].insert(write);
  go_on(choices);
  for (const EventId write : sources.known) left_out_[read].erase(write);
}

/// Guesses a source: for each unknown write and each possible value, assumes that the write has the read's location and
/// this value.
void Search::guess_source(EventId read, const Sources& sources) {
  const bool had_guessed = std::exchange(has_guessed_, true);
  for (const EventId write : sources.open) {
    const Candidate::Promise& promise = candidate_.promise(write);
    if (promise.count > 0) {
      if (promise.location == candidate_.location[read]) try_source(read, write, promise.value, sources.open.size());
      continue;
    }
    for (const Value value : domains_.values[write]) {
      if (!std::ranges::binary_search(domains_.values[read], value)) continue;
      try_source(read, write, value, sources.open.size());
    }
  }
  has_guessed_ = had_guessed;
}

void Search::choose_alternative(EventId choice) {
  const std::uint32_t count = graph_.events[choice].alternatives;
  for (Value value = 0; value < static_cast<Value>(count); ++value) try_source(choice, kNoEvent, value, count);
}

void Search::try_source(EventId read, EventId write, Value value, std::size_t choices) {
  if (finished_ || stopped_) return;
  const bool consistent = candidate_.assign(read, write, value);
  if (consistent && meets_requirements()) go_on(choices);
  candidate_.retract();
}

void Search::go_on(std::size_t choices) {
  const bool is_open = candidate_.assigned_count() < dependents_.reads.size() && choices > 1;
  if (!is_open || !is_worth_testing() || may_be_completed()) choose_source();
}

/// Returns whether there are enough open choices to make a test of the bounds worthwhile.
bool Search::is_worth_testing() const {
  double choices = coherence_choices_;
  for (const EventId read : dependents_.reads) {
    if (choices >= kWorthTesting) return true;
    if (candidate_.is_assigned(read)) continue;
    const auto count =
        static_cast<double>(graph_.is_choice(read) ? graph_.events[read].alternatives : writers_[read].size());
    choices *= std::max(1.0, count);
  }
  return choices >= kWorthTesting;
}

/// Returns whether all guards and all conditions of base relations are known.
bool Search::is_exact() const {
  return std::ranges::all_of(dependents_.static_nodes,
                             [&](events::NodeId node) { return candidate_.knowledge.is_known(node); });
}

bool Search::may_be_completed() {
  ++bound_tests_;
  const bool is_static = is_exact();
  fill_executed_bounds();
  if (!prepare_static(is_static) || !fill_source_bounds()) {
    ++prunings_;
    return false;
  }
  fill_coherence_bounds();
  fill_order_bounds();
  const auto& steps = plan_.bound_steps[is_static ? 1 : 0];
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

/// Returns whether `read` can read from `write`, given their known properties.
Search::Fit Search::fit(EventId write, EventId read) const {
  if (candidate_.is_absent(write)) return Fit::No;
  const bool has_location = candidate_.knowledge.is_known(graph_.events[read].guard) && candidate_.is_known(read);
  if (!candidate_.is_known(write)) {
    const bool meets =
        !has_location || std::ranges::binary_search(graph_.events[write].locations, candidate_.location[read]);
    return meets ? Fit::Open : Fit::No;
  }
  if (!std::ranges::binary_search(domains_.values[read], candidate_.value[write])) return Fit::No;
  return !has_location || candidate_.location[write] == candidate_.location[read] ? Fit::Yes : Fit::No;
}

bool Search::fill_source_bounds() {
  const BufferId lower = buffer_of(plan_.reads_from, Bound::Lower);
  const BufferId upper = buffer_of(plan_.reads_from, Bound::Upper);
  std::fill_n(machine_.buffer(lower), machine_.relation_words(), 0);
  std::fill_n(machine_.buffer(upper), machine_.relation_words(), 0);
  for (const EventId read : dependents_.reads) {
    EventId only = candidate_.source[read];
    if (!candidate_.is_assigned(read)) {
      if (candidate_.is_absent(read)) continue;
      std::size_t count = 0;
      for (const EventId write : writers_[read]) {
        if (left_out_[read].contains(write) || fit(write, read) == Fit::No) continue;
        machine_.row(upper, write)[read / 64] |= bit_of(read);
        only = write;
        ++count;
      }
      const bool is_executed = candidate_.knowledge.is_known(graph_.events[read].guard);
      if (!is_executed || count > 1 || graph_.is_choice(read)) continue;
      if (count == 0) return false;
    }
    if (only == kNoEvent) continue;
    machine_.row(lower, only)[read / 64] |= bit_of(read);
    machine_.row(upper, only)[read / 64] |= bit_of(read);
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
      machine_.row(lower, event.locations.front())[e / 64] |= bit_of(e);
    } else if (candidate_.is_known(e)) {
      machine_.row(lower, candidate_.location[e])[e / 64] |= bit_of(e);
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
      machine_.row(upper, e)[e / 64] &= ~bit_of(e);
    }
  }
}

}  // namespace ambit::eval
