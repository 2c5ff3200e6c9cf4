#pragma once

#include "apps/cli/command.h"

namespace ambit::cli {

/// `ambit serve`: the playground. Also the command that its children run.
void add_serve(CLI::App& app, int& exit_code);

}  // namespace ambit::cli
