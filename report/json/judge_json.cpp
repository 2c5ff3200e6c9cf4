#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "report/json/json.h"
#include "report/json/json_text.h"
#include "report/json/judged_json.h"
#include "report/json/remarks_json.h"
#include "report/json/witness_json.h"
#include "report/results/condition_source.h"
#include "report/results/judged.h"

namespace ambit::report {
namespace {

using Json = nlohmann::ordered_json;

/// The document omits executions with more events. The replay command prints the omitted execution.
constexpr std::size_t kMostEventsOfWitness = 256;

Json number_or_null(std::uint32_t number) { return number == 0 ? Json(nullptr) : Json(number); }

Json patch_json(const std::optional<JudgedPatch>& patch) {
  if (!patch) return nullptr;
  return {{"diff", patch->diff},
          {"changes", patch->changes},
          {"cost", patch->cost},
          {"cheapest", patch->is_cheapest},
          {"confirmed_by", patch->confirmed_by},
          {"keeps_outcomes", patch->keeps_outcomes ? Json(*patch->keeps_outcomes) : Json(nullptr)}};
}

Json replay_json(const std::optional<JudgedReplay>& replay) {
  if (!replay) return nullptr;
  Json json = {{"command", replay->command}, {"witness", nullptr}};
  const bool is_short = replay->witness != nullptr && replay->graph->events.size() <= kMostEventsOfWitness;
  if (is_short) json["witness"] = witness_json(*replay->graph, *replay->witness);
  return json;
}

Json attempts_json(const std::vector<JudgeAttempt>& attempts) {
  Json list = Json::array();
  for (const JudgeAttempt& attempt : attempts) {
    list.push_back({{"tool", std::string(to_string(attempt.tool))},
                    {"launch", text_or_null(attempt.launch)},
                    {"result", attempt.result}});
  }
  return list;
}

Json assumed_json(const Judged& judged) {
  Json json = {{"reading", judged.reading == JudgingTool::Compiled ? "compiled" : "source"},
               {"launch", text_or_null(judged.launch)},
               {"smaller_launch", judged.is_smaller_launch},
               {"assumptions", judged.assumptions}};
  json["remarks"] = remarks_json(judged.remarks);
  return json;
}

Json condition_json(const Judged& judged) {
  if (judged.checked == nullptr) return nullptr;
  const Program& program = *judged.checked->graph->program;
  if (program.condition.quantifier == Quantifier::None) return nullptr;
  const auto& frequency = judged.checked->frequency;
  const auto& holds = judged.checked->condition_holds;
  return {{"text", condition_source(program)},
          {"holds", holds ? Json(*holds) : Json(nullptr)},
          {"frequency", frequency ? Json(std::string(ambit::to_string(*frequency))) : Json(nullptr)}};
}

Json judged_json(const Judged& judged) {
  Json also = Json::array();
  for (const JudgedVerdict verdict : judged.also) also.push_back(std::string(to_string(verdict)));
  Json places = Json::array();
  for (const JudgedPlace& place : judged.places) places.push_back(place_json(place));
  return {{"file", judged.file},
          {"test", text_or_null(judged.test)},
          {"model", text_or_null(judged.model)},
          {"verdict", std::string(to_string(judged.verdict))},
          {"also", std::move(also)},
          {"reason", judged.reason},
          {"races", judged.races},
          {"location", text_or_null(judged.location)},
          {"places", std::move(places)},
          {"patch", patch_json(judged.patch)},
          {"no_patch", text_or_null(judged.why_no_patch)},
          {"replay", replay_json(judged.replay)},
          {"sure", coverage_json(judged.coverage)},
          {"tool", judged.tool ? Json(std::string(to_string(*judged.tool))) : Json(nullptr)},
          {"attempts", attempts_json(judged.attempts)},
          {"assumed", assumed_json(judged)},
          {"condition", condition_json(judged)}};
}

}  // namespace

Json place_json(const JudgedPlace& place) {
  return {{"file", text_or_null(place.file)},       {"line", number_or_null(place.line)},
          {"column", number_or_null(place.column)}, {"text", text_or_null(place.text)},
          {"thread", text_or_null(place.thread)},   {"operation", text_or_null(place.operation)}};
}

Json coverage_json(const std::optional<Coverage>& coverage) {
  if (!coverage) return nullptr;
  switch (coverage->kind) {
    case Coverage::Kind::Exact: break;
    case Coverage::Kind::Bounded: return {{"kind", "bounded"}, {"iterations", coverage->count}};
    case Coverage::Kind::Sampled: return {{"kind", "sampled"}, {"runs", coverage->count}};
  }
  return {{"kind", "exact"}};
}

std::string judge_json(const JudgeReport& report, int status, std::string_view version) {
  Json judged = Json::array();
  for (const Judged& one : report.judged) judged.push_back(judged_json(one));
  const Json document = {{"ambit", version},
                         {"format", 1},
                         {"document", "judge"},
                         {"status", status},
                         {"timeout_seconds", report.timeout_seconds},
                         {"timed_out", report.has_timed_out},
                         {"interrupted", report.was_interrupted},
                         {"judged", std::move(judged)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ambit::report
