#include "cli/lsp.h"

#include <iostream>

#include "editor/server.h"

namespace ambit::cli {

void add_lsp(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("lsp", "Serve an editor over the standard streams (Language Server Protocol)");
  command->callback([&exit_code] { exit_code = editor::serve(std::cin, std::cout); });
}

}  // namespace ambit::cli
