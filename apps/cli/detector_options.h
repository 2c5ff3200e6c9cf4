#pragma once

#include <map>
#include <string>
#include <vector>

#include "apps/cli/commands.h"
#include "core/source.h"

namespace ambit::cli {

inline constexpr const char* kAllDetectors = "all";

/// The detectors that a command line names, with their options.
struct DetectorSelection {
  std::string names = kAllDetectors;  ///< --detector: "barracuda,gwcp"
  std::vector<std::string> options;   ///< -O: "gwcp.overlap=either"
};

/// Declares --detector and -O; `selection` must outlive the command.
void add_detector_options(CLI::App& command, DetectorSelection& selection);

/// One detector chosen.
struct ChosenDetector {
  std::string name;
  std::map<std::string, std::string> options;
  std::string title;  ///< with its options that are not the default
  bool needs_program = false;
};

/// Errors: no such detector, option or value.
Result<std::vector<ChosenDetector>> chosen_detectors(const DetectorSelection& selection);

}  // namespace ambit::cli
