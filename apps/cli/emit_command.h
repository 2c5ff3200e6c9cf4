#pragma once

#include "apps/cli/command.h"

namespace ambit::cli {

/// Declares `ambit emit` (docs/cli.md).
void add_emit(CLI::App& app, int& exit_code);

}  // namespace ambit::cli
