#include "apps/cli/lsp_command.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "apps/lsp/language_server.h"

namespace ambit::cli {

void add_lsp(CLI::App& app, int& exit_code) {
  CLI::App* command = add_command(app, "lsp", "Serve an editor over the standard streams (Language Server Protocol)");
  command->callback([&exit_code] { exit_code = lsp::serve(std::cin, std::cout, std::cerr); });
}

}  // namespace ambit::cli
