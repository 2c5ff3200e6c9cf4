#include <ambit/check.h>

#include <algorithm>

#include "library/answer_all.h"
#include "library/internals.h"
#include "model/verdict/races.h"
#include "report/json/json.h"
#include "report/results/words.h"
#include "report/text/termination_text.h"
#include "report/text/verdict_text.h"

namespace AMBIT_NAMESPACE {
namespace {

/// The number of spaces before each line of a witness.
constexpr std::size_t kIndent = 0;

using report::ModelResult;

Status status_of(verdict::Status status) {
  switch (status) {
    case verdict::Status::Ok: return Status::Ok;
    case verdict::Status::Fail: return Status::Fail;
    case verdict::Status::NothingExpected: return Status::NothingExpected;
    case verdict::Status::Unknown: return Status::Unknown;
    case verdict::Status::Error: break;  // thrown as Error
  }
  AMBIT_ASSERT(false && "an error was thrown");
  return Status::Unknown;
}

Answer answer_of(const verdict::Verdict& verdict) {
  if (!verdict.graph->program->condition.proposition) return Answer::NotAsked;
  if (!verdict.frequency) {
    const bool is_empty = verdict.answers.any.possibility == events::Possibility::Impossible && !verdict.unknown;
    return is_empty ? Answer::NoExecution : Answer::Unknown;
  }
  switch (*verdict.frequency) {
    case Frequency::Never: return Answer::Never;
    case Frequency::Sometimes: return Answer::Sometimes;
    case Frequency::Always: return Answer::Always;
  }
  return Answer::Unknown;
}

Raciness race_of(const verdict::Verdict& verdict) {
  if (!verdict::speaks_of_races(*verdict.rules)) return Raciness::NotAsked;
  switch (verdict.race) {
    case events::Possibility::Possible: return Raciness::Race;
    case events::Possibility::Impossible: return Raciness::NoRace;
    case events::Possibility::Unknown: return Raciness::Unknown;
  }
  return Raciness::Unknown;
}

Ending ending_of(termination::Termination termination) {
  switch (termination) {
    case termination::Termination::Terminates: return Ending::Terminates;
    case termination::Termination::DoesNotTerminate:
    case termination::Termination::Livelock: return Ending::Stuck;
    case termination::Termination::Unknown: return Ending::Unknown;
  }
  return Ending::Unknown;
}

Access access_of(const verdict::Verdict& verdict, const events::Execution& execution, events::EventId event) {
  const events::EventGraph& graph = *verdict.graph;
  const SourceSpan& span = graph.events[event].span;
  return {.thread = graph.thread_name(event),
          .operation = report::access_text(graph, execution, event),
          .line = span.line,
          .source = std::string(report::source_text(*graph.program, span))};
}

std::vector<Race> races_of(const verdict::Verdict& verdict) {
  std::vector<Race> races;
  for (const verdict::Race& race : verdict::races(verdict)) {
    const events::Execution& witness = *race.pair->witness;
    races.push_back({.flag = race.flag,
                     .location = race.location ? verdict.graph->program->locations[*race.location].name : "",
                     .first = access_of(verdict, witness, race.pair->first),
                     .second = access_of(verdict, witness, race.pair->second),
                     .witness = report::witness_text(*verdict.graph, *verdict.rules, witness, {}, kIndent)});
  }
  return races;
}

std::vector<Incident> incidents_of(const verdict::Verdict& verdict) {
  std::vector<Incident> incidents;
  const std::vector<events::Incident>& all = verdict.graph->incidents;
  const std::vector<events::Witnessed>& answers = verdict.answers.incidents;
  for (std::size_t i = 0; i < std::min(all.size(), answers.size()); ++i) {
    if (answers[i].possibility == events::Possibility::Impossible) continue;
    incidents.push_back({.kind = std::string(events::to_string(all[i].kind)),
                         .message = all[i].message,
                         .line = all[i].span.line,
                         .is_certain = answers[i].possibility == events::Possibility::Possible});
  }
  return incidents;
}

void take(const verdict::Verdict& from, Verdict& to) {
  to.answer = answer_of(from);
  to.condition_holds = from.condition_holds;
  to.race = race_of(from);
  to.races = races_of(from);
  to.incidents = incidents_of(from);
  if (from.unknown) to.unknown = report::unknown_text(*from.unknown, from.unknown_detail);
  if (const auto& execution = from.answers.holds.witness) {
    to.witness = report::witness_text(*from.graph, *from.rules, *execution, {}, kIndent);
  }
}

void take(const termination::TerminationVerdict& from, Verdict& to) {
  to.scheduler = ambit::to_string(from.scheduler);
  to.ending = ending_of(from.termination);
  if (from.unknown) to.unknown = report::unknown_text(*from.unknown, from.unknown_detail);
  if (from.witness) {
    to.witness = report::partial_witness_text(*from.graph, *from.rules, *from.witness, from.program->threads.size(),
                                              from.program->locations.size(), {}, kIndent);
  }
  if (from.livelock) to.witness = report::termination_text(from, {}, report::Detail::Witness);
}

Verdict verdict_of(const report::TestResult& test, const ModelResult& result) {
  Verdict verdict;
  verdict.model = result.model;
  verdict.status = status_of(result.judgement.status);
  verdict.reasons = result.judgement.reasons;
  if (result.verdict) take(*result.verdict, verdict);
  if (result.termination) take(*result.termination, verdict);
  verdict.text =
      report::result_line(test, result, {}, {}) + report::verdict_text(test, result, {}, report::Detail::Witness);
  return verdict;
}

/// Returns the worst status. From worst to best: Fail, Unknown, Ok, NothingExpected.
Status worst(const std::vector<Verdict>& verdicts) {
  for (const Status status : {Status::Fail, Status::Unknown, Status::Ok}) {
    if (std::ranges::find(verdicts, status, &Verdict::status) != verdicts.end()) return status;
  }
  return Status::NothingExpected;
}

api::InquiryOptions inquiry_options(const std::vector<Model>& models, const CheckOptions& options) {
  api::InquiryOptions inquiry;
  inquiry.models = Internals::rules(models);
  inquiry.only_termination = options.only_termination;
  for (const std::string& name : options.schedulers) {
    const auto scheduler = scheduler_from_string(name);
    if (!scheduler) {
      raise({{nullptr, {}, fmt::format("unknown scheduler '{}'", name), "one of fair, hsa, obe, lobe, lockstep"}});
    }
    inquiry.schedulers.push_back(*scheduler);
  }
  return inquiry;
}

}  // namespace

CheckResult check(const Test& test, const std::vector<Model>& models, const CheckOptions& options) {
  return guarded([&] {
    const ProgramPtr& program = Internals::program(test);
    parser::ModelStore store;
    const auto inquiries = taken(api::inquiries_of(*program, inquiry_options(models, options), store));
    const report::TestResult result =
        answer_all(program, inquiries, options.solving, api::OutcomesQuestion::WithoutCondition);
    CheckResult checked;
    for (const ModelResult& one : result.results) checked.verdicts.push_back(verdict_of(result, one));
    checked.status = worst(checked.verdicts);
    checked.json = report::json_document(AMBIT_VERSION, {report::test_json(result, {.witnesses = true})});
    return checked;
  });
}

}  // namespace AMBIT_NAMESPACE
