#pragma once

#include "apps/cli/command.h"

namespace ambit::cli {

/// `ambit trace convert` and `ambit trace check`.
void add_trace(CLI::App& app, int& exit_code);

}  // namespace ambit::cli
