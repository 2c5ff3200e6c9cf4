#pragma once

#include "apps/cli/command_line.h"

namespace ambit::cli {

/// Declares all that `ambit` understands: its own options, the commands of docs/cli.md and theirs. The program reads
/// its command line with it; the manual pages and the shells' completions are written from it (apps/manual).
CommandLine declare_program();

}  // namespace ambit::cli
