#include "apps/cli/usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

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

std::string nearest_option(Command command, const std::string& option) {
  for (const Renamed& renamed : kRenamed) {
    if (command.name() == renamed.command && option == renamed.before) return std::string(renamed.now);
  }
  std::vector<std::string> names;
  for (const Option one : command.options()) {
    for (std::string& name : one.names()) {
      if (name.starts_with("--")) names.push_back(std::move(name));
    }
  }
  return std::string(nearest_name(option, {names.begin(), names.end()}));
}

}  // namespace

std::optional<Command> find_command(Command program, const std::string& name) {
  for (const Command command : program.commands()) {
    if (command.name() == name) return command;
  }
  return std::nullopt;
}

std::string first_steps(Command program) {
  std::string text = program.description() + "\n\nBegin with\n";
  for (const char* name : kFirstCommands) {
    const auto command = find_command(program, name);
    if (command) text += fmt::format("  ambit {:8}  {}\n", name, command->description());
  }
  return text + "\nambit help lists all commands, and ambit help COMMAND the options of one.\n";
}

std::string unknown_command(Command program, const std::string& word) {
  if (word.starts_with('-') || find_command(program, word)) return {};
  std::vector<std::string> names;
  for (const Command command : program.commands()) names.push_back(command.name());
  const std::string_view near = nearest_name(word, {names.begin(), names.end()});
  return fmt::format("error: ambit has no command '{}'\n  hint: {}\n", word,
                     near.empty() ? "ambit help lists the commands" : fmt::format("did you mean 'ambit {}'?", near));
}

std::string unknown_option(Command program) {
  for (const Command command : program.commands()) {
    for (const std::string& word : command.unknown_words()) {
      const std::string option = word.substr(0, word.find('='));
      if (option.size() < 2 || !option.starts_with('-')) continue;
      const std::string near = nearest_option(command, option);
      const std::string name = command.name();
      return fmt::format(
          "error: ambit {} has no option {}\n  hint: {}\n", name, option,
          near.empty() ? fmt::format("ambit help {} lists the options", name) : fmt::format("did you mean {}?", near));
    }
  }
  return {};
}

}  // namespace ambit::cli
