#include "model/verdict/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <utility>

#include "model/eval/enumerate.h"
#include "model/eval/sequential_run.h"
#include "model/events/inner_cells.h"
#include "model/rules/base_terms.h"
#include "model/verdict/bound.h"
#include "model/verdict/opaque.h"
#include "model/verdict/races.h"
#include "model/verdict/verify.h"

namespace ambit::verdict {
namespace {

using events::Answers;
using events::Possibility;

/// Auto first tries the explicit engine for programs with at most kFewEvents events, and for larger programs with few
/// estimated candidate executions. At about this number of candidates, enumeration takes as long as the encoding
/// (docs/lab/performance.md).
constexpr std::size_t kFewEvents = 64;
constexpr double kExplicitCandidates = 30000;

/// Auto stops the enumeration after this number of steps: the estimate was then wrong, and the solver is usually
/// faster. The start of the solver takes about as long as this number of steps (docs/lab/performance.md).
constexpr std::uint64_t kExplicitSteps = 6000;
/// Without an estimate of the candidates, the limit on steps is at most this number divided by the number of events,
/// because the steps of larger programs take longer.
constexpr std::uint64_t kExplicitWork = 144000;

/// If threads or blocks are exchangeable, the solver runs first, for kFirstLook or a part of the remaining time. Then
/// the explicit engine runs with symmetry for a limited number of steps, which takes about ten seconds. The solver
/// usually answers in less than a tenth of a second, but may need minutes for loops of compare-exchanges.
constexpr std::uint64_t kFirstLook = 1500;  // milliseconds
constexpr std::uint64_t kFirstLookShare = 8;
constexpr std::uint64_t kSymmetricSteps = 1000000;
constexpr std::size_t kMostSymmetricEvents = 128;

/// If a program has few candidate executions, Auto reserves this part of the remaining time for an enumeration without
/// a limit on steps, in case the solver fails.
constexpr std::uint64_t kLastResortShare = 4;

/// If a program has too many candidates for an enumeration, Auto still reserves some time, up to a maximum, for the
/// first candidates, because these may show a race.
constexpr std::uint64_t kGlanceShare = 10;
constexpr std::uint64_t kLongestGlance = 2000;

/// For programs with fewer events, the encoding is fast enough.
constexpr std::size_t kFewestEventsGlanced = 64;

/// Limit on the number of iterations to which deepening unrolls loops.
constexpr unsigned kDeepestUnroll = 1000;

struct Answered {
  Answers answers;
  Engine engine = Engine::Explicit;
};

Possibility either(Possibility a, Possibility b) {
  if (a == Possibility::Possible || b == Possibility::Possible) return Possibility::Possible;
  if (a == Possibility::Unknown || b == Possibility::Unknown) return Possibility::Unknown;
  return Possibility::Impossible;
}

std::optional<Frequency> frequency_of(Possibility holds, Possibility fails) {
  if (holds == Possibility::Possible && fails == Possibility::Possible) return Frequency::Sometimes;
  if (holds == Possibility::Possible && fails == Possibility::Impossible) return Frequency::Always;
  if (holds == Possibility::Impossible && fails == Possibility::Possible) return Frequency::Never;
  return std::nullopt;
}

/// Returns whether the condition, including its quantifier, is true. One witness may decide the condition.
std::optional<bool> condition_of(Quantifier quantifier, Possibility holds, Possibility fails) {
  const auto decided = [](Possibility witness, bool if_possible) -> std::optional<bool> {
    if (witness == Possibility::Unknown) return std::nullopt;
    return (witness == Possibility::Possible) == if_possible;
  };
  switch (quantifier) {
    case Quantifier::None: return std::nullopt;
    case Quantifier::Exists: return decided(holds, true);
    case Quantifier::NotExists: return decided(holds, false);
    case Quantifier::Forall: return decided(fails, false);
  }
  return std::nullopt;
}

Possibility race_of(const rules::Rules& rules, const Answers& answers) {
  Possibility race = Possibility::Impossible;
  for (std::size_t i = 0; i < rules.flags.size(); ++i) {
    if (!rules.flags[i].is_race()) continue;
    race = either(race, i < answers.flags.size() ? answers.flags[i].possibility : Possibility::Unknown);
  }
  return race;
}

/// Derives the answer about the proposition from a set of outcomes, if only outcomes were requested.
void answer_from_outcomes(Answers& answers, const Condition& condition) {
  const Possibility otherwise = answers.unknown ? Possibility::Unknown : Possibility::Impossible;
  answers.any.possibility = answers.holds.possibility = answers.fails.possibility = otherwise;
  for (const events::Outcome& outcome : answers.outcomes) {
    events::Witnessed& shown = events::holds(*condition.proposition, outcome) ? answers.holds : answers.fails;
    answers.any.possibility = shown.possibility = Possibility::Possible;
  }
}

/// Returns whether the flag concerns only mbarriers or asynchronous operations, and the program has no such operations.
/// Then no execution raises the flag, regardless of the number of loop iterations.
bool needs_missing_operations(const Verdict& verdict, const rules::Flag& flag) {
  const Program& program = *verdict.graph->program;
  const bool has_mbarriers =
      std::ranges::any_of(program.objects, [](const MemoryObject& object) { return object.mbarrier.has_value(); });
  const bool is_asynchronous = std::ranges::any_of(program.threads, [](const Thread& thread) {
    return std::ranges::any_of(thread.code, [](const Instruction& instruction) {
      return std::holds_alternative<AsyncStep>(instruction.operation);
    });
  });
  rules::BaseTerms empty;
  if (!has_mbarriers) empty.sets.set(static_cast<std::size_t>(BaseSet::LaterArrival));
  if (!is_asynchronous) empty.sets.set(static_cast<std::size_t>(BaseSet::Asynchronous));
  const rules::Rules fitted = rules::without_members(*verdict.rules, empty);
  const auto found = std::ranges::find(fitted.flags, flag.name, &rules::Flag::name);
  return found->test == rules::Test::Empty && found->negated &&
         std::holds_alternative<rules::Empty>(fitted.terms[found->term]);
}

/// If an execution may exceed the bound, changes the answer Impossible to Unknown for flags and incidents. Returns
/// whether the answer about an incident, or about a flag that is not a race, is now Unknown.
bool open_beyond_bound(Verdict& verdict, const events::Questions& questions, Possibility bound) {
  Answers& answers = verdict.answers;
  bool is_open = false;
  for (std::size_t i = 0; questions.flags && i < answers.flags.size(); ++i) {
    Possibility& flag = answers.flags[i].possibility;
    const bool is_denied = flag == Possibility::Impossible && bound != flag && verdict.rules->flags[i].is_misuse() &&
                           needs_missing_operations(verdict, verdict.rules->flags[i]);
    if (!is_denied) flag = beyond_bound(flag, bound);
    is_open = is_open || (!verdict.rules->flags[i].is_race() && flag == Possibility::Unknown);
  }
  if (!questions.incidents) return is_open;
  for (events::Witnessed& incident : answers.incidents) {
    incident.possibility = beyond_bound(incident.possibility, bound);
    is_open = is_open || incident.possibility == Possibility::Unknown;
  }
  using Kind = events::Incident::Kind;
  constexpr std::array kKinds = {Kind::AssertionFailed, Kind::OutOfBounds, Kind::BarrierDivergence, Kind::Misuse};
  return is_open || std::any_of(kKinds.begin(), kKinds.end(),
                                [&](Kind kind) { return incident_possibility(verdict, kind) == Possibility::Unknown; });
}

/// Marks the verdict as incomplete, because a loop can have more iterations than in the graph.
void leave_at_bound(Verdict& verdict) {
  if (verdict.graph->endless) {
    verdict.unknown = UnknownReason::Endless;
    verdict.unknown_detail = fmt::format("the loop that ends in line {} has no exit", verdict.graph->endless->line);
    return;
  }
  verdict.unknown = UnknownReason::Bound;
  verdict.unknown_detail = "a loop can run further than it was unrolled";
}

void sum_up(Verdict& verdict, const events::Questions& questions) {
  Answers& answers = verdict.answers;
  const Condition& condition = verdict.graph->program->condition;
  const bool from_outcomes = !questions.proposition && questions.outcomes && condition.proposition;
  if (from_outcomes) answer_from_outcomes(answers, condition);
  const Possibility bound = bound_possibility(*verdict.graph, answers);
  verdict.unknown = answers.unknown;
  verdict.unknown_detail = answers.unknown_detail;

  bool undecided = !questions.holds_only && open_beyond_bound(verdict, questions, bound);
  if ((questions.proposition || from_outcomes) && condition.proposition) {
    const Possibility holds = beyond_bound(answers.holds.possibility, bound);
    const Possibility fails = beyond_bound(answers.fails.possibility, bound);
    verdict.frequency = frequency_of(holds, fails);
    if (answers.any.possibility != Possibility::Impossible) {
      verdict.condition_holds = condition_of(condition.quantifier, holds, fails);
    }
    const bool is_enough = questions.holds_only && holds == Possibility::Possible;
    undecided = undecided || (!verdict.frequency && !is_enough);
  }
  if (questions.flags) {
    verdict.race = race_of(*verdict.rules, answers);
    undecided = undecided || verdict.race == Possibility::Unknown;
  }
  undecided = undecided || questions.outcomes || questions.count;
  if (!verdict.unknown && bound != Possibility::Impossible && undecided) {
    leave_at_bound(verdict);
  }
}

/// Returns the answers for a program whose events are unknown.
Answers unanswered(const rules::Rules& rules, const Stopped& why) {
  Answers answers;
  answers.flags.resize(rules.flags.size());
  answers.unknown = why.reason;
  answers.unknown_detail =
      why.detail.empty() ? "a limit was reached before the events of the program were known" : why.detail;
  return answers;
}

/// Returns whether the model has rules for asynchronous operations. A model with such rules uses the issue of these
/// operations.
bool has_rules_for_asynchronous(const rules::Rules& rules) {
  return std::ranges::any_of(rules.terms, [](const rules::Term& term) {
    const auto* base = std::get_if<rules::BaseRelationTerm>(&term);
    return base != nullptr && base->relation == BaseRelation::Issue;
  });
}

std::string without_rules(const Instruction& first) {
  return fmt::format("the model has no rules for asynchronous operations (line {})", first.span.line);
}

/// Returns whether the other engine may find an answer after this engine has given up.
bool other_engine_may_help(const Answers& answers) {
  return answers.unknown && *answers.unknown != UnknownReason::Bound && *answers.unknown != UnknownReason::Interrupted;
}

/// Adds to `answers` the results of another engine that also gave up.
void take_decided(Answers& answers, Answers other) {
  const auto take = [](auto& into, auto& from) {
    if (into.possibility == Possibility::Unknown) into = std::move(from);
  };
  take(answers.any, other.any);
  take(answers.holds, other.holds);
  take(answers.fails, other.fails);
  take(answers.bound, other.bound);
  for (std::size_t i = 0; i < std::min(answers.flags.size(), other.flags.size()); ++i) {
    take(answers.flags[i], other.flags[i]);
  }
  for (std::size_t i = 0; i < std::min(answers.incidents.size(), other.incidents.size()); ++i) {
    take(answers.incidents[i], other.incidents[i]);
  }
  std::ranges::move(other.outcomes, std::back_inserter(answers.outcomes));
  std::ranges::sort(answers.outcomes);
  const auto twice = std::ranges::unique(answers.outcomes);
  answers.outcomes.erase(twice.begin(), twice.end());
}

class EngineRun {
 public:
  EngineRun(const events::EventGraph& graph, const eval::FittedModel& model, const CheckOptions& options,
            smt::Solver& solver)
      : graph_(graph),
        model_(model),
        rules_(*model.rules),
        questions_(options.questions),
        count_where_enumerated_(options.count_where_enumerated),
        use_symmetry_(options.symmetry),
        solver_(solver) {}

  Answered answer(Engine engine, Context& context) {
    if (engine != Engine::Auto) return run_engine(engine, context);
    // Only the explicit engine can count executions.
    if (questions_.count) return run_engine(Engine::Explicit, context);
    if (graph_.size() <= kFewEvents || are_few(context)) {
      Answered few{enumerate(context, explicit_steps()), Engine::Explicit};
      if (!is_open(few, context)) return interrupted_if_cancelled(std::move(few), context);
      context.statistics.add("verdict.fallbacks", 1);
    }
    if (graph_.size() <= kMostSymmetricEvents && !symmetry(context).is_trivial()) {
      Answered found = run_up_to_exchanges(context);
      if (!is_open(found, context)) return interrupted_if_cancelled(std::move(found), context);
    }
    const std::uint64_t left = context.milliseconds_left().value_or(0);
    return run_symbolic_first(
        context, are_few(context) ? left / kLastResortShare : std::min(left / kGlanceShare, kLongestGlance));
  }

 private:
  std::uint64_t explicit_steps() const {
    const bool is_estimated = graph_.size() > kFewEvents;
    return is_estimated
               ? kExplicitSteps
               : std::min<std::uint64_t>(kExplicitSteps, kExplicitWork / std::max<std::size_t>(graph_.size(), 1));
  }

  /// Returns whether the program has few candidates to enumerate.
  bool are_few(Context& context) {
    if (!are_few_) {
      are_few_ = eval::estimated_candidates(graph_, rules_, context, kExplicitCandidates) <= kExplicitCandidates;
    }
    return *are_few_;
  }

  Answered run_engine(Engine engine, Context& context) {
    if (engine == Engine::Smt) return {solve(context), Engine::Smt};
    if (questions_.count || symmetry_ || symmetry(context).is_trivial()) {
      return {enumerate(context, std::nullopt), Engine::Explicit};
    }
    // Count the executions if the count is fast.
    symmetry_.reset();
    Answered few{enumerate(context, kExplicitSteps), Engine::Explicit};
    if (!is_open(few, context)) return few;
    symmetry(context);
    return {enumerate(context, std::nullopt), Engine::Explicit};
  }

  /// Tries both engines with symmetry for a short time.
  Answered run_up_to_exchanges(Context& context) {
    Context first = context;
    const std::uint64_t left = context.milliseconds_left().value_or(kFirstLookShare * kFirstLook);
    first.set_timeout(
        std::chrono::milliseconds(std::max<std::uint64_t>(1, std::min(left / kFirstLookShare, kFirstLook))));
    Answered symbolic{solve(first), Engine::Smt};
    context.statistics = first.statistics;
    if (!is_open(symbolic, context)) return symbolic;
    context.statistics.add("verdict.fallbacks", 1);
    Answered enumerated{enumerate(context, kSymmetricSteps), Engine::Explicit};
    context.statistics.add("verdict.fallbacks", 1);
    return enumerated;
  }

  /// Returns the symmetry for all further enumerations.
  const events::Symmetry& symmetry(Context& context) {
    if (symmetry_) return *symmetry_;
    symmetry_.emplace();
    if (!use_symmetry_ || questions_.count) return *symmetry_;
    const rules::BaseTerms terms = rules::base_terms(rules_);
    try {
      symmetry_ = events::Symmetry::find(
          graph_, events::looked_at(terms.sets, terms.relations, *graph_.program, questions_), context);
    } catch (const Stopped&) {
      symmetry_.emplace();  // the enumeration will also reach the limit
    }
    return *symmetry_;
  }

  Answers enumerate(Context& context, std::optional<std::uint64_t> most_steps) {
    events::Questions enumerated = questions_;
    const bool uses_symmetry = symmetry_ && !symmetry_->is_trivial();
    enumerated.count = questions_.count || (count_where_enumerated_ && !uses_symmetry);
    context.begin("executions one by one");
    return eval::enumerate(graph_, model_, enumerated, context, most_steps, symmetry_.value_or(events::Symmetry()));
  }

  /// For large programs, returns answers from a few executions.
  Answers glance(const events::Questions& questions, Context& context) const {
    if (graph_.size() < kFewestEventsGlanced || questions.holds_only) return {};
    try {
      context.begin("some executions");
      return eval::answers_of_sequential_runs(graph_, rules_, questions, context);
    } catch (const Stopped&) {
      return {};  // the solver will report the reason
    }
  }

  /// Answers all questions with the solver, except for the number of executions, which only enumeration can find.
  Answers solve(Context& context) {
    events::Questions symbolic = questions_;
    symbolic.count = false;
    context.begin("the formulas");
    Answers answers = solver_.solve(graph_, rules_, symbolic, context, use_symmetry_, glance(symbolic, context));
    if (!questions_.count || answers.unknown) return answers;
    const events::Questions count_only{.proposition = false, .flags = false, .incidents = false, .count = true};
    const Answers counted = eval::enumerate(graph_, model_, count_only, context);
    if (counted.unknown) return answers;
    answers.executions = counted.executions;
    answers.executions_holding = counted.executions_holding;
    return answers;
  }

  /// Returns whether the other engine may find a still unknown answer in the remaining time.
  static bool is_open(const Answered& answered, const Context& context) {
    return other_engine_may_help(answered.answers) && context.milliseconds_left().value_or(2) > 1 &&
           !context.is_cancelled();
  }

  /// Runs the solver. If the solver fails, runs the explicit engine. Reserves `kept` milliseconds of the remaining time
  /// for the explicit engine.
  Answered run_symbolic_first(Context& context, std::uint64_t kept) {
    Context first = context;
    if (const auto left = context.milliseconds_left(); left && kept > 0) {
      first.set_timeout(std::chrono::milliseconds(*left > kept ? *left - kept : 1));
    }
    Answered answered = run_engine(Engine::Smt, first);
    context.statistics = first.statistics;
    if (!is_open(answered, context)) return interrupted_if_cancelled(std::move(answered), context);
    context.statistics.add("verdict.fallbacks", 1);
    Answered second = run_engine(Engine::Explicit, context);
    if (!second.answers.unknown) return second;
    take_decided(answered.answers, std::move(second.answers));
    return interrupted_if_cancelled(std::move(answered), context);
  }

  /// After a cancellation, replaces the reason by Interrupted, because the cancellation prevented a run of the other
  /// engine after the first engine reached its limit.
  static Answered interrupted_if_cancelled(Answered answered, const Context& context) {
    if (other_engine_may_help(answered.answers) && context.is_cancelled()) {
      answered.answers.unknown = UnknownReason::Interrupted;
    }
    return answered;
  }

  const events::EventGraph& graph_;
  const eval::FittedModel& model_;
  const rules::Rules& rules_;
  const events::Questions& questions_;
  bool count_where_enumerated_;
  bool use_symmetry_;
  std::optional<events::Symmetry> symmetry_;  ///< absent if enumerations do not use symmetry
  std::optional<bool> are_few_;
  smt::Solver& solver_;
};

}  // namespace

Result<Verdict> Checker::check(const std::shared_ptr<const Program>& program,
                               const std::shared_ptr<const rules::Rules>& rules, const CheckOptions& options,
                               Context& context) {
  Result<Verdict> result = check_once(program, rules, options, context);
  if (!options.deepen) return result;
  CheckOptions deeper = options;
  while (result.ok() && result.value().unknown == UnknownReason::Bound && deeper.unroll < kDeepestUnroll) {
    deeper.unroll = std::min(std::max(2 * deeper.unroll, 1U), kDeepestUnroll);
    Result<Verdict> next = check_once(program, rules, deeper, context);
    // If the check with the larger bound reaches a limit, keep the result of the smaller bound, unless the larger bound
    // shows a race.
    const bool is_too_much = !next.ok() || (next.value().unknown && next.value().unknown != UnknownReason::Bound);
    const bool is_race_new =
        next.ok() && next.value().race == Possibility::Possible && result.value().race != Possibility::Possible;
    if (!is_too_much || is_race_new) result = std::move(next);
    if (is_too_much) break;
  }
  if (result.ok() && result.value().unknown == UnknownReason::Bound) {
    result.value().unknown_detail =
        fmt::format("a loop can run further than {} iterations", result.value().graph->options.unroll);
  }
  return result;
}

Result<Verdict> Checker::check_once(const std::shared_ptr<const Program>& whole,
                                    const std::shared_ptr<const rules::Rules>& rules, const CheckOptions& options,
                                    Context& context) {
  const events::GraphOptions graph_options{
      .unroll = options.unroll, .mappings = rules->mappings, .max_events = options.max_events};
  const std::shared_ptr<const Program> program = events::without_inner_cells(whole, graph_options, context);
  if (!graph_ || graph_->program != program || graph_->options != graph_options) {
    graph_.reset();
    context.begin("the events of the program");
    Result<events::EventGraph> built = events::build(program, graph_options, context);
    if (!built.ok()) return built.errors();
    graph_ = std::make_shared<const events::EventGraph>(std::move(built).value());
  }
  context.statistics.add("events", static_cast<double>(graph_->size()));

  Verdict verdict;
  verdict.model = model_name(*rules);
  verdict.graph = graph_;
  verdict.rules = rules;
  if (const std::optional<OpaqueUse> use = use_that_hides_everything(*graph_->program)) {
    leave_unknown(verdict, *use);
    return verdict;
  }
  if (const Instruction* first = graph_->program->first_asynchronous();
      first != nullptr && !has_rules_for_asynchronous(*verdict.rules)) {
    verdict.answers = unanswered(*verdict.rules, {UnknownReason::Model, without_rules(*first)});
  } else if (graph_->unfinished) {
    verdict.answers = unanswered(*verdict.rules, *graph_->unfinished);
    graph_.reset();  // another context may allow a complete graph
  } else {
    const eval::FittedModel& model = fitted_.of(verdict.rules, *graph_);
    EngineRun run(*graph_, model, options, solver_);
    Answered answered = run.answer(options.engine, context);
    verdict.engine = answered.engine;
    verdict.answers = std::move(answered.answers);
    verify_witnesses(verdict, *model.all_axioms, options.questions, context);
  }
  sum_up(verdict, options.questions);
  limit_by_opaque_uses(verdict, options.questions);
  return verdict;
}

}  // namespace ambit::verdict
