#include "model/explain/outcome_causes.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <map>
#include <utility>

#include "model/eval/base.h"
#include "model/eval/evaluator.h"
#include "model/explain/carry_over.h"
#include "model/explain/derivation.h"
#include "model/explain/repair_search.h"
#include "model/verdict/axiom_subsets.h"
#include "model/verdict/bound.h"
#include "model/verdict/races.h"

namespace ambit::explain {
namespace {

using events::EventGraph;
using events::EventId;
using events::Execution;
using events::Possibility;
using events::Relation;
using RulesPtr = std::shared_ptr<const rules::Rules>;

using verdict::AxiomSet;
/// With more axioms than this limit, the smallest set of axioms is not computed.
constexpr std::size_t kMostAxioms = 16;
/// Time limit in milliseconds for the search for the necessary axioms.
constexpr std::uint64_t kLongestDivision = 1500;

AxiomSet all_axioms(const rules::Rules& rules) { return (AxiomSet{1} << rules.axioms.size()) - 1; }

/// Returns whether the proposition can be true, according to a verdict.
Possibility met(const verdict::Verdict& verdict) {
  const Possibility holds = verdict.answers.holds.possibility;
  return holds == Possibility::Impossible && verdict.unknown ? Possibility::Unknown : holds;
}

/// Returns whether a filter or an assumption excludes executions.
bool leaves_executions_out(const Program& program) {
  const auto assumes = [](const Thread& thread) {
    return std::any_of(thread.code.begin(), thread.code.end(), [](const Instruction& instruction) {
      return std::holds_alternative<Assume>(instruction.operation);
    });
  };
  return program.condition.filter || std::any_of(program.threads.begin(), program.threads.end(), assumes);
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
    options_.questions = {.flags = false, .incidents = false, .holds_only = true};
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
      show(verdict.answers.holds.witness);
      if (!result_.weak_cycle.empty()) show_interleaving();
      if (!result_.weak_cycle.empty()) find_repairs();
    } else if (result_.possibility == Possibility::Impossible) {
      forbidden();
      result_.is_stuck = result_.is_unreachable && is_stuck();
      find_races();
    }
    return std::move(result_);
  }

 private:
  using Answer = verdict::AxiomSubsets::Answer;

  /// Returns whether the proposition is true in some execution that satisfies the given axioms. The answer is
  /// Impossible only if these axioms also forbid all executions beyond the loop bound.
  Answer query(AxiomSet axioms) {
    Answer answer = subsets_->query(axioms);
    if (answer.witness) broken_.push_back(broken_by(*answer.witness));
    return answer;
  }

  AxiomSet broken_by(const Execution& execution) const {
    const std::vector<bool> holds = eval::evaluate(*result_.graph, *rules_, execution).axioms;
    AxiomSet broken = 0;
    for (std::size_t i = 0; i < holds.size(); ++i) broken |= AxiomSet{holds[i] ? 0U : 1U} << i;
    return broken;
  }

  void show(const std::optional<Execution>& witness) {
    if (!witness) return;
    result_.witness = witness;
    result_.weak_cycle = weak_cycle(*witness);
  }

  /// If the witness is not an interleaving of the threads, replaces it by an interleaving if possible. An interleaving
  /// shows that the outcome does not need weak behaviour.
  void show_interleaving() {
    auto stronger = std::make_shared<rules::Rules>(*rules_);
    stronger->flags.clear();
    const auto make = [&](const rules::Term& term) { return stronger->intern(term, rules::Kind::Relation); };
    const auto base = [&](BaseRelation relation) { return make(rules::BaseRelationTerm{relation}); };
    const rules::TermId po = base(BaseRelation::ProgramOrder);
    const rules::TermId co = base(BaseRelation::Coherence);
    const rules::TermId fr = base(BaseRelation::FromReads);
    rules::TermId steps = make(rules::Sequence{make(rules::Sequence{po, base(BaseRelation::BarrierSync)}), po});
    for (const rules::TermId step : {po, base(BaseRelation::ReadsFrom), co, fr}) {
      steps = make(rules::Union{steps, step});
    }
    const rules::TermId rmw = base(BaseRelation::ReadModifyWritePair);
    const rules::TermId between = make(rules::Intersection{rmw, make(rules::Sequence{fr, co})});
    stronger->axioms.push_back({"interleaving", rules::Test::Acyclic, false, steps, {}});
    stronger->axioms.push_back({"atomicity", rules::Test::Empty, false, between, {}});
    const Result<verdict::Verdict> checked = checker_.check(program_, stronger, options_, context_);
    if (!checked.ok()) return;  // the check cannot fail, because the graph was built before
    show(checked.value().answers.holds.witness);
    if (met(checked.value()) == Possibility::Unknown) result_.interleaving_unknown = checked.value().unknown;
  }

  void find_repairs() {
    verdict::CheckOptions both_ways = options_;
    both_ways.questions.holds_only = false;
    const auto mends = [&](const Repair& repair) -> Mended {
      const RepairedProgram repaired = apply(*program_, repair);
      if (carry_over(*result_.graph, *result_.witness, repaired, *without_flags_, context_)) return {false};
      Result<verdict::Verdict> checked = checker_.check(repaired.program, without_flags_, both_ways, context_);
      if (!checked.ok()) return {};
      const Possibility still = met(checked.value());
      // A change after which the program has no execution is not a repair.
      const Possibility other = checked.value().answers.fails.possibility;
      if (still == Possibility::Possible || other == Possibility::Impossible) return {false};
      if (still == Possibility::Unknown || other == Possibility::Unknown)
        return {std::nullopt, checked.value().unknown};
      return {true};
    };
    auto without_flags = std::make_shared<rules::Rules>(*rules_);
    without_flags->flags.clear();
    without_flags_ = std::move(without_flags);
    FoundRepairs found = search_repairs(candidate_repairs(*result_.graph), mends, context_);
    result_.repairs = std::move(found.repairs);
    result_.untried_repairs = found.untried;
    result_.undecided_repairs = found.undecided;
    result_.why_undecided = found.why_undecided;
  }

  void find_races() {
    if (verdict::racy_programs(*rules_) == verdict::RacyPrograms::Defined) return;
    verdict::CheckOptions about_races = options_;
    about_races.questions = {.proposition = false, .incidents = false};
    Result<verdict::Verdict> checked = checker_.check(program_, rules_, about_races, context_);
    // The check cannot fail, because the graph was built before.
    if (checked.ok()) result_.races = std::move(checked).value();
  }

  /// Returns whether a thread waits forever in every execution.
  bool is_stuck() {
    if (spins_for_ever()) return true;
    const verdict::CheckOptions all = about_any(true);
    const Result<verdict::Verdict> checked = checker_.check(program_, rules_, all, context_);
    return checked.ok() && checked.value().answers.any.possibility == Possibility::Impossible &&
           verdict::incident_possibility(checked.value(), events::Incident::Kind::BarrierDivergence) ==
               Possibility::Possible;
  }

  /// Returns whether no execution ends, even without axioms. If true, only spin loops can be the reason.
  bool spins_for_ever() {
    const auto& events = result_.graph->events;
    const bool has_spin_loop = std::any_of(events.begin(), events.end(), [](const auto& one) { return one.is_await; });
    if (!has_spin_loop || leaves_executions_out(*program_)) return false;
    auto without_axioms = std::make_shared<rules::Rules>(*rules_);
    without_axioms->flags.clear();
    without_axioms->axioms.clear();
    const verdict::CheckOptions any = about_any(false);
    const Result<verdict::Verdict> checked = checker_.check(program_, without_axioms, any, context_);
    return checked.ok() && !checked.value().unknown &&
           checked.value().answers.any.possibility == Possibility::Impossible;
  }

  verdict::CheckOptions about_any(bool incidents) const {
    verdict::CheckOptions about = options_;
    about.questions = {.flags = false, .incidents = incidents};
    return about;
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
    subsets_.emplace(result_.graph, rules_, options_.engine, division_);
    const std::optional<AxiomSet> core = smallest_core();
    if (!core) return;
    for (std::size_t i = 0; i < rules_->axioms.size(); ++i) {
      if ((*core >> i & 1U) != 0) add_violation(i, *core);
    }
  }

  /// Returns the smallest set of axioms that forbids the proposition. If several sets have this size, returns the first
  /// set in the order of the model. Returns nothing if no axiom is necessary, or if a limit stopped the search.
  ///
  /// Case 1: a set forbids the proposition, and each of its axioms is necessary even if all other axioms of the model
  /// hold. Then each forbidding set contains this set, so this set is the smallest. Case 2: no set of this kind exists.
  /// A set that forbids the proposition contains, for each execution with the proposition, an axiom that the execution
  /// violates. The search tries the first smallest set with this property for the executions seen so far. If this set
  /// forbids the proposition, the set is the result. Otherwise, the query gives another execution (implicit hitting
  /// sets: Reiter 1987; Ignatiev et al. 2015).
  std::optional<AxiomSet> smallest_core() {
    const AxiomSet all = all_axioms(*rules_);
    const Answer whole = query(all);
    if (whole.possibility != Possibility::Impossible) {
      result_.is_undivided = true;
      return std::nullopt;
    }
    if (const std::optional<AxiomSet> core = whole.used ? needed_among(*whole.used) : std::nullopt) {
      result_.is_unreachable = *core == 0;
      return result_.is_unreachable ? std::nullopt : core;
    }
    for (int size = 0; size <= static_cast<int>(rules_->axioms.size()); ++size) {
      for (AxiomSet set = 0; set <= all_axioms(*rules_); ++set) {
        const auto meets = [&](AxiomSet broken) { return (broken & set) != 0; };
        if (std::popcount(set) != size || !std::all_of(broken_.begin(), broken_.end(), meets)) continue;
        const Answer answer = query(set);
        if (answer.possibility != Possibility::Impossible && answer.witness) continue;
        result_.is_undivided = answer.possibility != Possibility::Impossible;
        result_.is_unreachable = !result_.is_undivided && set == 0;
        return result_.is_undivided || set == 0 ? std::nullopt : std::optional(set);
      }
    }
    result_.is_undivided = true;  // unreachable, because each witness is checked against the requested axioms
    return std::nullopt;
  }

  /// Reduces a set that forbids the proposition to the axioms that are necessary even if all other axioms hold. If some
  /// axioms can replace other axioms, the necessary axioms may not forbid the proposition. Then the result is nothing.
  std::optional<AxiomSet> needed_among(AxiomSet core) {
    AxiomSet needed = 0;
    AxiomSet replaceable = 0;
    while ((core & ~needed) != 0) {
      if ((core & replaceable) != 0) return std::nullopt;
      const auto axiom = static_cast<std::size_t>(std::countr_zero(core & ~needed));
      const Answer& without = nearest(axiom);
      if (without.possibility == Possibility::Possible) {
        needed |= AxiomSet{1} << axiom;
      } else if (without.used) {
        replaceable |= AxiomSet{1} << axiom;
        core = *without.used;
      } else {
        return std::nullopt;
      }
    }
    return core;
  }

  /// Returns the answer for all axioms except the given axiom.
  const Answer& nearest(std::size_t axiom) {
    const auto known = nearest_.find(axiom);
    if (known != nearest_.end()) return known->second;
    return nearest_.emplace(axiom, query(all_axioms(*rules_) & ~(AxiomSet{1} << axiom))).first->second;
  }

  void add_violation(std::size_t axiom, AxiomSet core) {
    const AxiomSet self = AxiomSet{1} << axiom;
    Answer shown = nearest(axiom);
    Violation violation;
    violation.axiom = axiom;
    if (shown.possibility != Possibility::Possible) {
      shown = query(core & ~self);
      violation.others_hold = false;
    }
    if (shown.possibility != Possibility::Possible) {
      result_.is_undivided = true;
      return;
    }
    violation.execution = *std::move(shown.witness);
    try {
      violation.chain = violation_of(rules_->axioms[axiom], violation.execution);
    } catch (const Stopped&) {
      // In that case, the explanation names the axiom without the events that violate the axiom.
    }
    result_.violations.push_back(std::move(violation));
  }

  Chain violation_of(const rules::Axiom& axiom, const Execution& execution) const {
    if (axiom.negated || rules_->kinds[axiom.term] == rules::Kind::Set) return {};
    Derivation derivation(*result_.graph, *rules_, execution, context_);
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
    // In a cycle, the two halves of a read-modify-write count as one event.
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
  Context division_;  ///< the context with the time limit for the search for the necessary axioms
  std::optional<verdict::AxiomSubsets> subsets_;
  OutcomeExplanation result_;
  std::vector<AxiomSet> broken_;           ///< the axioms that each execution seen so far violates
  std::map<std::size_t, Answer> nearest_;  ///< the answers; the key is the excluded axiom
  RulesPtr without_flags_;
};

}  // namespace

Result<OutcomeExplanation> explain_outcome(verdict::Checker& checker, std::shared_ptr<const Program> program,
                                           RulesPtr rules, const verdict::CheckOptions& options, Context& context) {
  AMBIT_ASSERT(program->condition.proposition);
  return OutcomeExplainer(checker, std::move(program), std::move(rules), options, context).explain();
}

}  // namespace ambit::explain
