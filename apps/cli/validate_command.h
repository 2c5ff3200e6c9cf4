#pragma once

#include "apps/cli/command.h"

namespace ambit::cli {

/// `ambit validate`: detectors on every schedule of every test of a suite, beside labels, models and the oracle.
void add_validate(CLI::App& app, int& exit_code);

}  // namespace ambit::cli
