#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/source.h"
#include "core/trace.h"
#include "detector/detector.h"

namespace ambit::api {

inline constexpr const char* kAllDetectors = "all";

/// The detectors that a user names, with their options.
struct DetectorSelection {
  std::string names = kAllDetectors;      ///< "barracuda,gwcp"
  std::vector<std::string> options = {};  ///< "gwcp.overlap=either"
};

/// One detector with the options that a user gave.
struct ChosenDetector {
  const detector::DetectorDescription* description = nullptr;
  detector::GivenOptions options = {};

  bool looks_at_programs() const { return description->looks_at == detector::LooksAt::Programs; }
  /// Makes a detector of traces.
  std::unique_ptr<detector::Detector> make(const TraceTables& tables) const;
  /// The name, with the options that differ from the default: "gwcp(overlap=either)".
  std::string title() const;
};

/// The detectors of a selection, in its order, each once. Errors: unknown detectors, options and values.
Result<std::vector<ChosenDetector>> chosen_detectors(const DetectorSelection& selection);
/// The detectors of a selection for input that is a trace: "all" leaves out those that look at programs.
Result<std::vector<ChosenDetector>> chosen_trace_detectors(const DetectorSelection& selection);

}  // namespace ambit::api
