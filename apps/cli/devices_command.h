#pragma once

#include "apps/cli/command.h"

namespace ambit::cli {

/// Declares `ambit devices` (docs/cli.md).
void add_devices(CLI::App& app, int& exit_code);

}  // namespace ambit::cli
