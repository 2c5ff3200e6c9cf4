#include "runner/shadow/watch_options.h"

#include <nlohmann/json.hpp>

namespace ambit::shadow {

std::string WatchOptions::to_text() const {
  nlohmann::json json;
  json["report"] = report_file;
  json["detectors"] = nlohmann::json::array();
  for (const DetectorChoice& one : detectors)
    json["detectors"].push_back({{"name", one.name}, {"options", one.options}});
  json["kernels"] = kernels;
  json["sample"] = sample;
  json["record"] = record_file;
  json["strengthening"] = static_cast<int>(strengthening);
  json["schedule"] = static_cast<int>(schedule.kind);
  json["seed"] = schedule.seed;
  json["quantum"] = schedule.quantum;
  json["change-points"] = schedule.change_points;
  json["expected-accesses"] = schedule.expected_accesses;
  json["memory"] = static_cast<int>(memory);
  json["timeout"] = timeout_milliseconds;
  json["step-budget"] = step_budget;
  json["threads"] = threads;
  json["device-memory"] = device_memory;
  return json.dump();
}

Result<WatchOptions> WatchOptions::from_text(const std::string& text) {
  const auto wrong = [&] {
    return Diagnostic{nullptr, {}, std::string(kOptionsVariable) + ": cannot be read", "ambit exec sets this variable"};
  };
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return wrong();
  try {
    WatchOptions options;
    options.report_file = json.at("report");
    for (const auto& one : json.at("detectors")) options.detectors.push_back({one.at("name"), one.at("options")});
    options.kernels = json.at("kernels").get<std::vector<std::string>>();
    options.sample = json.at("sample");
    options.record_file = json.at("record");
    options.strengthening = static_cast<Strengthening>(json.at("strengthening").get<int>());
    options.schedule.kind = static_cast<virtual_gpu::ScheduleKind>(json.at("schedule").get<int>());
    options.schedule.seed = json.at("seed");
    options.schedule.quantum = json.at("quantum");
    options.schedule.change_points = json.at("change-points");
    options.schedule.expected_accesses = json.at("expected-accesses");
    options.memory = static_cast<virtual_gpu::MemoryMode>(json.at("memory").get<int>());
    options.timeout_milliseconds = json.at("timeout");
    options.step_budget = json.at("step-budget");
    options.threads = json.at("threads");
    options.device_memory = json.at("device-memory");
    return options;
  } catch (const nlohmann::json::exception&) {
    return wrong();
  }
}

}  // namespace ambit::shadow
