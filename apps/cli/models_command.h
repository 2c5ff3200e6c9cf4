#pragma once

#include "apps/cli/command.h"

namespace ambit::cli {

/// Declares `ambit models`; when the command line asks for it, runs it and puts its status into `exit_code`.
void add_models(CLI::App& app, int& exit_code);

}  // namespace ambit::cli
