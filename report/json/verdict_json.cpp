#include "report/json/json.h"
#include "report/json/outcome_json.h"
#include "report/json/remarks_json.h"
#include "report/json/witness_json.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "model/verdict/bound.h"
#include "model/verdict/opaque.h"
#include "model/verdict/races.h"
#include "report/results/condition_source.h"
#include "report/results/words.h"
#include "report/text/termination_text.h"

namespace ambit::report {
namespace {

using Json = nlohmann::ordered_json;
using events::EventId;
using events::Possibility;
using verdict::Race;
using verdict::Verdict;

/// Version of the document's format. The version increases if a field is removed or changes its meaning.
constexpr int kFormat = 1;

std::string string_of(std::string_view text) { return std::string(text); }

Json possibility_json(Possibility possibility) {
  if (possibility == Possibility::Unknown) return nullptr;
  return possibility == Possibility::Possible;
}

Json access_json(const events::EventGraph& graph, const events::Execution& execution, EventId event) {
  const events::Event& e = graph.events[event];
  return {{"thread", graph.thread_name(event)},
          {"event", access_text(graph, execution, event)},
          {"line", e.span.line},
          {"text", string_of(source_text(*graph.program, e.span))}};
}

Json races_json(const Verdict& verdict, const std::vector<Race>& races, const JsonOptions& options) {
  const events::EventGraph& graph = *verdict.graph;
  Json list = Json::array();
  for (const Race& race : races) {
    const events::Execution& witness = *race.pair->witness;
    Json one = {{"flag", race.flag}};
    one["location"] = race.location ? Json(graph.program->locations[*race.location].name) : Json(nullptr);
    one["first"] = access_json(graph, witness, race.pair->first);
    one["second"] = access_json(graph, witness, race.pair->second);
    if (options.witnesses) one["witness"] = witness_json(graph, witness);
    list.push_back(std::move(one));
  }
  return list;
}

Json incidents_json(const Verdict& verdict) {
  const events::EventGraph& graph = *verdict.graph;
  Json list = Json::array();
  for (std::size_t i = 0; i < graph.incidents.size() && i < verdict.answers.incidents.size(); ++i) {
    const events::Incident& incident = graph.incidents[i];
    const Possibility possibility = verdict.answers.incidents[i].possibility;
    if (possibility == Possibility::Impossible) continue;
    list.push_back({{"kind", string_of(to_string(incident.kind))},
                    {"possible", possibility_json(possibility)},
                    {"message", incident.message},
                    {"line", incident.span.line},
                    {"text", string_of(source_text(*graph.program, incident.span))}});
    const std::optional<events::Execution>& witness = verdict.answers.incidents[i].witness;
    if (incident.kind == events::Incident::Kind::BarrierDivergence && witness) {
      list.back()["waits"] = events::describe_waits(graph, *witness);
    }
  }
  return list;
}

Json graph_remarks_json(const Verdict& verdict) {
  const events::EventGraph& graph = *verdict.graph;
  Json list = Json::array();
  for (const events::Remark& remark : graph.remarks) {
    list.push_back({{"message", remark.message},
                    {"line", remark.span.line},
                    {"text", string_of(source_text(*graph.program, remark.span))}});
  }
  return list;
}

/// Adds the kinds of incidents that may happen in executions beyond the loop bound. The list `incidents` does not
/// contain them, because no execution shows an incident beyond the loop bound.
void add_unknown_incidents(Json& json, const Verdict& verdict) {
  using Kind = events::Incident::Kind;
  Json kinds = Json::array();
  for (const Kind kind : {Kind::AssertionFailed, Kind::OutOfBounds, Kind::BarrierDivergence, Kind::Misuse}) {
    if (verdict::incident_possibility(verdict, kind) == Possibility::Unknown)
      kinds.push_back(string_of(to_string(kind)));
  }
  if (!kinds.empty()) json["unknown_incidents"] = std::move(kinds);
}

Json condition_json(const Verdict& verdict) {
  const Condition& condition = verdict.graph->program->condition;
  if (condition.quantifier == Quantifier::None) return nullptr;
  return {{"quantifier", string_of(to_string(condition.quantifier))},
          {"text", condition_source(*verdict.graph->program)},
          {"holds", verdict.condition_holds ? Json(*verdict.condition_holds) : Json(nullptr)}};
}

Json unknown_json(UnknownReason reason, const std::string& detail) {
  return {{"reason", string_of(ambit::to_string(reason))}, {"detail", detail}, {"help", string_of(remedy(reason))}};
}

void add_witnesses(Json& json, const Verdict& verdict) {
  const events::EventGraph& graph = *verdict.graph;
  const auto add = [&](const char* name, const events::Witnessed& answer) {
    json[name] = answer.witness ? witness_json(graph, *answer.witness) : Json(nullptr);
  };
  add("witness_holds", verdict.answers.holds);
  add("witness_fails", verdict.answers.fails);
}

void add_verdict(Json& json, const Verdict& verdict, const JsonOptions& options) {
  const events::Answers& answers = verdict.answers;
  json["engine"] = string_of(verdict::to_string(verdict.engine));
  json["frequency"] = verdict.frequency ? Json(string_of(ambit::to_string(*verdict.frequency))) : Json(nullptr);
  json["condition"] = condition_json(verdict);
  const bool speaks = verdict::speaks_of_races(*verdict.rules);
  json["race"] = speaks ? possibility_json(verdict.race) : Json(nullptr);
  json["races"] = races_json(verdict, verdict::races(verdict), options);
  const std::string assumption = verdict::opaque_assumption(*verdict.graph->program);
  if (!assumption.empty()) json["assumption"] = assumption;
  const bool is_partial = std::ranges::any_of(answers.flags, [](const auto& flag) { return !flag.unchecked.empty(); });
  if (is_partial) json["more_pairs"] = true;
  const std::vector<Race> other = verdict::other_flags(verdict);
  if (!other.empty()) json["flags"] = races_json(verdict, other, options);
  json["incidents"] = incidents_json(verdict);
  add_unknown_incidents(json, verdict);
  if (!verdict.graph->remarks.empty()) json["remarks"] = graph_remarks_json(verdict);
  if (!answers.outcomes.empty()) {
    Json outcomes = Json::array();
    for (const auto& outcome : answers.outcomes) outcomes.push_back(outcome_json(*verdict.graph->program, outcome));
    json["outcomes"] = std::move(outcomes);
  }
  if (answers.executions) json["executions"] = *answers.executions;
  if (options.witnesses) add_witnesses(json, verdict);
  for (const std::vector<std::uint32_t>& threads : answers.alike) {
    const std::string& name = verdict.graph->program->threads[threads.front()].name;
    json["alike"].push_back({{"thread", name}, {"count", threads.size()}});
  }
  json["unknown"] = verdict.unknown ? unknown_json(*verdict.unknown, verdict.unknown_detail) : Json(nullptr);
}

Json wait_json(const termination::TerminationVerdict& verdict, const termination::Wait& wait) {
  const Program& program = *verdict.program;
  Json polled = Json::array();
  for (const termination::PolledCell& cell : wait.polled) {
    const Location& location = program.locations[cell.location];
    Json awaited = Json::array();
    for (const Value value : cell.awaited) awaited.push_back(number_json(value, location.type));
    polled.push_back({{"location", location.name},
                      {"sees", number_json(cell.seen, location.type)},
                      {"awaits", std::move(awaited)},
                      {"awaits_change", cell.awaits_change}});
  }
  Json absent = Json::array();
  for (const std::uint32_t thread : wait.absent) absent.push_back(program.threads[thread].name);
  return {{"thread", program.threads[wait.thread].name},
          {"kind", string_of(to_string(wait.kind))},
          {"line", wait.span.line},
          {"text", string_of(source_text(program, wait.span))},
          {"polled", std::move(polled)},
          {"barrier", wait.barrier.empty() ? Json(nullptr) : Json(wait.barrier)},
          {"absent", std::move(absent)}};
}

Json steps_json(const Program& program, const std::vector<EndlessRun::Step>& steps) {
  Json result = Json::array();
  for (const EndlessRun::Step& step : steps) {
    const Thread& thread = program.threads[step.thread];
    const SourceSpan& span = thread.code[step.instruction].span;
    Json one = {{"thread", thread.name}, {"line", span.line}, {"text", string_of(source_text(program, span))}};
    one["location"] = step.location ? Json(program.locations[*step.location].name) : Json(nullptr);
    const auto value = [&](const std::optional<Value>& v) {
      return v ? number_json(*v, program.locations[*step.location].type) : Json(nullptr);
    };
    one["reads"] = value(step.read);
    one["writes"] = value(step.written);
    result.push_back(std::move(one));
  }
  return result;
}

void add_termination(Json& json, const termination::TerminationVerdict& verdict, const JsonOptions& options) {
  json["scheduler"] = string_of(ambit::to_string(verdict.scheduler));
  json["termination"] = string_of(termination::to_string(verdict.termination));
  json["engine"] = string_of(verdict::to_string(verdict.engine));
  Json waits = Json::array();
  for (const termination::Wait& wait : verdict.waits) waits.push_back(wait_json(verdict, wait));
  json["waits"] = std::move(waits);
  if (verdict.livelock) {
    json["livelock"] = {{"before", steps_json(*verdict.program, verdict.livelock->before)},
                        {"cycle", steps_json(*verdict.program, verdict.livelock->cycle)}};
  }
  if (options.witnesses) {
    json["witness"] = nullptr;
    if (verdict.witness) {
      json["witness"] = witness_json(*verdict.graph, *verdict.witness, verdict.program.get());
    }
  }
  json["unknown"] = verdict.unknown ? unknown_json(*verdict.unknown, verdict.unknown_detail) : Json(nullptr);
}

Json result_json(const ModelResult& result, const JsonOptions& options) {
  Json json = {{"model", result.model}, {"status", string_of(verdict::to_string(result.judgement.status))}};
  json["reasons"] = result.judgement.reasons;
  for (const ModelResult::Reading& reading : result.readings) {
    json["readings"].push_back({{"option", reading.option}, {"value", reading.value}, {"verdict", reading.verdict}});
  }
  if (result.verdict) {
    add_verdict(json, *result.verdict, options);
  } else if (result.termination) {
    add_termination(json, *result.termination, options);
  } else if (result.judgement.status == verdict::Status::Error) {
    json["error"] = result.error;
  }
  if (options.statistics) {
    json["milliseconds"] = result.milliseconds;
    json["statistics"] = result.statistics.values;
  }
  return json;
}

}  // namespace

std::string test_json(const TestResult& test, const JsonOptions& options) {
  Json json = {{"file", test.file}, {"name", test.name()}, {"run", test.was_run}};
  if (!test.error.empty()) json["error"] = test.error;
  if (test.program && !test.program->remarks.empty()) json["remarks"] = remarks_json(test.program->remarks);
  if (test.program && !test.program->labels.empty()) {
    Json labels = Json::array();
    for (const SuiteLabel& label : test.program->labels) {
      labels.push_back({{"suite", label.suite}, {"race", label.race}, {"predictable", label.predictable}});
    }
    json["labels"] = std::move(labels);
  }
  Json results = Json::array();
  for (const ModelResult& result : test.results) results.push_back(result_json(result, options));
  json["results"] = std::move(results);
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string json_document(std::string_view version, const std::vector<std::string>& elements, std::string_view list) {
  std::string out = "{\n  \"ambit\": " + Json(version).dump() + ",\n  \"format\": " + std::to_string(kFormat) + ",\n  ";
  out.append(Json(list).dump()).append(": [");
  std::string_view separator = "\n";
  for (const std::string& element : elements) {
    out.append(separator).append("    ");
    for (const char c : element) {
      out += c;
      if (c == '\n') out += "    ";
    }
    separator = ",\n";
  }
  out += elements.empty() ? "]\n}\n" : "\n  ]\n}\n";
  return out;
}

}  // namespace ambit::report
