#include <nlohmann/json.hpp>

#include "model/verdict/races.h"
#include "report/json/json.h"
#include "report/json/remarks_json.h"
#include "report/results/words.h"
#include "report/text/explain_steps.h"
#include "report/text/explain_text.h"

namespace ambit::report {
namespace {

using Json = nlohmann::ordered_json;
using events::EventGraph;
using events::EventId;
using events::Execution;
using explain::Chain;
using explain::Link;

Json event_json(const EventGraph& graph, const Execution& execution, EventId event) {
  const events::Event& e = graph.events[event];
  Json json;
  json["event"] = event;
  json["thread"] = graph.thread_name(event);
  json["text"] = event_text(graph, execution, event);
  if (e.span.line != 0) json["line"] = e.span.line;
  if (e.is_read() && execution.reads_from[event] != events::kNoEvent) json["reads_from"] = execution.reads_from[event];
  return json;
}

Json execution_json(const EventGraph& graph, const Execution& execution) {
  Json list = Json::array();
  execution.executed.for_each([&](EventId e) { list.push_back(event_json(graph, execution, e)); });
  return list;
}

Json chain_json(const EventGraph& graph, const Chain& chain) {
  Json list = Json::array();
  for (const Link& link : chain) {
    Json json;
    json["from"] = link.from;
    json["to"] = link.to;
    json["relation"] = link.name;
    if (link.is_reversed) json["reversed"] = true;
    if (!link.properties.empty()) {
      Json properties = Json::array();
      for (const Link::Property& property : link.properties) properties.push_back(property.phrase);
      json["properties"] = std::move(properties);
    }
    if (!link.parts.empty()) json["parts"] = chain_json(graph, link.parts);
    list.push_back(std::move(json));
  }
  return list;
}

/// Returns the lines of the explanation as JSON. Removes their indentation.
Json sentences(const EventGraph& graph, const Execution& execution, const Chain& chain) {
  Json list = Json::array();
  for (const std::string& line : StepWords(graph, execution, false).outline(chain)) {
    list.push_back(line.substr(line.find_first_not_of(' ')));
  }
  return list;
}

template <typename Explanation>
Json head(const Explanation& explanation, std::string_view version) {
  Json json;
  json["ambit"] = version;
  json["test"] = explanation.graph->program->name;
  json["model"] = explanation.model;
  const Diagnostics& remarks = explanation.graph->program->remarks;
  if (!remarks.empty()) json["remarks"] = remarks_json(remarks);
  json["possible"] = to_string(explanation.possibility);
  if (explanation.unknown) {
    json["unknown"] = unknown_text(*explanation.unknown, explanation.unknown_detail);
  }
  return json;
}

Json path_json(const explain::Path& path) {
  Json list = Json::array();
  for (const explain::PathStep& step : path) list.push_back(step.event);
  return list;
}

/// Returns the two accesses of each race, without causes.
Json race_places_json(const verdict::Verdict& verdict) {
  const EventGraph& graph = *verdict.graph;
  Json list = Json::array();
  for (const verdict::Race& race : verdict::races(verdict)) {
    Json json;
    json["flag"] = race.flag;
    if (race.location) json["location"] = graph.program->locations[*race.location].name;
    const Execution& witness = *race.pair->witness;
    json["accesses"] = {event_json(graph, witness, race.pair->first), event_json(graph, witness, race.pair->second)};
    list.push_back(std::move(json));
  }
  return list;
}

Json race_json(const explain::RaceExplanation& explanation, const explain::ExplainedRace& race) {
  const EventGraph& graph = *explanation.graph;
  Json json;
  json["flag"] = race.flag;
  if (race.location) json["location"] = graph.program->locations[*race.location].name;
  json["accesses"] = {event_json(graph, race.witness, race.first), event_json(graph, race.witness, race.second)};
  Json missing = Json::array();
  for (const explain::Repair& repair : race.repairs) missing.push_back(missing_link_text(explanation, race, repair));
  json["missing_link"] = std::move(missing);
  json["untried_changes"] = race.untried_repairs;
  json["undecided_changes"] = race.undecided_repairs;
  Json paths = Json::array();
  for (const explain::Path& path : race.paths) paths.push_back(path_json(path));
  json["paths"] = std::move(paths);
  json["execution"] = execution_json(graph, race.witness);
  return json;
}

}  // namespace

std::string outcome_explanation_json(const explain::OutcomeExplanation& explanation, std::string_view question,
                                     std::string_view version) {
  const EventGraph& graph = *explanation.graph;
  Json json = head(explanation, version);
  json["outcome"] = question;
  if (explanation.witness) {
    json["execution"] = execution_json(graph, *explanation.witness);
    json["weak_cycle"] = chain_json(graph, explanation.weak_cycle);
    using events::Possibility;
    json["interleaving"] = to_string(explanation.weak_cycle.empty()     ? Possibility::Possible
                                     : explanation.interleaving_unknown ? Possibility::Unknown
                                                                        : Possibility::Impossible);
  }
  if (explanation.possibility == events::Possibility::Impossible) {
    if (explanation.races) {
      json["race"] = to_string(explanation.races->race);
      json["races"] = race_places_json(*explanation.races);
    }
    json["unreachable"] = explanation.is_unreachable;
    json["stuck"] = explanation.is_stuck;
    Json axioms = Json::array();
    for (const explain::Violation& violation : explanation.violations) {
      const rules::Axiom& axiom = explanation.rules->axioms[violation.axiom];
      Json one;
      one["axiom"] = axiom.name;
      one["term"] = rules::to_string(*explanation.rules, axiom.term);
      one["others_hold"] = violation.others_hold;
      one["chain"] = chain_json(graph, violation.chain);
      one["sentences"] = sentences(graph, violation.execution, violation.chain);
      one["execution"] = execution_json(graph, violation.execution);
      axioms.push_back(std::move(one));
    }
    json["axioms"] = std::move(axioms);
  }
  return json.dump(2) + "\n";
}

std::string race_explanation_json(const explain::RaceExplanation& explanation, std::string_view version) {
  const EventGraph& graph = *explanation.graph;
  Json json = head(explanation, version);
  json["speaks_of_races"] = explanation.model_speaks_of_races;
  json["any_execution"] = explanation.has_execution;
  Json races = Json::array();
  for (const explain::ExplainedRace& race : explanation.races) races.push_back(race_json(explanation, race));
  json["races"] = std::move(races);
  Json ordered = Json::array();
  for (const explain::OrderedPair& pair : explanation.ordered) {
    Json one;
    if (pair.location) one["location"] = graph.program->locations[*pair.location].name;
    one["accesses"] = {event_json(graph, pair.execution, pair.first), event_json(graph, pair.execution, pair.second)};
    if (pair.chain.empty()) {
      one["exempt"] = pair.exemption;
    } else {
      one["chain"] = chain_json(graph, pair.chain);
      one["sentences"] = sentences(graph, pair.execution, pair.chain);
    }
    ordered.push_back(std::move(one));
  }
  json["ordered"] = std::move(ordered);
  if (explanation.possibility == events::Possibility::Impossible) json["all_ordered"] = explanation.has_all_ordered;
  return json.dump(2) + "\n";
}

}  // namespace ambit::report
