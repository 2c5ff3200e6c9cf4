#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/external_detectors.h"
#include "base/source.h"
#include "core/trace.h"
#include "detector/detector.h"

namespace ambit::api {

inline constexpr const char* kAllDetectors = "all";

/// The detectors that a user names, with their options.
struct DetectorSelection {
  /// "barracuda,gwcp" or "all,exec:./mine.py,name=mine,./mine.so" (docs/detectors/protocol.md).
  std::string names = kAllDetectors;
  std::vector<std::string> options = {};       ///< "gwcp.overlap=either"
  std::vector<std::string> results = {};       ///< files with detectors' answers: "FILE" or "NAME=FILE"
  std::optional<ExternalRules> external = {};  ///< how to run programs and plugins; if absent, they are refused

  /// Returns whether `names` includes "all", which selects all of Ambit's detectors.
  bool has_all() const;
};

/// One detector with the options that a user gave.
struct ChosenDetector {
  const detector::DetectorDescription* description = nullptr;
  detector::GivenOptions options = {};
  std::shared_ptr<ExternalDetector> external = nullptr;  ///< the user's detector; null for a detector of Ambit

  bool looks_at_programs() const { return description->looks_at == detector::LooksAt::Programs; }
  /// Makes the detector for one run. `tables` must outlive the result.
  std::unique_ptr<detector::Detector> make(const TraceTables& tables, const external::RunName& run) const;
  /// Returns the name to pass to --detector, quoted for a shell; empty if the detector's answers come only from a
  /// file.
  std::string word() const;
  /// Returns the detector's options as shell arguments, each after a blank: " -O gwcp.overlap=either".
  std::string option_words() const;
  /// Returns the detector's name, followed by the options that differ from their defaults: "gwcp(overlap=either)".
  std::string title() const;
};

/// Returns the detectors of a selection in the order of the selection, without duplicates. Errors: unknown detectors,
/// options and values.
Result<std::vector<ChosenDetector>> chosen_detectors(const DetectorSelection& selection);
/// Returns the detectors of a selection that process traces: "all" leaves out detectors that process programs.
Result<std::vector<ChosenDetector>> chosen_trace_detectors(const DetectorSelection& selection);

}  // namespace ambit::api
