#include "report/json/kernel_scores_json.h"

#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "report/json/json_text.h"
#include "report/json/judged_json.h"

namespace ambit::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kVerdicts = {KernelVerdict::Correct,  KernelVerdict::WrongResult,    KernelVerdict::Race,
                                  KernelVerdict::Fault,    KernelVerdict::DoesNotCompile, KernelVerdict::CannotLaunch,
                                  KernelVerdict::TimedOut, KernelVerdict::Unknown};
constexpr std::array kStates = {KernelResults::State::NotCompared, KernelResults::State::Equal,
                                KernelResults::State::Different};
constexpr std::array kFaults = {JudgedVerdict::Race,      JudgedVerdict::Divergence,      JudgedVerdict::OutOfBounds,
                                JudgedVerdict::Undefined, JudgedVerdict::AssertionFailed, JudgedVerdict::Deadlock};
constexpr std::array kTools = {JudgingTool::Check, JudgingTool::Compiled, JudgingTool::Exec};

// ---- writing ----

Json first_difference_json(const std::optional<KernelDifference>& difference) {
  if (!difference) return nullptr;
  return {{"array", difference->array},
          {"index", difference->index},
          {"expected", difference->expected},
          {"actual", difference->actual},
          {"input", difference->input}};
}

Json results_json(const KernelResults& results) {
  return {{"state", std::string(to_string(results.state))},
          {"runs", results.runs},
          {"differences", results.differences},
          {"largest_absolute_error", results.largest_absolute_error},
          {"largest_relative_error", results.largest_relative_error},
          {"first", first_difference_json(results.first)}};
}

Json fault_json(const KernelFault& fault) {
  Json places = Json::array();
  for (const JudgedPlace& place : fault.places) places.push_back(place_json(place));
  return {{"kind", std::string(to_string(fault.kind))},
          {"reason", fault.reason},
          {"places", std::move(places)},
          {"location", text_or_null(fault.location)},
          {"tool", std::string(to_string(fault.tool))},
          {"model", text_or_null(fault.model)}};
}

Json candidate_json(const KernelScore& score) {
  Json faults = Json::array();
  for (const KernelFault& fault : score.faults) faults.push_back(fault_json(fault));
  return {{"file", score.file},
          {"verdict", std::string(to_string(score.verdict))},
          {"reason", score.reason},
          {"compiles", score.compiles ? Json(*score.compiles) : Json(nullptr)},
          {"launch", text_or_null(score.launch)},
          {"results", results_json(score.results)},
          {"equal_but_races", score.hides_race()},
          {"faults", std::move(faults)},
          {"sure", coverage_json(score.coverage)},
          {"remarks", score.remarks}};
}

Json summary_json(const KernelScores& scores) {
  Json summary = Json::object();
  const auto counts = scores.counts();
  std::size_t all = 0;
  for (const auto& [verdict, count] : counts) all += count;
  summary["candidates"] = all;
  for (const KernelVerdict verdict : kVerdicts) {
    const auto found = counts.find(verdict);
    summary[std::string(to_string(verdict))] = found == counts.end() ? 0 : found->second;
  }
  summary["equal_but_races"] = scores.hidden_races();
  return summary;
}

// ---- reading ----

/// Returns the enumerator that a word names. Throws std::invalid_argument if the word names no enumerator.
template <typename Values>
auto value_of(const Values& values, const Json& word) {
  const auto text = word.get<std::string>();
  for (const auto value : values) {
    if (to_string(value) == text) return value;
  }
  throw std::invalid_argument(text);
}

std::string text_of(const Json& json) { return json.is_null() ? std::string() : json.get<std::string>(); }

JudgedPlace read_place(const Json& json) {
  const auto number = [&](const char* name) {
    return json.at(name).is_null() ? 0U : json.at(name).get<std::uint32_t>();
  };
  return {text_of(json.at("file")),   number("line"),
          number("column"),           text_of(json.at("text")),
          text_of(json.at("thread")), text_of(json.at("operation"))};
}

KernelFault read_fault(const Json& json) {
  KernelFault fault;
  fault.kind = value_of(kFaults, json.at("kind"));
  fault.reason = json.at("reason").get<std::string>();
  for (const Json& place : json.at("places")) fault.places.push_back(read_place(place));
  fault.location = text_of(json.at("location"));
  fault.tool = value_of(kTools, json.at("tool"));
  fault.model = text_of(json.at("model"));
  return fault;
}

KernelResults read_results(const Json& json) {
  KernelResults results;
  results.state = value_of(kStates, json.at("state"));
  json.at("runs").get_to(results.runs);
  json.at("differences").get_to(results.differences);
  json.at("largest_absolute_error").get_to(results.largest_absolute_error);
  json.at("largest_relative_error").get_to(results.largest_relative_error);
  if (const Json& first = json.at("first"); !first.is_null()) {
    results.first = {first.at("array"), first.at("index"), first.at("expected"), first.at("actual"), first.at("input")};
  }
  return results;
}

std::optional<Coverage> read_coverage(const Json& json) {
  if (json.is_null()) return std::nullopt;
  if (json.at("kind") == "exact") return Coverage{};
  if (json.at("kind") == "bounded") return Coverage{Coverage::Kind::Bounded, json.at("iterations")};
  return Coverage{Coverage::Kind::Sampled, json.at("runs")};
}

KernelScore read_score(const Json& json) {
  KernelScore score;
  score.file = json.at("file").get<std::string>();
  score.verdict = value_of(kVerdicts, json.at("verdict"));
  score.reason = json.at("reason").get<std::string>();
  if (!json.at("compiles").is_null()) score.compiles = json.at("compiles").get<bool>();
  score.launch = text_of(json.at("launch"));
  score.results = read_results(json.at("results"));
  for (const Json& fault : json.at("faults")) score.faults.push_back(read_fault(fault));
  score.coverage = read_coverage(json.at("sure"));
  score.remarks = json.at("remarks").get<std::vector<std::string>>();
  return score;
}

}  // namespace

std::string kernel_scores_json(const KernelScores& scores, int status, std::string_view version) {
  Json tasks = Json::array();
  for (const ScoredTask& task : scores.tasks) {
    Json candidates = Json::array();
    for (const KernelScore& score : task.candidates) candidates.push_back(candidate_json(score));
    tasks.push_back(
        {{"task", task.name}, {"reference", candidate_json(task.reference)}, {"candidates", std::move(candidates)}});
  }
  const Json document = {{"ambit", version},
                         {"format", 1},
                         {"document", "judge suite"},
                         {"suite", scores.suite},
                         {"status", status},
                         {"timeout_seconds", scores.timeout_seconds ? Json(*scores.timeout_seconds) : Json(nullptr)},
                         {"timed_out", scores.has_timed_out},
                         {"interrupted", scores.was_interrupted},
                         {"summary", summary_json(scores)},
                         {"tasks", std::move(tasks)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string kernel_score_json(const KernelScore& score) {
  return candidate_json(score).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<KernelScore> read_kernel_score(std::string_view text) {
  try {
    return read_score(Json::parse(text));
  } catch (const std::exception&) {  // the text is not JSON, lacks a field or has an unknown word
    return std::nullopt;
  }
}

}  // namespace ambit::report
