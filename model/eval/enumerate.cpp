#include "model/eval/enumerate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>

#include "base/assert.h"
#include "model/eval/search.h"

namespace ambit::eval {

using events::EventId;

namespace {

/// Limit on the number of writes whose values depend on reads. Above this limit, the computation of the values takes
/// more time than the solver.
constexpr std::ptrdiff_t kMostComputedWrites = 32;
/// Limit on the number of values that a read can return. An enumeration with a step limit does not start if some read
/// can return more values, for example from a counter that many threads or phases increment.
constexpr std::size_t kMostValuesOfRead = 128;

events::Answers nothing_known(const events::EventGraph& graph, const rules::Rules& rules, UnknownReason reason) {
  events::Answers answers;
  answers.flags.resize(rules.flags.size());
  answers.incidents.resize(graph.incidents.size());
  answers.unknown = reason;
  answers.unknown_detail = "the enumeration of executions did not begin in time";
  return answers;
}

/// Returns whether some axiom forbids every cycle in which reads read from writes and the writes depend on the reads.
bool values_are_grounded(const events::EventGraph& graph, const rules::Rules& rules) {
  // Events after a barrier depend on the reads of all threads that arrive there.
  const auto is_barrier = [](const events::Event& event) { return event.kind == events::EventKind::Barrier; };
  if (std::ranges::any_of(graph.events, is_barrier)) return false;
  const auto has = [&](const rules::Axiom& axiom, BaseRelation relation) {
    std::vector<rules::TermId> open = {axiom.term};
    while (!open.empty()) {
      const rules::Term& term = rules.terms[open.back()];
      open.pop_back();
      const auto* base = std::get_if<rules::BaseRelationTerm>(&term);
      if (base != nullptr && base->relation == relation) return true;
      if (const auto* both = std::get_if<rules::Union>(&term)) open.insert(open.end(), {both->left, both->right});
    }
    return false;
  };
  return std::ranges::any_of(rules.axioms, [&](const rules::Axiom& axiom) {
    if (axiom.test != rules::Test::Acyclic || axiom.negated || !has(axiom, BaseRelation::ReadsFrom)) return false;
    constexpr std::array kDependencies = {BaseRelation::AddressDependency, BaseRelation::DataDependency,
                                          BaseRelation::ControlDependency, BaseRelation::ReadModifyWritePair};
    return has(axiom, BaseRelation::ProgramOrder) ||
           std::ranges::all_of(kDependencies, [&](BaseRelation relation) { return has(axiom, relation); });
  });
}

double estimate(const events::EventGraph& graph, const rules::Rules& rules, Context& context, double enough) {
  const auto is_computed = [&](const events::Event& event) {
    return event.is_write() && !graph.values.is_constant(event.value);
  };
  if (std::ranges::count_if(graph.events, is_computed) > kMostComputedWrites) {
    return std::numeric_limits<double>::infinity();
  }
  const auto may_meet = [](const events::Event& a, const events::Event& b) {
    return std::ranges::any_of(a.locations, [&](LocationId l) { return std::ranges::binary_search(b.locations, l); });
  };
  const auto choices_of = [&](EventId e, const auto& counts) {
    double choices = 0;
    context.poll(graph.size() / 10);
    for (EventId w = 0; w < graph.size(); ++w) {
      const events::Event& write = graph.events[w];
      const bool may_be = write.is_write() && w != graph.events[e].rmw_partner && may_meet(graph.events[e], write);
      if (may_be && counts(w)) ++choices;
    }
    return choices;
  };
  double result = 1;
  double fences = 0;
  double others = 0;
  for (EventId e = 0; e < graph.size(); ++e) {
    const events::Event& event = graph.events[e];
    if (event.kind == events::EventKind::Fence) ++fences;
    if (event.thread != events::kNoThread) ++others;
    if (event.alternatives > 1) result *= event.alternatives;
    // In coherence, the write of a read-modify-write directly follows its read's source, without a choice.
    if (event.kind != events::EventKind::Write || event.is_rmw) continue;
    const auto is_older = [&](EventId w) { return w < e && graph.events[w].kind == events::EventKind::Write; };
    result *= 1 + choices_of(e, is_older);
  }
  for (const rules::OrderDeclaration& order : rules.orders) {
    // Most pairs in a declared order are forced or irrelevant. So multiply only by the number of pairs.
    const auto* base = std::get_if<rules::BaseSetTerm>(&rules.terms[order.set]);
    const double members = base == nullptr || base->set == BaseSet::Fence ? fences : others;
    result *= std::max(1.0, members * (members - 1) / 2);
  }
  if (result > enough) return result;
  const Domains domains = find_domains(graph, true, context, kMostValuesOfRead);
  if (domains.exploded) return std::numeric_limits<double>::infinity();
  for (EventId e = 0; e < graph.size() && result <= enough; ++e) {
    if (!graph.events[e].is_read()) continue;
    const auto may_source = [&](EventId w) { return intersect(domains.values[w], domains.values[e]); };
    result *= std::max(1.0, choices_of(e, may_source));
  }
  return result;
}

}  // namespace

Search::Search(const events::EventGraph& graph, const rules::Rules& rules, const Plan& plan,
               const events::Questions& questions, const Orbits& orbits, Context& context,
               std::optional<std::uint64_t> most_steps)
    : graph_(graph),
      rules_(rules),
      plan_(plan),
      questions_(questions),
      orbits_(orbits),
      context_(context),
      most_steps_(most_steps.value_or(std::numeric_limits<std::uint64_t>::max())),
      dependents_(graph),
      most_values_(most_steps ? kMostValuesOfRead : kMaxValues),
      domains_(find_domains(graph, true, context, most_values_)),
      candidate_(graph, dependents_),
      machine_(plan, graph, candidate_.knowledge, context),
      recorder_(graph, rules, questions, orbits),
      coherence_(machine_, buffer_of(plan.coherence, Bound::Lower), buffer_of(plan.coherence, Bound::Upper)) {
  for (const rules::TermId order : plan.order_terms) {
    orders_.emplace_back(machine_, buffer_of(order, Bound::Lower), buffer_of(order, Bound::Upper));
  }
  for (const auto& set : graph.sets) {
    for (const auto& member : set.sometimes) conditions_.push_back(member.condition);
  }
  for (const auto& relation : graph.relations) {
    for (const auto& pair : relation.sometimes) conditions_.push_back(pair.condition);
  }
  std::ranges::sort(conditions_);
  conditions_.erase(std::unique(conditions_.begin(), conditions_.end()), conditions_.end());
  guesses_ = !values_are_grounded(graph, rules);
  outcome_needs_memory_ = std::ranges::any_of(graph.program->observables, [](const Observable& observable) {
    return observable.kind == Observable::Kind::Memory;
  });
}

void Search::search_all() {
  if (domains_.exploded) {
    stopped_ = UnknownReason::Values;
    return;
  }
  search(Mode::Complete);
  if (!stopped_) recorder_.complete();
  if (stopped_ || recorder_.is_enough()) return;
  if (graph_.bound_reached != events::ValueGraph::kFalse) search_prefixes();
  if (!stopped_) recorder_.complete_bound();
}

events::Answers Search::run() {
  try {
    search_all();
  } catch (const Stopped& reached) {
    stopped_ = reached.reason;
  }
  context_.statistics.add("explicit.candidates", static_cast<double>(candidates_));
  context_.statistics.add("explicit.bound_tests", static_cast<double>(bound_tests_));
  context_.statistics.add("explicit.prunings", static_cast<double>(prunings_));
  events::Answers answers = std::move(recorder_).take();
  answers.unknown = stopped_;
  if (stopped_ == UnknownReason::Values) {
    answers.unknown_detail = fmt::format("a read can return more than {} different values", most_values_);
  } else if (stopped_ == UnknownReason::Unsupported) {
    answers.unknown_detail = "the events have more orders than the explicit engine can try";
  } else if (stopped_) {
    answers.unknown_detail = "the enumeration of executions did not finish";
  }
  return answers;
}

void Search::search_prefixes() {
  finished_ = false;
  domains_ = find_domains(graph_, false, context_, most_values_);
  if (domains_.exploded) {
    stopped_ = UnknownReason::Values;
  } else {
    search(Mode::Prefix);
  }
}

bool Search::should_stop() {
  if (finished_ || stopped_) return true;
  stopped_ = context_.should_stop(10 + machine_.relation_words() / 8);
  if (!stopped_ && bound_tests_ + candidates_ > most_steps_) stopped_ = UnknownReason::Timeout;
  return stopped_.has_value();
}

namespace {

events::Answers enumerate(const events::EventGraph& graph, const rules::Rules& rules, const Plan& plan,
                          const events::Questions& questions, Context& context, std::optional<std::uint64_t> most_steps,
                          const events::Symmetry& symmetry) {
  AMBIT_ASSERT(symmetry.is_trivial() || !questions.count);
  try {
    const Orbits orbits(graph, symmetry);
    events::Answers answers = Search(graph, rules, plan, questions, orbits, context, most_steps).run();
    answers.alike = symmetry.alike_threads();
    return answers;
  } catch (const Stopped& reached) {
    return nothing_known(graph, rules, reached.reason);
  } catch (const std::bad_alloc&) {
    return nothing_known(graph, rules, UnknownReason::Memory);
  }
}

}  // namespace

events::Answers enumerate(const events::EventGraph& graph, const rules::Rules& rules,
                          const events::Questions& questions, Context& context, std::optional<std::uint64_t> most_steps,
                          const events::Symmetry& symmetry) {
  return enumerate(graph, rules, Plan(rules), questions, context, most_steps, symmetry);
}

events::Answers enumerate(const events::EventGraph& graph, const FittedModel& model, const events::Questions& questions,
                          Context& context, std::optional<std::uint64_t> most_steps, const events::Symmetry& symmetry) {
  return enumerate(graph, *model.rules, *model.plan, questions, context, most_steps, symmetry);
}

double estimated_candidates(const events::EventGraph& graph, const rules::Rules& rules, Context& context,
                            double enough) {
  try {
    return estimate(graph, rules, context, enough);
  } catch (const Stopped&) {
    return std::numeric_limits<double>::infinity();
  }
}

}  // namespace ambit::eval
