#pragma once

#include "apps/cli/command.h"

namespace ambit::cli {

/// Declares `ambit check`; when the command line asks for it, runs it and puts its status (ExitCode) into `exit_code`.
void add_check(CLI::App& app, int& exit_code);

}  // namespace ambit::cli
