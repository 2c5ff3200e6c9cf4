#pragma once

#include "apps/cli/command.h"

namespace ambit::cli {

/// `ambit explain FILE`: why a model allows or forbids an outcome, or why a program races.
void add_explain(CLI::App& app, int& exit_code);

}  // namespace ambit::cli
