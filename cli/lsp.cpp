#include "cli/lsp.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "editor/server.h"

namespace ambit::cli {

void add_lsp(CLI::App& app, int& exit_code) {
  CLI::App* command = add_command(app, "lsp", "Serve an editor over the standard streams (Language Server Protocol)");
  command->callback([&exit_code] { exit_code = editor::serve(std::cin, std::cout, std::cerr); });
}

}  // namespace ambit::cli
