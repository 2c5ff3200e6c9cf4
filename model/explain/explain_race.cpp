#include "model/explain/race_causes.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "model/eval/evaluator.h"
#include "model/explain/derivation.h"
#include "model/explain/race_repair.h"
#include "model/explain/race_rules.h"
#include "model/verdict/races.h"

namespace ambit::explain {
namespace {

using events::EventGraph;
using events::EventId;
using events::Possibility;
using RulesPtr = std::shared_ptr<const rules::Rules>;

class RaceExplainer {
 public:
  RaceExplainer(verdict::Checker& checker, std::shared_ptr<const Program> program, RulesPtr rules,
                const verdict::CheckOptions& options, const RaceOptions& race_options, Context& context)
      : checker_(checker),
        program_(std::move(program)),
        rules_(std::move(rules)),
        options_(options),
        race_options_(race_options),
        context_(context) {
    options_.questions = {.proposition = false, .every_pair = race_options.all, .incidents = false};
  }

  Result<RaceExplanation> explain() {
    result_.rules = rules_;
    Result<verdict::Verdict> checked = checker_.check(program_, rules_, options_, context_);
    if (!checked.ok()) return checked.errors();
    const verdict::Verdict& verdict = checked.value();
    result_.graph = verdict.graph;
    result_.model = verdict.model;
    result_.model_speaks_of_races = verdict::speaks_of_races(*rules_);
    if (result_.model_speaks_of_races) result_.possibility = verdict.race;
    result_.has_execution = verdict.answers.any.possibility != Possibility::Impossible;
    result_.unknown = verdict.unknown;
    result_.unknown_detail = verdict.unknown_detail;
    if (result_.possibility == Possibility::Possible) races(verdict);
    if (result_.possibility == Possibility::Impossible && result_.has_execution) ordered_pairs();
    return std::move(result_);
  }

 private:
  void races(const verdict::Verdict& verdict) {
    std::vector<verdict::Race> races = verdict::races(verdict);
    if (race_options_.first) {
      std::ranges::stable_partition(races, [&](const verdict::Race& race) {
        return are_same(statements_of(*verdict.graph, race.pair->first, race.pair->second), *race_options_.first);
      });
    }
    for (const verdict::Race& race : races) {
      ExplainedRace explained;
      explained.flag = race.flag;
      explained.first = race.pair->first;
      explained.second = race.pair->second;
      explained.location = race.location;
      explained.witness = *race.pair->witness;
      if (result_.races.empty() || race_options_.all) analyse(explained);
      result_.races.push_back(std::move(explained));
    }
  }

  void analyse(ExplainedRace& race) {
    race.is_analysed = true;
    const EventGraph& graph = *result_.graph;
    if (graph.events[race.first].thread != graph.events[race.second].thread) {
      race.paths = find_paths(graph, race.witness, race.first, race.second);
      for (Path& path : find_paths(graph, race.witness, race.second, race.first)) {
        race.paths.push_back(std::move(path));
      }
    }
    Context limited = limited_context();
    FoundRepairs found = find_repairs(checker_, {program_, result_.graph, rules_}, race, options_, limited);
    race.repairs = std::move(found.repairs);
    race.untried_repairs = found.untried;
    race.undecided_repairs = found.undecided;
    race.why_undecided = found.why_undecided;
    try {
      if (!race.paths.empty()) race.only_the_whole_is_missing = orders_each_step(race);
    } catch (const Stopped&) {
      // In that case, the explanation lacks this remark.
    }
  }

  /// Returns a context for an optional part of the explanation. The context also ends after ten seconds.
  Context limited_context() const {
    constexpr std::chrono::milliseconds kMost{10'000};
    Context limited = context_;
    const auto left = context_.milliseconds_left();
    limited.set_timeout(left ? std::min(kMost, std::chrono::milliseconds(*left)) : kMost);
    return limited;
  }

  bool orders_each_step(const ExplainedRace& race) const {
    const auto index = std::find_if(rules_->flags.begin(), rules_->flags.end(),
                                    [&](const rules::Flag& flag) { return flag.name == race.flag; });
    const RaceRule rule = race_rule(*rules_, *index);
    Derivation derivation(*result_.graph, *rules_, race.witness, context_);
    const auto is_ordered = [&](EventId from, EventId to) {
      return std::any_of(rule.exceptions.begin(), rule.exceptions.end(), [&](const RaceRule::Exception& exception) {
        return !exception.is_condition && derivation.value(exception.term).contains(from, to);
      });
    };
    const Path& path = race.paths.front();
    EventId last = path.front().event;
    for (std::size_t i = 1; i < path.size(); ++i) {
      const bool leaves = i + 1 < path.size() && path[i + 1].via != PathStep::Via::ProgramOrder;
      if (leaves && i + 1 < path.size()) continue;  // the next round checks both steps together
      if (!is_ordered(last, path[i].event)) return false;
      last = path[i].event;
    }
    return path.size() > 2;
  }

  /// Explains why conflicting pairs are ordered. For each conflicting pair, a query finds an execution with this pair.
  /// The relations of the execution show the order.
  void ordered_pairs() {
    for (const rules::Flag& flag : rules_->flags) {
      if (!flag.is_race()) continue;
      const RaceRule rule = race_rule(*rules_, flag);
      if (!rule.is_difference) {
        result_.has_all_ordered = false;
        continue;
      }
      auto conflict_rules = std::make_shared<rules::Rules>(*rules_);
      conflict_rules->flags = {flag};
      conflict_rules->flags.front().term = rule.conflict;
      Result<verdict::Verdict> checked = checker_.check(program_, conflict_rules, options_, context_);
      if (!checked.ok()) continue;  // the check cannot fail, because the graph was built before
      if (checked.value().answers.unknown) result_.has_all_ordered = false;
      Context limited = limited_context();
      try {
        for (const verdict::Race& pair : verdict::races(checked.value())) add_pair(rule, pair, limited);
      } catch (const Stopped&) {
        result_.has_all_ordered = false;
      }
    }
  }

  void add_pair(const RaceRule& rule, const verdict::Race& race, Context& context) {
    // Within a thread, program order is a sufficient explanation.
    const std::uint32_t thread = result_.graph->events[race.pair->first].thread;
    if (thread == result_.graph->events[race.pair->second].thread) return;
    OrderedPair pair;
    pair.location = race.location;
    pair.execution = *race.pair->witness;
    Derivation derivation(*result_.graph, *rules_, pair.execution, context);
    double shortest = 0;
    bool found = false;
    for (const RaceRule::Exception& exception : rule.exceptions) {
      for (const bool swapped : {false, true}) {
        const EventId from = swapped ? race.pair->second : race.pair->first;
        const EventId to = swapped ? race.pair->first : race.pair->second;
        if (!derivation.value(exception.term).contains(from, to)) continue;
        // A property of the pair is a better explanation than a chain of this particular execution.
        const double length = exception.is_condition ? 0 : derivation.length(exception.term, from, to);
        if (found && length >= shortest) continue;
        found = true;
        shortest = length;
        pair.first = from;
        pair.second = to;
        pair.chain = exception.is_condition ? Chain{} : derivation.why(exception.term, from, to);
        pair.exemption = exception.is_condition ? rules::to_string(*rules_, exception.term) : std::string();
      }
    }
    if (found) result_.ordered.push_back(std::move(pair));
  }

  verdict::Checker& checker_;
  std::shared_ptr<const Program> program_;
  RulesPtr rules_;
  verdict::CheckOptions options_;
  RaceOptions race_options_;
  Context& context_;
  RaceExplanation result_;
};

}  // namespace

RaceStatements statements_of(const events::EventGraph& graph, events::EventId first, events::EventId second) {
  return {graph.events[first].span, graph.events[second].span};
}

bool are_same(const RaceStatements& a, const RaceStatements& b) {
  return a == b || (a.first == b.second && a.second == b.first);
}

Result<RaceExplanation> explain_race(verdict::Checker& checker, std::shared_ptr<const Program> program, RulesPtr rules,
                                     const verdict::CheckOptions& options, const RaceOptions& race_options,
                                     Context& context) {
  return RaceExplainer(checker, std::move(program), std::move(rules), options, race_options, context).explain();
}

}  // namespace ambit::explain
