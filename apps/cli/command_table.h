#pragma once

#include "apps/cli/command_line.h"

namespace ambit::cli {

/// Declares the command line of `ambit`: the program's own options, the commands of docs/reference/cli.md, and the
/// options of the commands. The program reads its arguments with this declaration. apps/manual generates the manual
/// pages and the completions for shells from the same declaration.
CommandLine declare_program();

}  // namespace ambit::cli
