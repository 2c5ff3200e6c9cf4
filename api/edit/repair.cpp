#include "api/edit/repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/check/smaller_programs.h"
#include "api/edit/repair_goal.h"
#include "api/edit/repairing.h"
#include "api/files.h"
#include "model/verdict/races.h"
#include "parser/parse.h"

namespace ambit::api {
namespace {

using events::Possibility;
using repair::RepairReport;
using Query = RepairJudge::Query;

Result<Settled> settle(const RepairRequest& request, const ExplainQuestion& question, RepairJudge& judge,
                       const std::atomic<bool>& interrupted) {
  Settled settled;
  settled.source = question.program->source;
  if (!request.costs.empty()) {
    const auto file = read_input(request.costs, interrupted);
    if (!file.ok()) return file.errors();
    auto costs = repair::CostTable::read(file.value());
    if (!costs.ok()) return costs.errors();
    settled.costs = costs.value();
  }
  auto program = judge.read(settled.source);
  if (!program.ok()) return program.errors();
  settled.program = std::move(program).value();
  return settled;
}

/// Chooses the goal of a request without a goal: no race or, if there is no race, the test's own condition.
std::optional<Diagnostic> choose_goal(Settled& settled, const ExplainRequest& request, RepairJudge& judge) {
  const verdict::Engine engine = request.checking.engine;
  const bool may_race = verdict::speaks_of_races(judge.rules());
  settled.query = request.checking.only_termination ? Query::Termination
                  : request.outcome                 ? Query::Outcome
                                                    : Query::Race;
  if (settled.query == Query::Race && !may_race) {
    if (request.race)
      return path_error("--race", fmt::format("the model '{}' does not define races", judge.rules().name));
    settled.query = Query::Outcome;
  }
  const bool has_condition = settled.program->condition.proposition.has_value();
  // A large launch leaves time for smaller launches.
  const auto most = is_large_launch(*settled.program) ? judge.time_left() / 4 : judge.time_left();
  settled.now = judge.query(settled.program, settled.query, engine, most);
  const bool is_clean = settled.query == Query::Race && settled.now.race == Possibility::Impossible;
  if (is_clean && !request.race && has_condition && settled.program->labels.empty()) {
    settled.query = Query::Outcome;
    settled.now = judge.query(settled.program, settled.query, engine);
  }
  if (settled.query == Query::Outcome && !has_condition) {
    return Diagnostic{settled.source, {}, "the test has no condition", "name an outcome with --outcome, or use --race"};
  }
  return std::nullopt;
}

std::optional<Diagnostic> not_changeable(const Program& program) {
  if (program.source != nullptr && parser::language_of(*program.source) != parser::Language::CompiledModule) {
    return std::nullopt;
  }
  return path_error(program.source == nullptr ? program.name : program.source->path,
                    "changes of PTX modules are not supported: name the source of the kernels");
}

Result<ExplainQuestion> question_of(const RepairRequest& request, const std::atomic<bool>& interrupted) {
  const CheckingOptions& checking = request.question.checking;
  if (checking.reading.reading > Reading::Source || !checking.reading.ptx.empty()) {
    return path_error("--reading", "changes are made in the source: check the kernels with --reading source");
  }
  ExplainRequest changed_request = request.question;
  changed_request.outcome.reset();  // read_question() reads the outcome anew for each changed text
  changed_request.checking.reading.reading = Reading::Source;
  auto question = read_question(changed_request, interrupted);
  if (!question.ok()) return question;
  if (auto error = not_changeable(*question.value().program)) return *std::move(error);
  return question;
}

/// Finds fixes for a smaller launch of a kernel, and checks them for the kernel's own launch (Repairing::confirm()).
/// The search is much faster with fewer threads. Returns nothing if no smaller launch has a fix, or if the own launch
/// refutes all fixes. `whole`: the question about the kernel's own launch.
std::optional<RepairReport> fix_with_smaller_launch(const RepairRequest& request, const parser::RulesPtr& rules,
                                                    const Settled& settled, Repairing& whole,
                                                    const std::atomic<bool>& interrupted) {
  if (settled.query != Query::Race || settled.now.race == Possibility::Impossible) return std::nullopt;
  const double seconds = static_cast<double>(whole.judge().time_left().count()) / 1000;
  for (const SmallerProgram& small : smaller_programs(*settled.program, request.question.checking)) {
    if (interrupted || static_cast<double>(whole.judge().time_left().count()) / 1000 < seconds / 2) break;
    RepairRequest smaller = request;
    smaller.question.race = true;
    smaller.question.checking.launch = small.launch;
    smaller.question.checking.timeout_seconds = seconds / 4;
    Repairing repairing(smaller, rules, interrupted);
    ModelAnswers now = repairing.judge().query(small.program, Query::Race, request.question.checking.engine);
    if (now.race != Possibility::Possible) continue;
    repairing.set_question({settled.source, small.program, Query::Race, std::move(now), settled.costs});
    RepairReport report = repairing.fix();
    if (!report.is_cheapest) continue;
    whole.confirm(report, small.launch);
    if (!report.proposals.empty() || report.state == RepairReport::State::Unknown) return report;
  }
  return std::nullopt;
}

Result<RepairReport> fix_question(const RepairRequest& request, const ExplainQuestion& question,
                                  const std::atomic<bool>& interrupted) {
  Repairing repairing(request, question.rules, interrupted);
  auto settled = settle(request, question, repairing.judge(), interrupted);
  if (!settled.ok()) return settled.errors();
  if (auto error = choose_goal(settled.value(), request.question, repairing.judge())) return *std::move(error);
  Settled state = std::move(settled).value();
  repairing.set_question(state);
  if (auto found = fix_with_smaller_launch(request, question.rules, state, repairing, interrupted)) {
    return *std::move(found);
  }
  if (is_large_launch(*state.program) && state.now.reason == UnknownReason::Timeout) {
    state.now = repairing.judge().query(state.program, state.query, request.question.checking.engine);
    repairing.set_question(state);
  }
  return repairing.fix();
}

}  // namespace

Result<RepairReport> fix_test(const RepairRequest& request, const std::atomic<bool>& interrupted) {
  const auto question = question_of(request, interrupted);
  if (!question.ok()) return question.errors();
  return fix_question(request, question.value(), interrupted);
}

Result<RepairReport> fix_program(const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules,
                                 const CheckingOptions& checking, const std::atomic<bool>& interrupted) {
  RepairRequest request;
  request.question.checking = checking;
  return fix_program(program, rules, std::move(request), interrupted);
}

Result<RepairReport> fix_program(const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules,
                                 RepairRequest request, const std::atomic<bool>& interrupted) {
  if (auto error = not_changeable(*program)) return *std::move(error);
  request.question.test = program->name;
  return fix_question(request, {program, rules}, interrupted);
}

Result<RepairReport> relax_test(const RepairRequest& request, const std::atomic<bool>& interrupted) {
  const auto question = question_of(request, interrupted);
  if (!question.ok()) return question.errors();
  Repairing repairing(request, question.value().rules, interrupted);
  auto settled = settle(request, question.value(), repairing.judge(), interrupted);
  if (!settled.ok()) return settled.errors();
  Settled& state = settled.value();
  state.query = request.question.checking.only_termination ? Query::Termination : Query::Verdicts;
  state.now = repairing.judge().query(state.program, state.query, request.question.checking.engine);
  if (state.now.race == Possibility::Possible) {
    return Diagnostic{state.source,
                      {},
                      fmt::format("the test races under {}: weaker forms would preserve only the race",
                                  verdict::model_name(repairing.judge().rules())),
                      "remove the races first, with ambit fix"};
  }
  repairing.set_question(std::move(state));
  return repairing.relax();
}

}  // namespace ambit::api
