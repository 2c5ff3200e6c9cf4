#include "api/detectors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "api/files.h"

namespace ambit::api {
namespace {

Diagnostic name_error(const std::string& option, std::string message) {
  Diagnostic error = path_error(option, std::move(message));
  error.hint = "ambit detect --list prints the names";
  return error;
}

Diagnostic unknown_detector(const std::string& option, const std::string& name) {
  std::vector<std::string_view> names;
  for (const detector::DetectorDescription& one : detector::detectors()) names.push_back(one.name);
  Diagnostic error = name_error(option, fmt::format("unknown detector '{}'", name));
  const std::string_view near = nearest_name(name, names);
  if (!near.empty()) error.hint = fmt::format("did you mean '{}'?", near);
  return error;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

auto find(std::vector<ChosenDetector>& chosen, const std::string& name) {
  return std::ranges::find_if(chosen, [&](const ChosenDetector& one) { return one.description->name == name; });
}

/// Gives "gwcp.overlap=either" to its detector. Returns what is wrong with it.
std::optional<Diagnostic> give(const std::string& text, std::vector<ChosenDetector>& chosen) {
  const std::size_t dot = text.find('.');
  const std::size_t equals = text.find('=', dot == std::string::npos ? 0 : dot);
  if (dot == std::string::npos || equals == std::string::npos) {
    return path_error("-O " + text, "expected DETECTOR.OPTION=VALUE");
  }
  const std::string name = text.substr(0, dot);
  const auto found = find(chosen, name);
  if (found == chosen.end()) {
    if (detector::find_detector(name) == nullptr) return unknown_detector("-O " + text, name);
    return path_error("-O " + text, fmt::format("--detector does not name '{}'", name));
  }
  const std::string option = text.substr(dot + 1, equals - dot - 1);
  if (!found->options.try_emplace(option, text.substr(equals + 1)).second) {
    return path_error("-O " + text, fmt::format("option '{}.{}' is given twice", name, option));
  }
  return std::nullopt;
}

}  // namespace

std::unique_ptr<detector::Detector> ChosenDetector::make(const TraceTables& tables) const {
  return description->make(tables, options);
}

std::string ChosenDetector::title() const {
  std::vector<std::string> changed;
  for (const detector::DetectorOption& option : description->options) {
    const auto given = options.find(option.name);
    if (given != options.end() && given->second != option.values.front()) {
      changed.push_back(fmt::format("{}={}", option.name, given->second));
    }
  }
  return changed.empty() ? description->name : fmt::format("{}({})", description->name, fmt::join(changed, ","));
}

Result<std::vector<ChosenDetector>> chosen_detectors(const DetectorSelection& selection) {
  std::vector<ChosenDetector> chosen;
  if (selection.names == kAllDetectors) {
    for (const auto& one : detector::detectors()) chosen.push_back({&one});
  } else {
    for (const std::string& name : split(selection.names)) {
      const auto* description = detector::find_detector(name);
      if (description == nullptr) return unknown_detector("--detector " + selection.names, name);
      if (find(chosen, name) == chosen.end()) chosen.push_back({description});
    }
  }
  if (chosen.empty()) {
    return name_error("--detector", fmt::format("'{}' names no detector", selection.names));
  }
  for (const std::string& option : selection.options) {
    if (auto error = give(option, chosen)) return std::move(*error);
  }
  for (const ChosenDetector& one : chosen) {
    if (auto error = detector::check_options(one.description->name, one.options)) return std::move(*error);
  }
  return chosen;
}

Result<std::vector<ChosenDetector>> chosen_trace_detectors(const DetectorSelection& selection) {
  auto chosen = chosen_detectors(selection);
  if (chosen.ok() && selection.names == kAllDetectors)
    std::erase_if(chosen.value(), [](const ChosenDetector& one) { return one.looks_at_programs(); });
  return chosen;
}

}  // namespace ambit::api
