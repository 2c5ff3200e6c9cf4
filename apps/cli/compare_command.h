#pragma once

#include "apps/cli/command.h"

namespace ambit::cli {

/// Declares `ambit compare`; when the command line asks for it, runs it and puts its status into `exit_code`.
void add_compare(CLI::App& app, int& exit_code);

}  // namespace ambit::cli
