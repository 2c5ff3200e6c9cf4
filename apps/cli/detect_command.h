#pragma once

#include "apps/cli/command.h"

namespace ambit::cli {

/// `ambit detect`: race detectors on a trace, or on runs of a test.
void add_detect(CLI::App& app, int& exit_code);

}  // namespace ambit::cli
