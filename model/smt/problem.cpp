#include "model/smt/problem.h"

#include <algorithm>
#include <array>
#include <set>

#include "model/events/value_graph.h"
#include "model/smt/update_chains.h"

namespace ambit::smt {

using events::EventId;
using events::NodeId;

namespace {

/// For smaller programs, the encoding of the axioms takes less time than a query.
constexpr std::size_t kFewestEventsGlanced = 64;

/// Returns the threads whose reads affect the value of the node.
std::set<std::uint32_t> threads_of(const events::EventGraph& graph, NodeId node) {
  events::EventSet reads(graph.size());
  graph.values.collect_reads(node, reads);
  std::set<std::uint32_t> result;
  reads.for_each([&](EventId read) { result.insert(graph.events[read].thread); });
  return result;
}

/// Returns the parts of a conjunction.
std::vector<const Expr*> conjuncts(const Expr& expression) {
  std::vector<const Expr*> parts;
  std::vector<const Expr*> open = {&expression};
  while (!open.empty()) {
    const Expr* expr = open.back();
    open.pop_back();
    if (expr->op != Op::LogicalAnd) {
      parts.push_back(expr);
      continue;
    }
    for (auto argument = expr->arguments.rbegin(); argument != expr->arguments.rend(); ++argument) {
      open.push_back(&*argument);
    }
  }
  return parts;
}

/// Narrows the candidates by the axioms if the problem requires all axioms.
std::unique_ptr<RefinedBounds> narrowed(Candidates& candidates, const events::EventGraph& graph,
                                        const rules::Rules& rules, Context& context, Problem::Axioms axioms,
                                        const events::Symmetry& symmetry) {
  for (const auto& [older, younger] : symmetry.write_order()) candidates.put_before(older, younger);
  if (axioms == Problem::Axioms::Required) return narrow(candidates, graph, rules, context);
  return std::make_unique<RefinedBounds>(graph, rules, candidates, context);
}

}  // namespace

Problem::Problem(const events::EventGraph& graph, const rules::Rules& rules, Context& context, SatSolver& solver,
                 Axioms axioms, const events::Symmetry& symmetry)
    : graph_(graph),
      rules_(rules),
      solver_(solver),
      literals_(solver, context),
      axioms_(axioms),
      candidates_(graph),
      bounds_(narrowed(candidates_, graph, rules, context, axioms, symmetry)),
      choices_(graph, candidates_, literals_),
      values_of_(graph, candidates_, choices_, literals_),
      memory_(graph, candidates_, choices_, values_of_, literals_) {}

std::optional<UnknownReason> Problem::encode(const events::Questions& questions) {
  const Condition& condition = graph_.program->condition;
  std::vector<NodeId> roots = graph_.requirements;
  roots.push_back(graph_.bound_reached);
  for (const events::EventGraph::Bound& bound : graph_.bounds) roots.push_back(bound.reached);
  roots.push_back(graph_.stuck);
  std::vector<NodeId> filter;
  NodeId proposition = events::ValueGraph::kFalse;
  // Require each conjunct separately, because a filter over many threads can have a very large decision diagram.
  if (condition.filter) {
    for (const Expr* part : conjuncts(*condition.filter)) filter.push_back(values_of_.compile(*part));
  }
  roots.insert(roots.end(), filter.begin(), filter.end());
  if (questions.proposition && condition.proposition) {
    roots.push_back(proposition = values_of_.compile(*condition.proposition));
  }
  for (const events::Incident& incident : graph_.incidents) roots.push_back(incident.condition);
  std::vector<NodeId> observables;
  for (std::size_t i = 0; questions.outcomes && i < graph_.program->observables.size(); ++i) {
    observables.push_back(values_of_.observable(i));
  }
  roots.insert(roots.end(), observables.begin(), observables.end());
  for (const events::ConditionalSet& set : graph_.sets) {
    for (const auto& member : set.sometimes) roots.push_back(member.condition);
  }
  for (const events::ConditionalRelation& relation : graph_.relations) {
    for (const auto& pair : relation.sometimes) roots.push_back(pair.condition);
  }
  const std::vector<UpdateChain> update_chains = find_update_chains(graph_, candidates_, literals_.context());
  if (!values_of_.prepare(std::move(roots), reads_of_chains(graph_, candidates_, update_chains, literals_.context()))) {
    return UnknownReason::Values;
  }

  require_known_coherence();
  memory_.require_candidate();
  require_complete(filter);
  if (!filter.empty() && !questions.outcomes && has_no_candidate()) {
    literals_.require({});
    return std::nullopt;
  }
  encode_axioms();
  holds = values_of_.truth(proposition);
  if (!questions.stuck_is_complete) unstuck = -values_of_.truth(graph_.stuck);
  for (const NodeId node : observables) {
    outcome_values.push_back(values_of_.domain(node));
    outcomes.emplace_back();
    for (const Value v : outcome_values.back()) outcomes.back().push_back(values_of_.equals(node, v));
  }
  encode_questions(questions);
  UpdateChains chains(graph_, candidates_, update_chains, choices_, values_of_, literals_);
  chains.add();
  lemmas = chains.lemmas();
  encoder_->finish();
  values_of_.finish();
  choices_.coherence().finish();
  return std::nullopt;
}

void Problem::require_complete(const std::vector<NodeId>& filter) {
  std::vector<Lit> wanted = {-values_of_.truth(graph_.bound_reached)};
  for (const NodeId part : filter) wanted.push_back(values_of_.truth(part));
  for (const NodeId requirement : graph_.requirements) wanted.push_back(values_of_.truth(requirement));
  if (graph_.bound_reached == events::ValueGraph::kFalse) {
    for (const Lit l : wanted) literals_.require({l});
    return;
  }
  complete = literals_.all_of(wanted);
  // A thread that reaches the bound must have met its own requirements. In a prefix, the requirements of other threads
  // may be violated, because these threads may wait for events after the bound.
  std::vector<NodeId> requirements;
  for (const NodeId r : graph_.requirements) events::collect_parts(graph_.values, r, Op::LogicalAnd, requirements);
  std::vector<Lit> ways;
  for (const events::EventGraph::Bound& of : graph_.bounds) {
    std::vector<Lit> parts = {values_of_.truth(of.reached)};
    for (const NodeId requirement : requirements) {
      const std::set<std::uint32_t> concerned = threads_of(graph_, requirement);
      const bool is_own = std::ranges::all_of(concerned, [&](std::uint32_t t) { return t == of.thread; });
      const bool says_what_a_choice_means = concerned.contains(events::kNoThread);
      if (is_own || says_what_a_choice_means) parts.push_back(values_of_.truth(requirement));
    }
    ways.push_back(literals_.all_of(parts));
  }
  bound = literals_.any_of(ways);
}

/// Returns whether the clauses so far have no solution. Without a solution, the bounds of the axioms and the filter
/// already exclude all relevant executions. Then Ambit need not encode the axioms, which would take most of the time.
bool Problem::has_no_candidate() {
  if (graph_.size() < kFewestEventsGlanced) return false;
  if (literals_.is_contradictory()) return true;
  const Lit some = literals_.simplified(literals_.any_of(std::array{complete, bound}));
  if (some == kTrue) return solver_.glance({}) == SatSolver::Answer::Unsatisfiable;
  literals_.prepare(some);
  return solver_.glance(std::array{some}) == SatSolver::Answer::Unsatisfiable;
}

/// Adds the known order of writes to the order that the solver chooses for the other writes.
void Problem::require_known_coherence() {
  for (const std::vector<EventId>& writes : candidates_.writes) {
    for (const EventId a : writes) {
      if (graph_.events[a].kind == events::EventKind::InitialWrite) continue;
      for (const EventId b : writes) {
        if (!candidates_.coherence.must.contains(a, b)) continue;
        const bool is_implied = std::ranges::any_of(writes, [&](EventId between) {
          return graph_.events[between].is_unconditional() && candidates_.coherence.must.contains(a, between) &&
                 candidates_.coherence.must.contains(between, b);
        });
        if (!is_implied) choices_.coherence().constrain(a, b, values_of_.both_executed(a, b));
      }
    }
  }
}

void Problem::encode_axioms() {
  encoder_ = std::make_unique<Encoder>(graph_, rules_, bounds_->bounds, bounds_->updates, memory_, values_of_,
                                       literals_, axioms_ == Axioms::Required);
  encoder_->settle_order_sets();
  // Encode atomicity and similar axioms first: axioms of the form `empty` exclude single edges, so that cycles cannot
  // contain these edges. Encode acyclicity axioms next: they determine the parts of rf and co that follow from program
  // order, so that all later parts become smaller.
  if (axioms_ == Axioms::Guarded) {
    for (std::size_t i = 0; i < rules_.axioms.size(); ++i) guards.push_back(literals_.fresh());
  }
  for (const rules::Test test : {rules::Test::Empty, rules::Test::Acyclic, rules::Test::Irreflexive}) {
    for (std::size_t i = 0; i < rules_.axioms.size(); ++i) {
      if (rules_.axioms[i].test != test) continue;
      literals_.set_guard(guards.empty() ? kTrue : guards[i]);
      encoder_->require(rules_.axioms[i]);
      literals_.set_guard(kTrue);
    }
  }
}

void Problem::encode_questions(const events::Questions& questions) {
  if (questions.incidents) {
    for (const events::Incident& incident : graph_.incidents) {
      incidents.push_back(values_of_.truth(incident.condition));
    }
  }
  for (std::uint32_t i = 0; questions.flags && i < rules_.flags.size(); ++i) {
    const rules::Flag& flag = rules_.flags[i];
    if (!flag.negated) {
      flagged.push_back({i, events::kNoEvent, events::kNoEvent, encoder_->raised(flag)});
      continue;
    }
    for (const Edge& pair : encoder_->flag_pairs(flag)) flagged.push_back({i, pair.from, pair.to, pair.literal});
  }
  witness_ = std::make_unique<WitnessReader>(graph_, rules_, candidates_, choices_, *encoder_);
}

void Problem::read_model() {
  const std::size_t count = literals_.variable_count() + 1;
  leaves_.clear();
  for (std::size_t v = 2; v < count; ++v) {
    if (literals_.is_emitted_leaf(static_cast<Lit>(v))) leaves_.push_back(static_cast<Lit>(v));
  }
  values_.assign(count, false);
  solver_.read_model(leaves_, values_);
  literals_.evaluate(values_);
}

}  // namespace ambit::smt
