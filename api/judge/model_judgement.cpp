#include "api/judge/model_judgement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/plural.h"
#include "base/trimmed.h"
#include "model/verdict/bound.h"
#include "model/verdict/opaque.h"
#include "model/verdict/races.h"
#include "report/results/words.h"

namespace ambit::api {
namespace {

using events::Possibility;
using report::Coverage;
using report::Judged;
using report::JudgedPlace;
using report::JudgedVerdict;
using Kind = events::Incident::Kind;

/// The kinds of incidents. A judgement reports the first kind that may occur.
constexpr std::array kIncidents = {
    std::pair{Kind::OutOfBounds, JudgedVerdict::OutOfBounds},
    std::pair{Kind::BarrierDivergence, JudgedVerdict::Divergence},
    std::pair{Kind::Misuse, JudgedVerdict::Undefined},
    std::pair{Kind::AssertionFailed, JudgedVerdict::AssertionFailed},
};

std::string where(const JudgedPlace& place) {
  return place.line == 0 ? place.file : fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

void add_race(const verdict::Verdict& verdict, Judged& judged) {
  const std::vector<verdict::Race> races = verdict::races(verdict);
  judged.races = races.size();
  if (races.empty()) {
    judged.reason = fmt::format("{} has an execution with a race", verdict.model);
    return;
  }
  const verdict::Race& race = races.front();
  const events::EventGraph& graph = *verdict.graph;
  for (const events::EventId event : {race.pair->first, race.pair->second}) {
    JudgedPlace place = judged_place(*graph.program, graph.events[event].span);
    place.thread = graph.thread_name(event);
    place.operation = report::access_text(graph, *race.pair->witness, event);
    judged.places.push_back(std::move(place));
  }
  if (race.location) judged.location = graph.program->locations[*race.location].name;
  const JudgedPlace& first = judged.places.front();
  const JudgedPlace& second = judged.places.back();
  judged.reason = fmt::format(
      "{} ({} at {}) and {} ({} at {}) race{}: {} has an execution in which nothing orders the two accesses",
      first.thread, first.operation, where(first), second.thread, second.operation, where(second),
      judged.location.empty() ? "" : " on " + judged.location, verdict.model);
  judged.replay.emplace();
  judged.replay->graph = verdict.graph;
  judged.replay->witness = race.pair->witness;
}

/// Adds the place and the message of the first possible incident of a kind.
void add_incident(const verdict::Verdict& verdict, Kind kind, Judged& judged) {
  const events::EventGraph& graph = *verdict.graph;
  judged.reason = fmt::format("{} has an execution with this fault: {}", verdict.model, to_string(kind));
  judged.replay.emplace();
  for (std::size_t i = 0; i < graph.incidents.size() && i < verdict.answers.incidents.size(); ++i) {
    const events::Incident& incident = graph.incidents[i];
    if (incident.kind != kind || verdict.answers.incidents[i].possibility != Possibility::Possible) continue;
    judged.places = {judged_place(*graph.program, incident.span)};
    judged.reason = fmt::format("{}: {}", to_string(kind), incident.message);
    if (const auto& witness = verdict.answers.incidents[i].witness) {
      judged.replay->graph = verdict.graph;
      judged.replay->witness = std::make_shared<const events::Execution>(*witness);
    }
    return;
  }
}

/// Adds the faults that the model found. The first fault becomes the verdict. Returns whether there is a fault.
bool add_faults(const verdict::Verdict& verdict, Judged& judged) {
  std::vector<JudgedVerdict> faults;
  if (verdict::speaks_of_races(*verdict.rules) && verdict.race == Possibility::Possible) {
    add_race(verdict, judged);
    faults.push_back(JudgedVerdict::Race);
  }
  for (const auto& [kind, word] : kIncidents) {
    if (verdict::incident_possibility(verdict, kind) != Possibility::Possible) continue;
    if (faults.empty()) add_incident(verdict, kind, judged);
    faults.push_back(word);
  }
  if (faults.empty()) return false;
  judged.verdict = faults.front();
  judged.also.assign(faults.begin() + 1, faults.end());
  judged.coverage = Coverage{};
  return true;
}

/// Returns whether the model excludes every kind of incident.
bool excludes_incidents(const verdict::Verdict& verdict) {
  return std::ranges::all_of(kIncidents, [&](const auto& one) {
    return verdict::incident_possibility(verdict, one.first) == Possibility::Impossible;
  });
}

void add_unknown(const verdict::Verdict& verdict, Judged& judged) {
  judged.verdict = JudgedVerdict::Unknown;
  const std::string why = verdict.unknown ? report::unknown_text(*verdict.unknown, verdict.unknown_detail)
                                          : std::string("Unknown: the model has no answer about some fault");
  judged.reason = why;
  if (verdict.unknown != UnknownReason::Bound) return;
  const unsigned bound = verdict.graph->options.unroll;
  judged.coverage = Coverage{Coverage::Kind::Bounded, bound};
  judged.reason = fmt::format("no fault within {} of each loop; {}", plural(bound, "iteration"), why);
}

void add_assumptions(const verdict::Verdict& verdict, Judged& judged) {
  const std::string assumption = verdict::opaque_assumption(*verdict.graph->program);
  if (!assumption.empty()) judged.assumptions.push_back(assumption);
  for (const events::Remark& remark : verdict.graph->remarks) {
    judged.remarks.push_back({verdict.graph->program->source, remark.span, remark.message, {}, Severity::Note});
  }
}

}  // namespace

JudgedPlace judged_place(const Program& program, const SourceSpan& span) {
  JudgedPlace place;
  if (program.source != nullptr) place.file = program.source->path;
  place.line = span.line;
  place.column = span.column;
  place.text = report::source_text(program, span);
  return place;
}

Judged judged_program(const std::string& file, const Program& program, const std::string& launch) {
  Judged judged;
  judged.file = file;
  judged.test = program.name;
  judged.reading = program.is_compiled ? report::JudgingTool::Compiled : report::JudgingTool::Check;
  judged.launch = launch;
  judged.remarks = program.remarks;
  return judged;
}

void add_answer(const report::ModelResult& result, const std::shared_ptr<const Program>& program, Judged& judged) {
  judged.model = result.model;
  if (!result.verdict) {
    judged.verdict = JudgedVerdict::Unknown;
    judged.reason = std::string(trimmed(result.error));
    return;
  }
  judged.checked = std::make_shared<const verdict::Verdict>(*result.verdict);
  judged.tool = program->is_compiled ? report::JudgingTool::Compiled : report::JudgingTool::Check;
  const verdict::Verdict& verdict = *judged.checked;
  add_assumptions(verdict, judged);
  if (add_faults(verdict, judged)) return;
  const bool speaks = verdict::speaks_of_races(*verdict.rules);
  const bool is_decided = (!speaks || verdict.race == Possibility::Impossible) && excludes_incidents(verdict);
  if (!is_decided) return add_unknown(verdict, judged);
  judged.verdict = speaks ? JudgedVerdict::NoRace : JudgedVerdict::NoFault;
  judged.coverage = Coverage{};
  judged.reason = speaks ? fmt::format("every execution that {} allows orders all conflicting accesses", result.model)
                         : fmt::format("{} does not define races, and no other fault can happen", result.model);
}

}  // namespace ambit::api
