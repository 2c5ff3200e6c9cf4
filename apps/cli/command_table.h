#pragma once

#include "apps/cli/command_line.h"

namespace ambit::cli {

/// Declares the command line of `ambit`: its own options, the commands of docs/reference/cli.md and their options. The
/// program reads its command line with it. apps/manual writes the manual pages and the shells' completions from it.
CommandLine declare_program();

}  // namespace ambit::cli
