#include <algorithm>

#include "base/assert.h"
#include "model/eval/evaluator.h"
#include "model/eval/search.h"

namespace ambit::eval {
namespace {

using events::EventId;
using events::kNoEvent;

/// If at least this number of pairs is open, the search first tries both directions of each pair to find forced pairs.
constexpr std::size_t kWorthForcing = 4;
/// Limit on the number of open pairs. Each decided pair takes one recursive call.
constexpr std::size_t kMaxOpenPairs = 10000;

}  // namespace

bool Search::prepare_static(bool is_exact) {
  StaticState& wanted = wanted_state_;
  wanted.is_exact = is_exact;
  wanted.lower = machine_.executed_lower;
  wanted.upper = machine_.executed_upper;
  wanted.conditions.clear();
  for (const events::NodeId condition : conditions_) {
    const bool known = candidate_.knowledge.is_known(condition);
    wanted.conditions.push_back(known ? static_cast<std::uint8_t>(candidate_.node(condition) != 0) : 2);
  }
  wanted.passed = static_state_.passed;
  if (has_static_state_ && wanted == static_state_) return static_state_.passed;
  flag_terms_known_.fill(false);
  wanted.passed = is_exact ? run(Level::Static) : machine_.run(plan_.bound_steps[0][0]);
  static_state_ = wanted;
  has_static_state_ = true;
  return wanted.passed;
}

void Search::complete_sources() {
  if (mode_ == Mode::Prefix && !prefix_is_possible()) return;
  if (!outcome_needs_memory_ && mode_ == Mode::Complete) {
    outcome_ = outcome();
    const auto& filter = graph_.program->condition.filter;
    if (filter && !events::holds(*filter, outcome_)) return;
    if (!recorder_.adds_answer(outcome_, candidate_)) return;
  }
  ++candidates_;
  fill_executed_bounds();
  if (!prepare_static(true)) return;
  const BufferId reads_from = buffer_of(plan_.reads_from, Bound::Lower);
  std::fill_n(machine_.buffer(reads_from), machine_.relation_words(), 0);
  for (const EventId read : dependents_.reads) {
    const EventId write = candidate_.source[read];
    if (write != kNoEvent) machine_.row(reads_from, write)[read / 64] |= std::uint64_t{1} << (read % 64);
  }
  flag_terms_known_[static_cast<std::size_t>(Level::ReadsFrom)] = false;
  if (run(Level::ReadsFrom)) begin_coherence();
}

void Search::begin_coherence() {
  std::vector<std::vector<EventId>> writes(graph_.program->locations.size());
  for (EventId e = 0; e < graph_.size(); ++e) {
    if (graph_.events[e].is_write() && machine_.executed_lower.contains(e)) {
      writes[candidate_.location[e]].push_back(e);
    }
  }
  coherence_.clear();
  for (std::size_t location = 0; location < writes.size(); ++location) {
    coherence_.add_group(writes[location]);
    for (const EventId write : writes[location]) {
      if (write != location) coherence_.decide(location, static_cast<EventId>(location), write);
    }
  }
  if (coherence_.open_count() >= 2) {
    fill_order_bounds();
    if (!passes_bounds(Level::Coherence) || !force(coherence_, Level::Coherence)) return;
  }
  choose_coherence(0);
}

bool Search::passes_bounds(Level open) {
  ++bound_tests_;
  const auto first = static_cast<std::size_t>(open);
  for (std::size_t level = first; level < kLevels; ++level) {
    if (machine_.run(plan_.bound_steps[first][level])) continue;
    ++prunings_;
    return false;
  }
  return true;
}

bool Search::force(PairOrder& order, Level open) {
  const std::size_t open_pairs = order.open_count();
  if (open_pairs < kWorthForcing) return true;
  if (open_pairs > kMaxOpenPairs) {
    stopped_ = UnknownReason::Unsupported;
    return false;
  }
  for (const PairOrder::Pair& pair : order.pairs()) {
    if (should_stop()) return false;
    if (order.is_decided(pair.first, pair.second)) continue;
    const auto is_possible = [&](EventId first, EventId second) {
      const std::size_t mark = order.mark();
      order.decide(pair.group, first, second);
      const bool possible = passes_bounds(open);
      order.undo(mark);
      return possible;
    };
    const bool forward = is_possible(pair.first, pair.second);
    const bool backward = is_possible(pair.second, pair.first);
    if (!forward && !backward) return false;
    if (!backward) order.decide(pair.group, pair.first, pair.second);
    if (!forward) order.decide(pair.group, pair.second, pair.first);
  }
  return true;
}

void Search::choose_coherence(std::size_t from) {
  if (should_stop()) return;
  from = coherence_.next_open(from);
  if (from == coherence_.pairs().size()) return complete_coherence();
  const PairOrder::Pair pair = coherence_.pairs()[from];
  for (const bool forward : {true, false}) {
    if (finished_ || stopped_) return;
    const std::size_t mark = coherence_.mark();
    coherence_.decide(pair.group, forward ? pair.first : pair.second, forward ? pair.second : pair.first);
    const bool is_complete = coherence_.next_open(from) == coherence_.pairs().size();
    if (is_complete || passes_bounds(Level::Coherence)) choose_coherence(from + 1);
    coherence_.undo(mark);
  }
}

void Search::complete_coherence() {
  if (mode_ == Mode::Complete && outcome_needs_memory_) {
    outcome_ = outcome();
    const auto& filter = graph_.program->condition.filter;
    if (filter && !events::holds(*filter, outcome_)) return;
    if (!recorder_.adds_answer(outcome_, candidate_)) return;
  }
  flag_terms_known_[static_cast<std::size_t>(Level::Coherence)] = false;
  if (!run(Level::Coherence)) return;
  accepted_ = false;
  if (begin_orders()) choose_orders(0, 0);
  if (accepted_ && mode_ == Mode::Complete && recorder_.wants_count() && recorder_.is_complete(candidate_)) {
    recorder_.count_execution(outcome_);
  }
  if (plan_.order_terms.empty()) return;
  fill_order_bounds();  // restore the bounds for the next coherence choices
}

bool Search::begin_orders() {
  for (std::size_t i = 0; i < orders_.size(); ++i) {
    orders_[i].clear();
    std::vector<EventId> members;
    machine_.set(buffer_of(plan_.order_domains[i], Bound::Lower)).for_each([&](EventId e) { members.push_back(e); });
    if (!plan_.order_masks[i]) {
      orders_[i].add_group(std::move(members));
      continue;
    }
    events::Relation relevant(graph_.size());
    for (const rules::TermId mask : *plan_.order_masks[i]) relevant |= machine_.relation(buffer_of(mask, Bound::Lower));
    orders_[i].add_group(std::move(members), &relevant);
  }
  if (std::ranges::none_of(orders_, [](const PairOrder& order) { return order.open_count() > 0; })) return true;
  try_some_orders();
  if (finished_ || stopped_) return false;
  if (accepted_ && (!passes_bounds(Level::Order) || !orders_may_add_answers())) return false;
  return std::ranges::all_of(orders_, [&](PairOrder& order) { return force(order, Level::Order); });
}

void Search::try_some_orders() {
  for (PairOrder& order : orders_) {
    const std::vector<EventId> sequence = order.sequence(0);
    for (std::size_t i = 0; i + 1 < sequence.size(); ++i) {
      if (!order.is_decided(sequence[i], sequence[i + 1])) order.decide(0, sequence[i], sequence[i + 1]);
    }
  }
  complete_orders();
  for (PairOrder& order : orders_) order.undo(0);
}

bool Search::orders_may_add_answers() {
  if (!accepted_) return true;
  if (mode_ == Mode::Prefix || !plan_.flags_need_orders || !recorder_.wants_flags()) return false;
  compute_flag_terms(Level::Coherence);
  machine_.run(plan_.flag_bound_steps);
  for (std::size_t i = 0; i < rules_.flags.size(); ++i) {
    const rules::Flag& flag = rules_.flags[i];
    if (flag.test != rules::Test::Empty || !flag.negated) return true;
    const BufferId upper = plan_.flag_upper_bounds[i];
    const bool is_set = rules_.kinds[flag.term] == rules::Kind::Set;
    if (recorder_.has_new_pair(i, is_set ? events::identity(machine_.set(upper)) : machine_.relation(upper)))
      return true;
  }
  return false;
}

void Search::choose_orders(std::size_t order, std::size_t from) {
  if (should_stop()) return;
  while (order < orders_.size() && (from = orders_[order].next_open(from)) == orders_[order].pairs().size()) {
    ++order;
    from = 0;
  }
  if (order == orders_.size()) return complete_orders();
  PairOrder& chosen = orders_[order];
  const PairOrder::Pair pair = chosen.pairs()[from];
  for (const bool forward : {true, false}) {
    if (finished_ || stopped_) return;
    const std::size_t mark = chosen.mark();
    chosen.decide(pair.group, forward ? pair.first : pair.second, forward ? pair.second : pair.first);
    const bool is_last = order + 1 == orders_.size() && chosen.next_open(from) == chosen.pairs().size();
    if (is_last || (passes_bounds(Level::Order) && orders_may_add_answers())) choose_orders(order, from + 1);
    chosen.undo(mark);
  }
}

void Search::complete_orders() {
  flag_terms_known_[static_cast<std::size_t>(Level::Order)] = false;
  if (run(Level::Order)) accept();
}

void Search::accept() {
  accepted_ = true;
  if (mode_ == Mode::Prefix) {
    recorder_.record_bound(execution());
    finished_ = true;
    return;
  }
  recorder_.record(outcome_, candidate_, [&] { return execution(); });
  if (recorder_.wants_flags()) record_flags();
  finished_ = recorder_.is_finished();
}

void Search::compute_flag_terms(Level last) {
  for (std::size_t level = 0; level <= static_cast<std::size_t>(last); ++level) {
    if (flag_terms_known_[level]) continue;
    machine_.run(plan_.flag_steps[level]);
    flag_terms_known_[level] = true;
  }
}

void Search::record_flags() {
  compute_flag_terms(Level::Order);
  for (std::size_t i = 0; i < rules_.flags.size(); ++i) {
    const rules::Flag& flag = rules_.flags[i];
    const bool is_set = rules_.kinds[flag.term] == rules::Kind::Set;
    const BufferId held = buffer_of(flag.term, Bound::Lower);
    if (!machine_.test(flag.test, flag.negated, is_set, held)) continue;
    const events::Relation related = is_set ? events::identity(machine_.set(held)) : machine_.relation(held);
    recorder_.record_flag(i, reported_pairs(flag, related), [&] { return execution(); });
  }
}

events::Outcome Search::outcome() const {
  events::Outcome result;
  const auto& observables = graph_.program->observables;
  result.reserve(observables.size());
  for (std::size_t i = 0; i < observables.size(); ++i) {
    if (observables[i].kind == Observable::Kind::Register) {
      result.push_back(candidate_.node(graph_.observables[i]));
      continue;
    }
    EventId last = observables[i].location;
    for (const EventId write : coherence_.groups()[observables[i].location]) {
      if (coherence_.precedes(last, write)) last = write;
    }
    result.push_back(observables[i].type.wrap(candidate_.value[last]));
  }
  return result;
}

events::Execution Search::execution() const {
  events::Execution result;
  result.executed = machine_.executed_lower;
  result.values.assign(graph_.size(), 0);
  result.locations.assign(graph_.size(), 0);
  result.reads_from = candidate_.source;
  result.executed.for_each([&](EventId e) {
    if (!graph_.events[e].is_access()) return;
    result.values[e] = candidate_.value[e];
    result.locations[e] = candidate_.location[e];
  });
  for (EventId e = 0; e < graph_.size(); ++e) {
    if (graph_.is_choice(e)) result.values[e] = candidate_.value[e];
  }
  for (std::size_t l = 0; l < coherence_.groups().size(); ++l) result.coherence.push_back(coherence_.sequence(l));
  for (const PairOrder& order : orders_) result.orders.push_back(order.sequence(0));
  return result;
}

}  // namespace ambit::eval
