#include "apps/cli/usage.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>

#include "core/source.h"

namespace ambit::cli {
namespace {

constexpr std::array kFirstCommands = {"check", "explain", "run", "detect", "serve"};

/// An option that has another name now.
struct Renamed {
  std::string_view command;
  std::string_view before;
  std::string_view now;
};
constexpr std::array kRenamed = {Renamed{"validate", "--samples", "--runs"}};

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string nearest_option(const CLI::App& command, const std::string& option) {
  for (const Renamed& renamed : kRenamed) {
    if (command.get_name() == renamed.command && option == renamed.before) return std::string(renamed.now);
  }
  std::vector<std::string> names;
  for (const CLI::Option* one : command.get_options()) {
    for (const std::string& name : one->get_lnames()) names.push_back("--" + name);
  }
  return std::string(nearest_name(option, {names.begin(), names.end()}));
}

}  // namespace

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : commands_of(app)) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

std::string first_steps(const CLI::App& app) {
  std::string text = app.get_description() + "\n\nBegin with\n";
  for (const char* name : kFirstCommands) {
    const CLI::App* command = find_command(app, name);
    if (command != nullptr) text += fmt::format("  ambit {:8}  {}\n", name, command->get_description());
  }
  return text + "\nambit help lists all commands, and ambit help COMMAND the options of one.\n";
}

std::string unknown_command(const CLI::App& app, const std::string& word) {
  if (word.starts_with('-') || find_command(app, word) != nullptr) return {};
  std::vector<std::string_view> names;
  for (const CLI::App* command : commands_of(app)) names.push_back(command->get_name());
  const std::string_view near = nearest_name(word, names);
  return fmt::format("error: ambit has no command '{}'\n  hint: {}\n", word,
                     near.empty() ? "ambit help lists the commands" : fmt::format("did you mean 'ambit {}'?", near));
}

std::string unknown_option(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands()) {
    for (const std::string& word : command->remaining()) {
      const std::string option = word.substr(0, word.find('='));
      if (option.size() < 2 || !option.starts_with('-')) continue;
      const std::string near = nearest_option(*command, option);
      const std::string& name = command->get_name();
      return fmt::format(
          "error: ambit {} has no option {}\n  hint: {}\n", name, option,
          near.empty() ? fmt::format("ambit help {} lists the options", name) : fmt::format("did you mean {}?", near));
    }
  }
  return {};
}

}  // namespace ambit::cli
