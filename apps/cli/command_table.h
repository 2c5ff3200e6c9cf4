#pragma once

#include "apps/cli/command_line.h"

namespace ambit::cli {

/// Declares the command line of `ambit`: its own options, the commands of docs/cli.md and their options. The program
/// uses it to read its command line, apps/manual to write the manual pages and the shells' completions.
CommandLine declare_program();

}  // namespace ambit::cli
