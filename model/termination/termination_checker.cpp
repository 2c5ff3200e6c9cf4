#include "model/termination/termination.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "model/events/inner_cells.h"
#include "model/termination/termination_question.h"
#include "model/termination/wait_reasons.h"

namespace ambit::termination {

using verdict::Checker;
using verdict::CheckOptions;
using verdict::Judgement;
using verdict::Status;
using verdict::Verdict;
namespace {

using events::Possibility;

/// Interprets the answers to the termination question.
void conclude(TerminationVerdict& result, const TerminationQuestion& question, const Verdict& verdict) {
  result.engine = verdict.engine;
  const events::Answers& answers = verdict.answers;
  if (answers.any.possibility == Possibility::Possible) {
    result.termination = Termination::DoesNotTerminate;
    result.graph = verdict.graph;
    result.witness = answers.any.witness;
    result.waits = explain(*result.program, question, *result.graph, *result.witness);
    return;
  }
  result.unknown = answers.unknown;
  result.unknown_detail = answers.unknown_detail;
  const bool reaches_bound = verdict.graph->bound_reached != events::ValueGraph::kFalse &&
                             answers.bound.possibility != Possibility::Impossible;
  if (!result.unknown && reaches_bound) {
    result.unknown = UnknownReason::Bound;
    result.unknown_detail = "a loop that is not a spin loop can have more iterations than were checked";
  }
  if (!result.unknown) result.termination = Termination::Terminates;
}

/// Returns whether some thread could wait forever.
bool has_stops(const TerminationQuestion& question) {
  const auto is_wait = [](const Stop& stop) {
    return stop.kind == Stop::Kind::Loop || stop.kind == Stop::Kind::Barrier;
  };
  return std::any_of(question.threads.begin(), question.threads.end(), [&](const ThreadProbe& thread) {
    return std::any_of(thread.stops.begin(), thread.stops.end(), is_wait);
  });
}

std::string_view expected_word(const TerminationExpectation& expectation) {
  if (!expectation.terminates) return to_string(Termination::Unknown);
  // In an expectation, "stuck" means that the test may fail to end: some thread waits forever, or a livelock occurs.
  return to_string(*expectation.terminates ? Termination::Terminates : Termination::DoesNotTerminate);
}

Judgement judge_one(const TerminationVerdict& verdict, const TerminationExpectation& expectation) {
  const bool is_known = verdict.termination != Termination::Unknown;
  const std::string reason = fmt::format("expected {}", expected_word(expectation));
  if (!expectation.terminates) {
    if (is_known) return {Status::Fail, {"expected Unknown, but the answer is known"}};
    // An interrupted run does not prove that the answer is unknown.
    if (verdict.unknown == UnknownReason::Interrupted) return {Status::Unknown, {reason}};
    return {Status::Ok, {}};
  }
  if (!is_known) return {Status::Unknown, {reason}};
  const bool terminates = verdict.termination == Termination::Terminates;
  if (terminates != *expectation.terminates) return {Status::Fail, {reason}};
  return {Status::Ok, {}};
}

TerminationVerdict without_events(TerminationVerdict verdict, const Stopped& why) {
  verdict.unknown = why.reason;
  verdict.unknown_detail =
      why.detail.empty() ? "a limit was reached before the events of the program were known" : why.detail;
  return verdict;
}

}  // namespace

std::string_view to_string(Termination termination) {
  constexpr std::array<std::string_view, 4> kNames = {"terminates", "stuck", "unknown", "livelock"};
  return kNames[static_cast<std::size_t>(termination)];
}

Result<TerminationVerdict> check_termination(Checker& checker, const std::shared_ptr<const Program>& whole,
                                             const std::shared_ptr<const rules::Rules>& rules, Scheduler scheduler,
                                             const CheckOptions& options, Context& context) {
  const events::GraphOptions graph_options{
      .unroll = options.unroll, .mappings = rules->mappings, .max_events = options.max_events};
  const std::shared_ptr<const Program> program = events::without_inner_cells(whole, graph_options, context);
  TerminationVerdict result;
  result.model = verdict::model_name(*rules);
  result.scheduler = scheduler;
  result.program = program;
  result.rules = rules;
  if (!can_wait(*program)) {
    result.termination = Termination::Terminates;
    return result;
  }
  if (Diagnostics errors = transaction_objections(*program, "the analysis of termination has", ""); !errors.empty()) {
    return errors;
  }
  if (!program->opaque_uses.empty()) {
    result.unknown = UnknownReason::Opaque;
    result.unknown_detail = "the code depends on a floating-point or other value that Ambit does not follow";
    return result;
  }
  Result<events::EventGraph> graph = events::build(program, graph_options, context);
  if (!graph.ok()) return graph.errors();
  if (graph.value().unfinished) return without_events(std::move(result), *graph.value().unfinished);
  // Accesses to idle data are relevant if they show that a barrier is in conditional code.
  const bool is_conditional = std::ranges::any_of(graph.value().incidents, [](const events::Incident& incident) {
    return incident.kind == events::Incident::Kind::BarrierDivergence;
  });
  if (const auto smaller = without_idle_data(graph.value()); !is_conditional && smaller != program) {
    graph = events::build(smaller, graph_options, context);
    if (!graph.ok()) return graph.errors();
    if (graph.value().unfinished) return without_events(std::move(result), *graph.value().unfinished);
  }
  const TerminationQuestion question = make_question(graph.value(), scheduler);
  if (!has_stops(question)) {
    result.termination = Termination::Terminates;
    return result;
  }
  CheckOptions stuck_options = options;
  stuck_options.questions = {.proposition = false, .flags = false, .incidents = false, .stuck_is_complete = true};
  Result<Verdict> verdict = checker.check(question.program, rules, stuck_options, context);
  if (!verdict.ok()) return verdict.errors();
  conclude(result, question, std::move(verdict).value());
  return result;
}

bool concerns(const TerminationExpectation& expectation, const rules::Rules& rules) {
  Expectation about;
  about.model = expectation.model;
  about.options = expectation.options;
  return verdict::concerns(about, rules);
}

Judgement judge(const TerminationVerdict& verdict) {
  Judgement result;
  for (const TerminationExpectation& expectation : verdict.program->terminations) {
    if (expectation.scheduler != verdict.scheduler || !concerns(expectation, *verdict.rules)) continue;
    Judgement one = judge_one(verdict, expectation);
    const bool is_fine = result.status == Status::NothingExpected || result.status == Status::Ok;
    if (is_fine || one.status == Status::Fail) {
      result = std::move(one);
    }
  }
  if (result.status == Status::NothingExpected && verdict.termination == Termination::Unknown) {
    result.status = Status::Unknown;
  }
  return result;
}

}  // namespace ambit::termination
