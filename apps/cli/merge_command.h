#pragma once

#include "apps/cli/command.h"

namespace ambit::cli {

/// `ambit merge`: the files that `ambit crossval --log` wrote on several machines as one.
void add_merge(CLI::App& app, int& exit_code);

}  // namespace ambit::cli
