#include "api/edit/repair_goal.h"

#include <algorithm>
#include <set>

#include "api/check/ending.h"
#include "api/files.h"
#include "model/termination/termination.h"
#include "model/verdict/bound.h"
#include "model/verdict/races.h"
#include "parser/parse.h"

namespace ambit::api {
namespace {

using events::Possibility;

std::vector<std::string> possible_incidents(const verdict::Verdict& verdict) {
  using Kind = events::Incident::Kind;
  std::vector<std::string> kinds;
  for (const Kind kind : {Kind::AssertionFailed, Kind::OutOfBounds, Kind::BarrierDivergence, Kind::Misuse}) {
    const bool may_happen = verdict::incident_possibility(verdict, kind) != Possibility::Impossible;
    if (may_happen) kinds.emplace_back(to_string(kind));
  }
  return kinds;
}

std::optional<events::Outcome> witnessed_outcome(const verdict::Verdict& verdict, const events::Witnessed& answer) {
  if (!answer.witness) return std::nullopt;
  std::vector<Value> nodes;
  return events::outcome_of(*verdict.graph, *answer.witness, nodes);
}

std::string reason_of(const std::optional<UnknownReason>& reason, const std::string& detail) {
  if (!reason) return "the answer is not known";
  return detail.empty() ? std::string(to_string(*reason)) : detail;
}

}  // namespace

bool has_other_outcomes(const NamedOutcomes& changed, const NamedOutcomes& reference) {
  std::vector<std::pair<std::size_t, std::size_t>> shared;  // the two positions of each name that both lists contain
  for (std::size_t i = 0; i < changed.names.size(); ++i) {
    const auto found = std::ranges::find(reference.names, changed.names[i]);
    if (found != reference.names.end()) {
      shared.emplace_back(i, static_cast<std::size_t>(found - reference.names.begin()));
    }
  }
  std::set<events::Outcome> known;
  for (const events::Outcome& outcome : reference.outcomes) {
    events::Outcome values;
    for (const auto& [mine, theirs] : shared) values.push_back(outcome[theirs]);
    known.insert(std::move(values));
  }
  return std::ranges::any_of(changed.outcomes, [&](const events::Outcome& outcome) {
    events::Outcome values;
    for (const auto& [mine, theirs] : shared) values.push_back(outcome[mine]);
    return !known.contains(values);
  });
}

RepairJudge::RepairJudge(const ExplainRequest& request, parser::RulesPtr rules, const std::atomic<bool>& interrupted)
    : request_(request),
      rules_(std::move(rules)),
      interrupted_(interrupted),
      deadline_(std::chrono::steady_clock::now() + time_limit(request.checking.timeout_seconds)) {}

std::chrono::milliseconds RepairJudge::time_left() const {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - std::chrono::steady_clock::now());
  return std::max(std::chrono::milliseconds(1), left);
}

void RepairJudge::limit(Context& context, std::chrono::milliseconds most) const {
  set_limits(context, request_.checking, interrupted_);
  context.set_timeout(std::min(time_left(), most));
}

std::optional<NamedOutcomes> RepairJudge::outcomes(const std::shared_ptr<const Program>& program, bool sequential) {
  constexpr std::chrono::seconds kMost{10};
  parser::RulesPtr rules = rules_;
  if (sequential) {
    const auto loaded = parser::ModelStore(parser::ModelStore::Files::Refused).load("sc", {});
    if (!loaded.ok()) return std::nullopt;
    rules = loaded.value();
  }
  Context context;
  limit(context, kMost);
  verdict::CheckOptions options = engine_options(request_.checking);
  options.questions = {.proposition = false, .flags = false, .incidents = false, .outcomes = true};
  const auto checked = checker_.check(program, rules, options, context);
  if (!checked.ok() || checked.value().unknown) return std::nullopt;
  NamedOutcomes result;
  for (const Observable& observable : program->observables) result.names.push_back(observable.name);
  result.outcomes = checked.value().answers.outcomes;
  return result;
}

Result<std::shared_ptr<const Program>> RepairJudge::read(const SourceFilePtr& source) const {
  auto programs = parser::parse_programs(source, program_options(request_.checking));
  if (!programs.ok()) return programs.errors();
  for (const auto& program : programs.value()) {
    const bool is_wanted = request_.test.empty() ? programs.value().size() == 1 : program->name == request_.test;
    if (!is_wanted) continue;
    if (!request_.outcome) return program;
    return parser::with_outcome(*program, *request_.outcome, "--outcome");
  }
  return path_error(source->path, "the changed text has no such test");
}

ModelAnswers RepairJudge::query(const std::shared_ptr<const Program>& program, Query question, verdict::Engine engine,
                                std::chrono::milliseconds most) {
  if (question == Query::Termination) return termination(program, engine);
  Context context;
  limit(context, most);
  verdict::CheckOptions options = engine_options(request_.checking);
  options.engine = engine;
  const bool checks_races =
      question != Query::Outcome && question != Query::Incidents && verdict::speaks_of_races(*rules_);
  const bool checks_outcome =
      question != Query::Race && question != Query::Incidents && program->condition.proposition.has_value();
  options.questions = {.proposition = checks_outcome, .flags = checks_races};
  ModelAnswers answers;
  const Result<verdict::Verdict> checked = checker_.check(program, rules_, options, context);
  if (!checked.ok()) {
    answers.unknown = checked.errors().front().message;
    return answers;
  }
  const verdict::Verdict& verdict = checked.value();
  answers.graph = verdict.graph;
  answers.incidents = possible_incidents(verdict);
  answers.has_incident = !answers.incidents.empty();
  answers.has_execution = verdict.answers.any.possibility != Possibility::Impossible;
  if (checks_races) {
    answers.race = verdict.race;
    for (std::size_t i = 0; i < verdict.answers.flags.size(); ++i) {
      const auto& pairs = verdict.answers.flags[i].pairs;
      if (rules_->flags[i].is_race()) answers.races.insert(answers.races.end(), pairs.begin(), pairs.end());
    }
  }
  if (checks_outcome) {
    answers.outcome = verdict.answers.holds.possibility;
    answers.frequency = verdict.frequency;
    answers.holding = witnessed_outcome(verdict, verdict.answers.holds);
    answers.failing = witnessed_outcome(verdict, verdict.answers.fails);
  }
  const bool race_is_open = checks_races && answers.race == Possibility::Unknown;
  const bool outcome_is_open = checks_outcome && !verdict.frequency && answers.has_execution;
  if (race_is_open || outcome_is_open || verdict.answers.any.possibility == Possibility::Unknown) {
    answers.unknown = reason_of(verdict.unknown, verdict.unknown_detail);
    answers.reason = verdict.unknown;
  }
  return answers;
}

ModelAnswers RepairJudge::termination(const std::shared_ptr<const Program>& program, verdict::Engine engine) {
  ModelAnswers answers;
  answers.terminates = true;
  std::vector<Scheduler> schedulers = request_.checking.schedulers;
  if (schedulers.empty()) schedulers.push_back(Scheduler::Fair);
  for (const Scheduler scheduler : schedulers) {
    Context context;
    limit(context);
    verdict::CheckOptions options = engine_options(request_.checking);
    options.engine = engine;
    const auto checked = check_ending(checker_, program, rules_, scheduler, options, context);
    if (!checked.ok()) {
      answers.unknown = checked.errors().front().message;
      return answers;
    }
    if (!answers.graph) answers.graph = checked.value().graph;
    if (checked.value().termination == termination::Termination::DoesNotTerminate) {
      answers.terminates = false;
      answers.waits = checked.value().waits;
    }
    if (checked.value().termination == termination::Termination::Unknown) {
      answers.unknown = reason_of(checked.value().unknown, checked.value().unknown_detail);
      answers.reason = checked.value().unknown;
    }
  }
  return answers;
}

}  // namespace ambit::api
