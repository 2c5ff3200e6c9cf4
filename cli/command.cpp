#include "cli/command.h"

#include <CLI/CLI.hpp>

namespace ambit::cli {

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& description) {
  return app.add_subcommand(name, description);
}

}  // namespace ambit::cli
