#pragma once

#include "apps/cli/command.h"

namespace ambit::cli {

/// `ambit graph FILE -o f.svg`: the execution that an explanation is about, as a picture.
void add_graph(CLI::App& app, int& exit_code);

}  // namespace ambit::cli
