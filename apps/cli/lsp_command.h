#pragma once

#include "apps/cli/command.h"

namespace ambit::cli {

/// `ambit lsp`: the language server for editors.
void add_lsp(CLI::App& app, int& exit_code);

}  // namespace ambit::cli
