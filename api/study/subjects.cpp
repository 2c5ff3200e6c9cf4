#include "api/study/subjects.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/detectors.h"
#include "api/files.h"
#include "detector/algorithms/registry.h"
#include "model/verdict/verdict.h"
#include "parser/cat/model_store.h"

namespace ambit::api {
namespace {

using study::Subject;

/// Splits a text such as "gwcp(overlap=either)" into the name and options of a detector.
Result<DetectorSelection> selection_of(const std::string& text) {
  DetectorSelection selection;
  selection.names = text;
  if (names_external_detector(text)) return selection;
  const std::size_t open = text.find('(');
  selection.names = text.substr(0, open);
  if (open == std::string::npos) return selection;
  if (!text.ends_with(')')) return path_error(text, "expected ')' at the end of the detector's options");
  std::string rest = text.substr(open + 1, text.size() - open - 2);
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    selection.options.push_back(selection.names + "." + rest.substr(0, comma));
    rest.erase(0, std::min(comma + 1, rest.size()));
  }
  return selection;
}

Result<Subject> detector_subject(const std::string& text, const std::optional<ExternalRules>& external) {
  auto chosen = detector_named(text, external);
  if (!chosen.ok()) return chosen.errors();
  ChosenDetector one = std::move(chosen).value();
  return Subject{fmt::format("{}{}", kDetectorPrefix, one.title()), {}, [one](const TraceTables& tables) {
                   return one.make(tables, {"program", 0});
                 }};
}

}  // namespace

Result<ChosenDetector> detector_named(const std::string& text, const std::optional<ExternalRules>& external) {
  auto selection = selection_of(text);
  if (!selection.ok()) return selection.errors();
  DetectorSelection named = std::move(selection).value();
  named.external = external;
  auto chosen = chosen_trace_detectors(named);
  if (!chosen.ok()) return chosen.errors();
  if (chosen.value().size() != 1) return path_error(text, "name one detector");
  return std::move(chosen.value().front());
}

Result<std::vector<Subject>> subjects_of(const std::vector<std::string>& names,
                                         const std::optional<ExternalRules>& external) {
  parser::ModelStore store;
  std::vector<Subject> subjects;
  Diagnostics errors;
  for (const std::string& name : names) {
    if (name.starts_with(kDetectorPrefix)) {
      auto subject = detector_subject(name.substr(kDetectorPrefix.size()), external);
      if (subject.ok()) {
        subjects.push_back(std::move(subject).value());
      } else {
        errors.insert(errors.end(), subject.errors().begin(), subject.errors().end());
      }
      continue;
    }
    auto rules = store.load_reference(name);
    if (rules.ok()) {
      const std::string file = name.substr(0, name.find(".cat") + 4);
      const bool is_file = name.find(".cat") != std::string::npos;
      subjects.push_back(
          {verdict::model_name(*rules.value()), rules.value(), {}, is_file ? fmt::format("\"{}\"", file) : ""});
    } else if (detector::find_detector(name.substr(0, name.find('('))) != nullptr) {
      errors.push_back(error_without_place(fmt::format("{} is a detector, where a model is expected", name),
                                           fmt::format("write {}{} for the detector", kDetectorPrefix, name)));
    } else {
      errors.insert(errors.end(), rules.errors().begin(), rules.errors().end());
    }
  }
  if (!errors.empty()) return errors;
  return subjects;
}

std::vector<std::string> all_subjects() {
  std::vector<std::string> names = {"sc",      "hrf-direct", "hrf-indirect", "hrf-relaxed", "ptx",
                                    "ptx-7.5", "ptx-6.0",    "cuda-cpp",     "scoped-hb",   "gwcp"};
  for (const detector::DetectorDescription& one : detector::detectors()) {
    // Boyer's detector and LDetector process only shared memory. Generated programs have no shared memory.
    const bool sees_global = one.name != "boyer";
    if (one.looks_at == detector::LooksAt::Traces && sees_global)
      names.push_back(std::string(kDetectorPrefix) + one.name);
  }
  return names;
}

}  // namespace ambit::api
