#include <iostream>
#include <memory>
#include <string>

#include "apps/cli/commands.h"
#include "apps/cli/usage.h"

namespace ambit::cli {
namespace {

int run_help(Command program, const std::string& name) {
  if (const std::string error = name.empty() ? "" : unknown_command(program, name); !error.empty()) {
    std::cerr << error;
    return kBadInput;
  }
  std::cout << find_command(program, name).value_or(program).help();
  return kOk;
}

}  // namespace

Action declare_help(Command command) {
  const auto name = std::make_shared<std::string>();
  command.argument("COMMAND", *name, "The command to describe; without it, all commands are listed");
  return [command, name] { return run_help(command.parent(), *name); };
}

}  // namespace ambit::cli
