#include <nlohmann/json.hpp>

#include "report/json/json.h"
#include "report/results/validation_scores.h"

namespace ambit::report {
namespace {

using Json = nlohmann::ordered_json;

Json race_json(events::Possibility possibility) {
  if (possibility == events::Possibility::Unknown) return nullptr;
  return possibility == events::Possibility::Possible;
}

Json finding_json(const ValidationTest& test, const std::string& detector, const ValidationFinding& finding) {
  Json json = {{"detector", detector}};
  json["not_judged"] = finding.not_judged.empty() ? Json(nullptr) : Json(finding.not_judged);
  json["found"] = !finding.not_judged.empty() ? "not judged"
                  : finding.always(test.runs) ? "always"
                  : finding.found()           ? "sometimes"
                  : test.is_silent(finding)   ? "never"
                                              : "not known";
  json["racy_runs"] = finding.racy_runs;
  json["is_open"] = finding.is_open;
  json["failure"] = finding.failure.empty() ? Json(nullptr) : Json(finding.failure);
  return json;
}

Json verdicts_json(const Validation& validation, const ValidationTest& test) {
  Json json = Json::array();
  for (std::size_t i = 0; i < test.verdicts.size(); ++i) {
    const ValidationVerdict& verdict = test.verdicts[i];
    json.push_back({{"model", validation.models[i]},
                    {"race", race_json(verdict.race)},
                    {"because", verdict.because.empty() ? Json(nullptr) : Json(verdict.because)},
                    {"not_judged", verdict.not_judged.empty() ? Json(nullptr) : Json(verdict.not_judged)}});
  }
  return json;
}

Json test_json(const Validation& validation, const ValidationTest& test) {
  Json json = {{"file", test.file}, {"name", test.name}, {"run", test.was_run}};
  if (!test.error.empty()) json["error"] = test.error;
  if (!test.was_run || !test.error.empty()) return json;
  json["label"] = test.label ? Json(*test.label ? "race" : "norace") : Json(nullptr);
  json["runs"] = test.runs;
  json["runs_are"] = test.runs_are;
  json["incomplete"] = test.incomplete.empty() ? Json(nullptr) : Json(test.incomplete);
  json["detectors"] = Json::array();
  for (std::size_t i = 0; i < test.findings.size(); ++i) {
    json["detectors"].push_back(finding_json(test, validation.detectors[i], test.findings[i]));
  }
  json["models"] = verdicts_json(validation, test);
  json["oracle"] = {{"predictable_runs", test.predictable_runs},
                    {"unordered_runs", test.unordered_runs},
                    {"is_open", test.oracle_is_open}};
  json["refuted"] = Json::array();
  for (const RefutedRace& refuted : test.refuted) {
    json["refuted"].push_back({{"detector", refuted.detector},
                               {"run", refuted.run},
                               {"race", refuted.race},
                               {"unordered", refuted.is_unordered}});
  }
  json["unmet"] = test.unmet;
  return json;
}

Json counts_json(const ValidationCounts& counts) {
  return {{"true_positives", counts.true_positives},
          {"in_every_run", counts.in_every_run},
          {"false_positives", counts.false_positives},
          {"false_negatives", counts.false_negatives},
          {"true_negatives", counts.true_negatives},
          {"not_judged", counts.not_judged},
          {"not_known", counts.not_known}};
}

Json share_json(const Share& share) {
  const auto value = share.value();
  return {{"part", share.part}, {"whole", share.whole}, {"value", value ? Json(*value) : Json(nullptr)}};
}

Json score_json(const Validation& validation, std::size_t detector) {
  const DetectorScore score = score_of(validation, detector);
  Json json = {{"detector", validation.detectors[detector]}};
  json["precision"] = share_json(score.precision);
  json["recall"] = share_json(score.recall);
  json["recall_in_every_run"] = share_json(score.recall_in_every_run);
  json["racy_runs"] = share_json(score.racy_runs);
  if (validation.is_sampled && score.racy_runs.whole > 0) {
    const Interval interval = wilson_interval(score.racy_runs);
    json["racy_runs"]["interval_95"] = Json::array({interval.low, interval.high});
  }
  const FirstRaces& first = score.first_races;
  json["first_races"] = {
      {"real", first.real}, {"unordered", first.unordered}, {"refuted", first.refuted}, {"not_known", first.unknown}};
  if (detector < validation.costs.size()) {
    const DetectorCost& cost = validation.costs[detector];
    json["cost"] = {{"events", cost.events}, {"seconds", cost.seconds}, {"bytes", cost.bytes}};
  }
  return json;
}

Json sorts_json(const Validation& validation, const char* name, const std::vector<SortScore>& sorts) {
  Json json = Json::array();
  for (const SortScore& sort : sorts) {
    Json one;
    one[name] = sort.sort;
    one["tests"] = sort.tests;
    one["detectors"] = Json::array();
    for (std::size_t i = 0; i < sort.found.size(); ++i) {
      one["detectors"].push_back({{"detector", validation.detectors[i]},
                                  {"judged", sort.found[i].judged},
                                  {"in_some_run", sort.found[i].in_some_run},
                                  {"in_every_run", sort.found[i].in_every_run}});
    }
    json.push_back(std::move(one));
  }
  return json;
}

Json difference_json(const Validation& validation, const Difference& difference) {
  const ValidationTest& test = validation.tests[difference.test];
  return {{"reports", validation.detectors[difference.reports]},
          {"silent", validation.detectors[difference.silent]},
          {"tests", difference.tests},
          {"test", test.name},
          {"run", test.run_numbers[difference.run]},
          {"events", difference.events},
          {"replay", replay_command(validation, test, difference.run, {difference.reports, difference.silent})}};
}

}  // namespace

std::string validation_truth_json(const Validation& validation, std::string_view version, std::string_view runs_file) {
  Json json = {{"ambit", version}, {"format", 1}, {"suite", validation.suite}, {"runs_file", runs_file}};
  json["tests"] = Json::array();
  for (const ValidationTest& test : validation.tests) {
    if (!test.is_usable()) continue;
    Json one = {{"file", test.file}, {"name", test.name}};
    one["label"] = test.label ? Json(*test.label ? "race" : "norace") : Json(nullptr);
    one["because"] = test.because.empty() ? Json(nullptr) : Json(test.because);
    one["runs_are"] = test.runs_are;
    one["incomplete"] = test.incomplete.empty() ? Json(nullptr) : Json(test.incomplete);
    one["models"] = verdicts_json(validation, test);
    one["runs"] = Json::array();
    for (std::size_t i = 0; i < test.run_numbers.size(); ++i) {
      one["runs"].push_back({{"run", test.run_numbers[i]}, {"oracle", std::string(1, test.oracle_by_run[i])}});
    }
    json["tests"].push_back(std::move(one));
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string validation_json(const Validation& validation, std::string_view version) {
  Json json = {{"ambit", version}, {"format", 1}, {"suite", validation.suite}};
  for (const SuiteAbout& suite : validation.suites) {
    json["suites"].push_back(
        {{"suite", suite.name}, {"source", suite.source}, {"race", suite.race}, {"norace", suite.norace}});
  }
  json["detectors"] = Json::array();
  for (std::size_t i = 0; i < validation.detectors.size(); ++i) {
    json["detectors"].push_back({{"detector", validation.detectors[i]},
                                 {"against_label", counts_json(count(validation, i, Against::Label))},
                                 {"against_oracle", counts_json(count(validation, i, Against::Oracle))}});
  }
  json["tests"] = Json::array();
  for (const ValidationTest& test : validation.tests) json["tests"].push_back(test_json(validation, test));
  json["scores"] = Json::array();
  for (std::size_t i = 0; i < validation.detectors.size(); ++i) json["scores"].push_back(score_json(validation, i));
  json["kinds"] = sorts_json(validation, "kind", scores_by_kind(validation));
  json["levels"] = sorts_json(validation, "level", scores_by_level(validation));
  json["differences"] = Json::array();
  for (const Difference& one : differences(validation)) json["differences"].push_back(difference_json(validation, one));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ambit::report
