#pragma once

#include "api/detectors.h"
#include "apps/cli/commands.h"

namespace ambit::cli {

/// Declares --detector and -O; `selection` must outlive the command.
void add_detector_options(CLI::App& command, api::DetectorSelection& selection);

}  // namespace ambit::cli
