#include <nlohmann/json.hpp>

#include "report/json/json.h"
#include "report/results/validation.h"

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
  json["models"] = Json::array();
  for (std::size_t i = 0; i < test.verdicts.size(); ++i) {
    const ValidationVerdict& verdict = test.verdicts[i];
    json["models"].push_back({{"model", validation.models[i]},
                              {"race", race_json(verdict.race)},
                              {"because", verdict.because.empty() ? Json(nullptr) : Json(verdict.because)},
                              {"not_judged", verdict.not_judged.empty() ? Json(nullptr) : Json(verdict.not_judged)}});
  }
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

}  // namespace

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
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ambit::report
