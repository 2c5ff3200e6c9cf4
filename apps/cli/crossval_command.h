#pragma once

#include "apps/cli/command.h"

namespace ambit::cli {

/// `ambit crossval`: models, detectors on recorded runs, and a GPU, side by side.
void add_crossval(CLI::App& app, int& exit_code);

}  // namespace ambit::cli
