#include "model/explain/outcome.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <map>
#include <utility>

#include "model/eval/base.h"
#include "model/eval/enumerate.h"
#include "model/eval/evaluator.h"
#include "model/explain/carry_over.h"
#include "model/explain/derivation.h"
#include "model/explain/repair_search.h"

namespace ambit::explain {
namespace {

using events::EventGraph;
using events::EventId;
using events::Execution;
using events::Possibility;
using events::Relation;
using RulesPtr = std::shared_ptr<const rules::Rules>;

/// Axioms by number, as bits.
using AxiomSet = std::uint64_t;
/// With more axioms the smallest set is not looked for.
constexpr std::size_t kMostAxioms = 16;
/// Milliseconds for telling the axioms apart.
constexpr std::uint64_t kLongestDivision = 1500;
/// Candidate executions that are enumerated faster than Z3 starts.
constexpr double kSmallSearch = 1000;

AxiomSet all_axioms(const rules::Rules& rules) { return (AxiomSet{1} << rules.axioms.size()) - 1; }

/// What a verdict says of the proposition's being met.
Possibility met(const verdict::Verdict& verdict) {
  if (verdict.answers.holds.possibility == Possibility::Possible) return Possibility::Possible;
  if (verdict.frequency == Frequency::Never) return Possibility::Impossible;
  const bool none = verdict.answers.any.possibility == Possibility::Impossible && !verdict.unknown;
  return none ? Possibility::Impossible : Possibility::Unknown;
}

class OutcomeExplainer {
 public:
  OutcomeExplainer(verdict::Checker& checker, std::shared_ptr<const Program> program, RulesPtr rules,
                   const verdict::CheckOptions& options, Context& context)
      : checker_(checker),
        program_(std::move(program)),
        rules_(std::move(rules)),
        options_(options),
        context_(context) {
    options_.questions = {true, false, false, false, false};
  }

  Result<OutcomeExplanation> explain() {
    Result<verdict::Verdict> checked = checker_.check(program_, rules_, options_, context_);
    if (!checked.ok()) return checked.errors();
    const verdict::Verdict& verdict = checked.value();
    result_.graph = verdict.graph;
    result_.rules = rules_;
    result_.model = verdict.model;
    result_.possibility = met(verdict);
    result_.unknown = verdict.unknown;
    result_.unknown_detail = verdict.unknown_detail;
    if (result_.possibility == Possibility::Possible) {
      result_.witness = verdict.answers.holds.witness;
      if (result_.witness) result_.weak_cycle = weak_cycle(*result_.witness);
      if (!result_.weak_cycle.empty()) find_repairs();
    } else if (result_.possibility == Possibility::Impossible) {
      forbidden();
    }
    return std::move(result_);
  }

 private:
  struct Answer {
    Possibility possibility = Possibility::Unknown;
    std::optional<Execution> witness;
  };

  /// Is the proposition met in some execution that satisfies the given axioms?
  Answer ask(AxiomSet axioms) {
    auto fewer = std::make_shared<rules::Rules>(*rules_);
    fewer->flags.clear();
    fewer->axioms.clear();
    for (std::size_t i = 0; i < rules_->axioms.size(); ++i) {
      if ((axioms >> i & 1U) != 0) fewer->axioms.push_back(rules_->axioms[i]);
    }
    verdict::CheckOptions options = options_;
    // With few axioms there is little to prune by: only the smallest searches are for enumeration.
    const bool is_small = eval::estimated_candidates(*result_.graph, *fewer) <= kSmallSearch;
    if (options.engine == verdict::Engine::Auto && !is_small) options.engine = verdict::Engine::Smt;
    Result<verdict::Verdict> checked = checker_.check(program_, fewer, options, division_);
    if (!checked.ok()) return {};  // the graph was built before: it cannot fail now
    Answer answer{met(checked.value()), std::move(checked.value().answers.holds.witness)};
    if (answer.witness) broken_.push_back(broken_by(*answer.witness));
    return answer;
  }

  AxiomSet broken_by(const Execution& execution) const {
    const std::vector<bool> holds = eval::evaluate(*result_.graph, *rules_, execution).axioms;
    AxiomSet broken = 0;
    for (std::size_t i = 0; i < holds.size(); ++i) broken |= AxiomSet{holds[i] ? 0U : 1U} << i;
    return broken;
  }

  void find_repairs() {
    const auto mends = [&](const Repair& repair) {
      const RepairedProgram repaired = apply(*program_, repair);
      if (carry_over(*result_.graph, *result_.witness, repaired, *without_flags_)) return false;
      Result<verdict::Verdict> checked = checker_.check(repaired.program, without_flags_, options_, context_);
      return checked.ok() && met(checked.value()) == Possibility::Impossible &&
             checked.value().answers.any.possibility == Possibility::Possible;
    };
    auto without_flags = std::make_shared<rules::Rules>(*rules_);
    without_flags->flags.clear();
    without_flags_ = std::move(without_flags);
    result_.repairs = search_repairs(candidate_repairs(*result_.graph), mends, context_);
  }

  void forbidden() {
    if (rules_->axioms.size() > kMostAxioms) {
      result_.is_undivided = true;
      return;
    }
    division_ = context_;
    if (context_.milliseconds_left().value_or(kLongestDivision + 1) > kLongestDivision) {
      division_.set_timeout(std::chrono::milliseconds(kLongestDivision));
    }
    const std::optional<AxiomSet> core = smallest_core();
    if (!core) return;
    for (std::size_t i = 0; i < rules_->axioms.size(); ++i) {
      if ((*core >> i & 1U) != 0) add_violation(i, *core);
    }
  }

  /// The smallest set of axioms that forbids the proposition; the first one by the model's sequence. Every such set
  /// holds the axioms without which it would be allowed, and an axiom broken by each execution seen so far. Nothing
  /// when no axiom is needed.
  std::optional<AxiomSet> smallest_core() {
    const AxiomSet all = all_axioms(*rules_);
    AxiomSet needed = 0;
    for (std::size_t i = 0; i < rules_->axioms.size(); ++i) {
      nearest_.push_back(ask(all & ~(AxiomSet{1} << i)));
      if (nearest_.back().possibility == Possibility::Possible) needed |= AxiomSet{1} << i;
      result_.is_undivided = result_.is_undivided || nearest_.back().possibility == Possibility::Unknown;
    }
    if (result_.is_undivided) return std::nullopt;
    if (ask(needed).possibility == Possibility::Impossible) {
      result_.is_unreachable = needed == 0;
      return needed == 0 ? std::nullopt : std::optional(needed);
    }
    for (int size = std::popcount(needed) + 1; size < static_cast<int>(rules_->axioms.size()); ++size) {
      for (AxiomSet set = 1; set < all; ++set) {
        if (std::popcount(set) != size || (set & needed) != needed) continue;
        const bool may = std::all_of(broken_.begin(), broken_.end(), [&](AxiomSet b) { return (b & set) != 0; });
        if (may && ask(set).possibility == Possibility::Impossible) return set;
      }
    }
    return all;
  }

  void add_violation(std::size_t axiom, AxiomSet core) {
    const AxiomSet self = AxiomSet{1} << axiom;
    Answer nearest = std::move(nearest_[axiom]);
    Violation violation;
    violation.axiom = axiom;
    if (!nearest.witness) {
      nearest = ask(core & ~self);
      violation.others_hold = false;
    }
    if (!nearest.witness) {
      result_.is_undivided = true;
      return;
    }
    violation.execution = *std::move(nearest.witness);
    violation.chain = violation_of(rules_->axioms[axiom], violation.execution);
    result_.violations.push_back(std::move(violation));
  }

  Chain violation_of(const rules::Axiom& axiom, const Execution& execution) const {
    if (axiom.negated || rules_->kinds[axiom.term] == rules::Kind::Set) return {};
    Derivation derivation(*result_.graph, *rules_, execution);
    if (axiom.test == rules::Test::Acyclic) return derivation.cycle(axiom.term);
    std::optional<std::pair<EventId, EventId>> best;
    double shortest = 0;
    const Relation pairs = derivation.value(axiom.term);
    pairs.for_each([&](EventId from, EventId to) {
      if (axiom.test == rules::Test::Irreflexive && from != to) return;
      const double length = derivation.length(axiom.term, from, to);
      if (best && length >= shortest) return;
      shortest = length;
      best = {from, to};
    });
    return best ? derivation.why(axiom.term, best->first, best->second) : Chain{};
  }

  Chain weak_cycle(const Execution& execution) const {
    const EventGraph& graph = *result_.graph;
    std::vector<Value> nodes;
    events::evaluate(graph.values, execution.values, nodes);
    const auto concrete = [&](BaseRelation relation) {
      return eval::concrete_relation(graph.relation(relation), execution.executed, nodes);
    };
    const Relation po = concrete(BaseRelation::ProgramOrder);
    const Relation meets = concrete(BaseRelation::BarrierSync);
    const std::vector<std::pair<BaseRelation, Relation>> steps = {
        {BaseRelation::ProgramOrder, po},
        {BaseRelation::ReadsFrom, eval::reads_from(execution)},
        {BaseRelation::Coherence, eval::coherence(execution)},
        {BaseRelation::FromReads, eval::from_reads(execution)},
        {BaseRelation::BarrierSync, events::compose(events::compose(po, meets), po)},
    };
    // The halves of a read-modify-write happen at once: in a cycle they are one event.
    const auto whole = [&](EventId e) {
      const events::Event& event = graph.events[e];
      const bool is_second = event.is_write() && event.is_rmw && event.rmw_partner != events::kNoEvent;
      return is_second && execution.executed.contains(event.rmw_partner) ? event.rmw_partner : e;
    };
    Relation all(graph.size());
    std::map<std::pair<EventId, EventId>, Link> links;
    for (const auto& [base, relation] : steps) {
      relation.for_each([&, base = base](EventId from, EventId to) {
        if (whole(from) == whole(to)) return;
        all.insert(whole(from), whole(to));
        Link link;
        link.from = from;
        link.to = to;
        link.base = base;
        link.name = ambit::to_string(base);
        links.emplace(std::pair(whole(from), whole(to)), std::move(link));
      });
    }
    const std::vector<EventId> cycle = events::find_cycle(all);
    Chain chain;
    for (std::size_t i = 0; i < cycle.size(); ++i) chain.push_back(links.at({cycle[i], cycle[(i + 1) % cycle.size()]}));
    return chain;
  }

  verdict::Checker& checker_;
  std::shared_ptr<const Program> program_;
  RulesPtr rules_;
  verdict::CheckOptions options_;
  Context& context_;
  Context division_;  ///< with the time that finding the axioms may take
  OutcomeExplanation result_;
  std::vector<AxiomSet> broken_;  ///< by each execution seen so far
  std::vector<Answer> nearest_;   ///< by axiom: without it, with all others
  RulesPtr without_flags_;
};

}  // namespace

Result<OutcomeExplanation> explain_outcome(verdict::Checker& checker, std::shared_ptr<const Program> program,
                                           RulesPtr rules, const verdict::CheckOptions& options, Context& context) {
  AMBIT_ASSERT(program->condition.proposition);
  return OutcomeExplainer(checker, std::move(program), std::move(rules), options, context).explain();
}

std::shared_ptr<const Program> with_proposition(const Program& program, std::vector<Observable> observables,
                                                Expr proposition) {
  auto changed = std::make_shared<Program>(program);
  changed->observables = std::move(observables);
  changed->condition.proposition = std::move(proposition);
  changed->condition.quantifier = Quantifier::Exists;
  return changed;
}

}  // namespace ambit::explain
