#include "runner/cuda/worker/report_json.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace ambit::cuda {
namespace {

using nlohmann::json;

json stress_json(const Stress& stress) {
  json fields = json::object();
  for (const StressField& field : stress_fields()) fields[std::string(field.name)] = stress.*(field.member);
  return fields;
}

Stress stress_from(const json& fields) {
  Stress stress;
  for (const StressField& field : stress_fields()) {
    stress.*(field.member) = fields.at(std::string(field.name)).get<std::uint32_t>();
  }
  return stress;
}

json sighting_json(const Sighting& sighting) {
  return {{"values", sighting.values},
          {"count", sighting.count},
          {"first_instance", sighting.first_instance},
          {"first_parameters", stress_json(sighting.first)},
          {"first_seed", sighting.first_seed},
          {"best_rate", sighting.best_rate},
          {"best_parameters", stress_json(sighting.best)}};
}

Sighting sighting_from(const json& fields) {
  Sighting sighting;
  sighting.values = fields.at("values").get<std::vector<Value>>();
  sighting.count = fields.at("count").get<std::uint64_t>();
  sighting.first_instance = fields.at("first_instance").get<std::uint64_t>();
  sighting.first = stress_from(fields.at("first_parameters"));
  sighting.first_seed = fields.at("first_seed").get<std::uint64_t>();
  sighting.best_rate = fields.at("best_rate").get<double>();
  sighting.best = stress_from(fields.at("best_parameters"));
  return sighting;
}

json recording_json(const Recording& recording, std::uint64_t count) {
  json threads = json::array();
  for (const auto& entries : recording.threads) {
    json list = json::array();
    for (const RecordedEntry& entry : entries) list.push_back({entry.instruction, entry.value});
    threads.push_back(std::move(list));
  }
  return {{"threads", threads}, {"order", recording.order}, {"count", count}};
}

std::pair<Recording, std::uint64_t> recording_from(const json& fields) {
  Recording recording;
  for (const json& thread : fields.at("threads")) {
    auto& entries = recording.threads.emplace_back();
    for (const json& entry : thread) {
      entries.push_back({entry.at(0).get<std::uint32_t>(), entry.at(1).get<Value>()});
    }
  }
  recording.order = fields.at("order").get<std::vector<std::uint32_t>>();
  return {recording, fields.at("count").get<std::uint64_t>()};
}

json in_gpu_json(const InGpuReport& report) {
  return {{"detector", report.detector},
          {"instances", report.instances},
          {"kernel_seconds", report.kernel_seconds},
          {"left_out", report.left_out},
          {"without_verdict", report.without_verdict},
          {"racy", report.racy},
          {"unplaced", report.unplaced},
          {"races", report.races},
          {"not_run", report.not_run}};
}

InGpuReport in_gpu_from(const json& fields) {
  InGpuReport report;
  report.detector = fields.at("detector").get<std::string>();
  report.instances = fields.at("instances").get<std::uint64_t>();
  report.kernel_seconds = fields.at("kernel_seconds").get<double>();
  report.left_out = fields.at("left_out").get<std::uint64_t>();
  report.without_verdict = fields.at("without_verdict").get<std::uint64_t>();
  report.racy = fields.at("racy").get<std::uint64_t>();
  report.unplaced = fields.at("unplaced").get<std::uint64_t>();
  report.races = fields.at("races").get<std::vector<std::pair<std::uint64_t, std::uint64_t>>>();
  report.not_run = fields.at("not_run").get<std::string>();
  return report;
}

}  // namespace

std::string report_to_json(const RunReport& report) {
  json outcomes = json::array();
  for (const Sighting& sighting : report.sightings) outcomes.push_back(sighting_json(sighting));
  json all = {{"outcomes", outcomes},
              {"bound_hits", report.histogram.bound_hits},
              {"dropped", report.histogram.dropped},
              {"assertion_failures", report.histogram.assertion_failures},
              {"out_of_bounds", report.histogram.out_of_bounds},
              {"instances", report.instances},
              {"rounds", report.rounds},
              {"launches", report.launches},
              {"uncounted", report.uncounted},
              {"kernel_seconds", report.kernel_seconds},
              {"compile_milliseconds", report.compile_milliseconds},
              {"compiled", report.compiled},
              {"parameters", stress_json(report.current)},
              {"profile", report.profile},
              {"notes", report.notes}};
  json& recordings = all["recordings"] = json::array();
  for (const auto& [recording, count] : report.recordings) recordings.push_back(recording_json(recording, count));
  all["recorded"] = report.recorded;
  all["unrecorded"] = report.unrecorded;
  all["record_seconds"] = report.record_seconds;
  json& in_gpu = all["in_gpu"] = json::array();
  for (const InGpuReport& found : report.in_gpu) in_gpu.push_back(in_gpu_json(found));
  if (report.tuned) {
    all["tuned_parameters"] = stress_json(*report.tuned);
    all["tuned_rate"] = report.tuned_rate;
    all["trials"] = report.trials;
  }
  return all.dump();
}

Result<RunReport> report_from_json(const std::string& text) {
  try {
    const json all = json::parse(text);
    RunReport report;
    for (const json& outcome : all.at("outcomes")) {
      report.sightings.push_back(sighting_from(outcome));
      report.histogram.outcomes[report.sightings.back().values] = report.sightings.back().count;
    }
    report.histogram.bound_hits = all.at("bound_hits").get<std::uint64_t>();
    report.histogram.dropped = all.at("dropped").get<std::uint64_t>();
    report.histogram.assertion_failures = all.at("assertion_failures").get<std::uint64_t>();
    report.histogram.out_of_bounds = all.at("out_of_bounds").get<std::uint64_t>();
    report.instances = all.at("instances").get<std::uint64_t>();
    report.rounds = all.at("rounds").get<std::uint64_t>();
    report.launches = all.at("launches").get<std::uint64_t>();
    report.uncounted = all.at("uncounted").get<std::uint64_t>();
    report.kernel_seconds = all.at("kernel_seconds").get<double>();
    report.compile_milliseconds = all.at("compile_milliseconds").get<double>();
    report.compiled = all.at("compiled").get<bool>();
    report.current = stress_from(all.at("parameters"));
    report.profile = all.at("profile").get<std::string>();
    report.notes = all.at("notes").get<std::vector<std::string>>();
    for (const json& recording : all.at("recordings")) report.recordings.push_back(recording_from(recording));
    report.recorded = all.at("recorded").get<std::uint64_t>();
    report.unrecorded = all.at("unrecorded").get<std::uint64_t>();
    report.record_seconds = all.at("record_seconds").get<double>();
    for (const json& found : all.at("in_gpu")) report.in_gpu.push_back(in_gpu_from(found));
    if (all.contains("tuned_parameters")) {
      report.tuned = stress_from(all.at("tuned_parameters"));
      report.tuned_rate = all.at("tuned_rate").get<double>();
      report.trials = all.at("trials").get<std::uint64_t>();
    }
    return report;
  } catch (const json::exception& error) {
    return Diagnostic{nullptr, {}, std::string("not a report of a run: ") + error.what(), ""};
  }
}

}  // namespace ambit::cuda
