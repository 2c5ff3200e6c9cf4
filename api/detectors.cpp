#include "api/detectors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "api/files.h"
#include "detector/algorithms/registry.h"

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
  if (name.find('/') != std::string::npos) {
    error.hint = fmt::format("name a program of your own as exec:{}", name.substr(name.rfind(':') + 1));
  }
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

/// Quotes a word for a shell.
std::string quoted(const std::string& word) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./:,=+@%").find(c) != std::string_view::npos;
  };
  if (std::ranges::all_of(word, is_plain)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

auto find(std::vector<ChosenDetector>& chosen, const std::string& name) {
  return std::ranges::find_if(chosen, [&](const ChosenDetector& one) { return one.description->name == name; });
}

/// Passes an option such as "gwcp.overlap=either" to the detector that it names. Returns an error if there is no such
/// detector, option or value.
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

Diagnostic same_names(const std::string& option, const std::string& name) {
  Diagnostic error = path_error(option, fmt::format("two detectors have the name '{}'", name));
  error.hint = option.starts_with("--results") ? "write --results NAME=FILE" : "add ,name=NAME to it";
  return error;
}

/// Adds a user's detector. Returns an error if the name of the detector is not valid.
std::optional<Diagnostic> add_external(const std::string& option, std::shared_ptr<ExternalDetector> external,
                                       std::vector<ChosenDetector>& chosen) {
  const detector::DetectorDescription& description = external->description();
  if (description.name == kAllDetectors) {
    return path_error(option, fmt::format("a detector cannot have the name '{}'", kAllDetectors));
  }
  if (find(chosen, description.name) != chosen.end()) return same_names(option, description.name);
  chosen.push_back({&description, {}, std::move(external)});
  return std::nullopt;
}

/// Adds a detector of Ambit unless it was already added.
std::optional<Diagnostic> add_own(const std::string& option, const detector::DetectorDescription& description,
                                  std::vector<ChosenDetector>& chosen) {
  const auto same = find(chosen, description.name);
  if (same == chosen.end()) {
    chosen.push_back({&description});
  } else if (same->external != nullptr) {
    return same_names(option, description.name);
  }
  return std::nullopt;
}

/// Adds the detectors that --detector names. Returns an error if a name is not valid.
std::optional<Diagnostic> choose(const DetectorSelection& selection, std::vector<ChosenDetector>& chosen) {
  const std::string option = "--detector " + selection.names;
  const std::vector<std::string> words = split(selection.names);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == kAllDetectors) {
      for (const auto& one : detector::detectors()) {
        if (auto wrong = add_own(option, one, chosen)) return wrong;
      }
      continue;
    }
    if (!names_external_detector(words[i])) {
      const auto* description = detector::find_detector(words[i]);
      if (description == nullptr) return unknown_detector(option, words[i]);
      if (auto wrong = add_own(option, *description, chosen)) return wrong;
      continue;
    }
    if (!selection.external) return path_error(option, "programs and plugins are not available here");
    std::vector<std::string> parts = {words[i]};
    while (i + 1 < words.size() && words[i + 1].find('=') != std::string::npos &&
           !names_external_detector(words[i + 1])) {
      parts.push_back(words[++i]);
    }
    auto external = ExternalDetector::of_program(parts, *selection.external);
    if (!external.ok()) return external.errors().front();
    if (auto wrong = add_external(option, std::move(external).value(), chosen)) return wrong;
  }
  return std::nullopt;
}

}  // namespace

std::unique_ptr<detector::Detector> ChosenDetector::make(const TraceTables& tables,
                                                         const external::RunName& run) const {
  return external ? external->make(tables, run) : description->make(tables, options);
}

std::string ChosenDetector::title() const {
  std::vector<std::string> changed;
  for (const detector::DetectorOption& option : description->options) {
    const auto given = options.find(option.name);
    if (given != options.end() && given->second != option.values.front()) {
      changed.push_back(fmt::format("{}={}", option.name, given->second));
    }
  }
  if (external) {
    for (const auto& [name, value] : options) changed.push_back(fmt::format("{}={}", name, value));
  }
  return changed.empty() ? description->name : fmt::format("{}({})", description->name, fmt::join(changed, ","));
}

std::string ChosenDetector::word() const {
  if (external && external->words().empty()) {
    return detector::find_detector(description->name) == nullptr ? "" : description->name;
  }
  return quoted(external ? external->words() : description->name);
}

std::string ChosenDetector::option_words() const {
  std::string words;
  for (const auto& [name, value] : options) {
    words += " -O " + quoted(fmt::format("{}.{}={}", description->name, name, value));
  }
  return words;
}

bool DetectorSelection::has_all() const {
  const std::vector<std::string> words = split(names);
  return std::ranges::find(words, kAllDetectors) != words.end();
}

Result<std::vector<ChosenDetector>> chosen_detectors(const DetectorSelection& selection) {
  std::vector<ChosenDetector> chosen;
  if (auto wrong = choose(selection, chosen)) return std::move(*wrong);
  for (const std::string& given : selection.results) {
    auto answers = ExternalDetector::of_results(given, selection.external ? selection.external->interrupted : nullptr);
    if (!answers.ok()) return answers.errors();
    if (auto wrong = add_external("--results " + given, std::move(answers).value(), chosen)) return std::move(*wrong);
  }
  if (chosen.empty()) {
    return name_error("--detector", fmt::format("'{}' names no detector", selection.names));
  }
  for (const std::string& option : selection.options) {
    if (auto error = give(option, chosen)) return std::move(*error);
  }
  for (const ChosenDetector& one : chosen) {
    if (one.external) {
      one.external->prepare(one.options);
    } else if (auto error = detector::check_options(one.description->name, one.options)) {
      return std::move(*error);
    }
  }
  return chosen;
}

Result<std::vector<ChosenDetector>> chosen_trace_detectors(const DetectorSelection& selection) {
  auto chosen = chosen_detectors(selection);
  if (chosen.ok() && selection.has_all())
    std::erase_if(chosen.value(), [](const ChosenDetector& one) { return one.looks_at_programs(); });
  return chosen;
}

}  // namespace ambit::api
