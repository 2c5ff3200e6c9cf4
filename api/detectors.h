#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/external_detectors.h"
#include "core/source.h"
#include "core/trace.h"
#include "detector/detector.h"

namespace ambit::api {

inline constexpr const char* kAllDetectors = "all";

/// The detectors that a user names, with their options.
struct DetectorSelection {
  /// "barracuda,gwcp"; "all,exec:./mine.py,name=mine,./mine.so" (docs/detectors/protocol.md).
  std::string names = kAllDetectors;
  std::vector<std::string> options = {};       ///< "gwcp.overlap=either"
  std::vector<std::string> results = {};       ///< files of answers: "FILE" or "NAME=FILE"
  std::optional<ExternalRules> external = {};  ///< nothing: programs and plugins are refused

  /// Whether the names are those of all detectors, and perhaps of others.
  bool has_all() const;
};

/// One detector with the options that a user gave.
struct ChosenDetector {
  const detector::DetectorDescription* description = nullptr;
  detector::GivenOptions options = {};
  std::shared_ptr<ExternalDetector> external = nullptr;  ///< a detector of the user's

  bool looks_at_programs() const { return description->looks_at == detector::LooksAt::Programs; }
  /// Makes a detector of traces for one run. `tables` must outlive it.
  std::unique_ptr<detector::Detector> make(const TraceTables& tables, const external::RunName& run) const;
  /// What --detector names it by, for a shell; empty: it has only answers in a file.
  std::string word() const;
  /// Its options for a shell, with a blank before each: " -O gwcp.overlap=either".
  std::string option_words() const;
  /// The name, with the options that differ from the default: "gwcp(overlap=either)".
  std::string title() const;
};

/// The detectors of a selection, in its order, each once. Errors: unknown detectors, options and values.
Result<std::vector<ChosenDetector>> chosen_detectors(const DetectorSelection& selection);
/// The detectors of a selection for input that is a trace: "all" leaves out those that look at programs.
Result<std::vector<ChosenDetector>> chosen_trace_detectors(const DetectorSelection& selection);

}  // namespace ambit::api
