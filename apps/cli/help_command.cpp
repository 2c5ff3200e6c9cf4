#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>

#include "apps/cli/commands.h"
#include "apps/cli/usage.h"

namespace ambit::cli {
namespace {

int run_help(const CLI::App& app, const std::string& name) {
  if (name.empty()) {
    // App::help() would print the help of the command that runs, this one.
    std::cout << app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal);
    return kOk;
  }
  if (const std::string error = unknown_command(app, name); !error.empty()) {
    std::cerr << error;
    return kBadInput;
  }
  const CLI::App* command = find_command(app, name);
  if (command == nullptr) return run_help(app, "");
  std::cout << command->help(app.get_name());
  return kOk;
}

}  // namespace

Action declare_help(CLI::App& command) {
  const auto name = std::make_shared<std::string>();
  command.add_option("COMMAND", *name, "The command to describe; without it, all commands are listed")
      ->option_text("COMMAND");
  return [&command, name] { return run_help(*command.get_parent(), *name); };
}

}  // namespace ambit::cli
