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

  /// Returns whether the names include all detectors of Ambit.
  bool has_all() const;
};

/// One detector with the options that a user gave.
struct ChosenDetector {
  const detector::DetectorDescription* description = nullptr;
  detector::GivenOptions options = {};
  std::shared_ptr<ExternalDetector> external = nullptr;  ///< a detector of the user

  bool looks_at_programs() const { return description->looks_at == detector::LooksAt::Programs; }
  /// Makes a detector of traces for one run. `tables` must outlive it.
  std::unique_ptr<detector::Detector> make(const TraceTables& tables, const external::RunName& run) const;
  /// Returns its name for --detector, quoted for a shell; empty: its answers come from a file only.
  std::string word() const;
  /// Returns its options for a shell, with a blank before each: " -O gwcp.overlap=either".
  std::string option_words() const;
  /// Returns the name, with the options that differ from the default: "gwcp(overlap=either)".
  std::string title() const;
};

/// Returns the detectors of a selection, in its order, each once. Errors: unknown detectors, options and values.
Result<std::vector<ChosenDetector>> chosen_detectors(const DetectorSelection& selection);
/// Returns the detectors of a selection for traces as input: "all" leaves out detectors of programs.
Result<std::vector<ChosenDetector>> chosen_trace_detectors(const DetectorSelection& selection);

}  // namespace ambit::api
