#include "apps/cli/detector_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "api/files.h"
#include "detector/detector.h"

namespace ambit::cli {
namespace {

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

const detector::DetectorDescription* find(const std::string& name) {
  const auto& all = detector::detectors();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::string title_of(const ChosenDetector& chosen, const detector::DetectorDescription& description) {
  std::vector<std::string> changed;
  for (const detector::DetectorOption& option : description.options) {
    const auto given = chosen.options.find(option.name);
    if (given != chosen.options.end() && given->second != option.values.front()) {
      changed.push_back(fmt::format("{}={}", option.name, given->second));
    }
  }
  return changed.empty() ? chosen.name : fmt::format("{}({})", chosen.name, fmt::join(changed, ","));
}

/// Puts "gwcp.overlap=either" where it belongs; what is wrong with it, or nothing.
std::optional<Diagnostic> give(const std::string& text, std::vector<ChosenDetector>& chosen) {
  const std::size_t dot = text.find('.');
  const std::size_t equals = text.find('=', dot == std::string::npos ? 0 : dot);
  if (dot == std::string::npos || equals == std::string::npos) {
    return api::path_error("-O " + text, "expected DETECTOR.OPTION=VALUE");
  }
  const std::string name = text.substr(0, dot);
  const auto found = std::find_if(chosen.begin(), chosen.end(), [&](const auto& one) { return one.name == name; });
  if (found == chosen.end()) {
    return api::path_error("-O " + text, find(name) == nullptr
                                             ? fmt::format("there is no detector '{}'", name)
                                             : fmt::format("'{}' is not among the detectors that are asked", name));
  }
  const std::string option = text.substr(dot + 1, equals - dot - 1);
  if (!found->options.try_emplace(option, text.substr(equals + 1)).second) {
    return api::path_error("-O " + text, fmt::format("'{}.{}' is given twice", name, option));
  }
  return std::nullopt;
}

}  // namespace

void add_detector_options(CLI::App& command, DetectorSelection& selection) {
  command.add_option("--detector", selection.names, "The detectors to ask, or all")
      ->capture_default_str()
      ->type_name("NAME[,NAME]");
  command.add_option("-O", selection.options, "An option of a detector: gwcp.overlap=either")
      ->type_name("DETECTOR.OPTION=VALUE")
      ->allow_extra_args(false);
}

Result<std::vector<ChosenDetector>> chosen_detectors(const DetectorSelection& selection) {
  std::vector<ChosenDetector> chosen;
  if (selection.names == kAllDetectors) {
    for (const auto& one : detector::detectors()) chosen.push_back({one.name, {}, {}, one.needs_program});
  } else {
    for (const std::string& name : split(selection.names)) {
      const auto* description = find(name);
      if (description == nullptr) {
        Diagnostic error =
            api::path_error("--detector " + selection.names, fmt::format("there is no detector '{}'", name));
        error.hint = "ambit detect --list names them";
        return Diagnostics{error};
      }
      const bool is_there =
          std::any_of(chosen.begin(), chosen.end(), [&](const auto& one) { return one.name == name; });
      if (!is_there) chosen.push_back({name, {}, {}, description->needs_program});
    }
  }
  if (chosen.empty()) {
    Diagnostic error = api::path_error("--detector", fmt::format("'{}' names no detector", selection.names));
    error.hint = "ambit detect --list names them";
    return Diagnostics{error};
  }
  for (const std::string& option : selection.options) {
    if (const auto error = give(option, chosen)) return Diagnostics{*error};
  }
  for (ChosenDetector& one : chosen) {
    if (auto error = detector::check_options(one.name, one.options)) return Diagnostics{std::move(*error)};
    one.title = title_of(one, *find(one.name));
  }
  return chosen;
}

}  // namespace ambit::cli
