#include "apps/cli/usage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include "base/source.h"

namespace ambit::cli {
namespace {

constexpr std::array kFirstCommands = {"check", "explain", "run", "detect", "serve"};

/// An option whose name has changed.
struct Renamed {
  std::string_view command;
  std::string_view before;
  std::string_view now;
};
constexpr std::array kRenamed = {Renamed{"validate", "--samples", "--runs"}};

/// A word that other programs use, and Ambit's command with the same meaning.
struct Synonym {
  std::string_view word;
  std::string_view command;
};
constexpr std::array kSynonyms = {Synonym{"simulate", "run"}, Synonym{"diff", "compare"},
                                  Synonym{"playground", "serve"}, Synonym{"version", "--version"}};

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

std::string nearest_command(Command program, const std::string& word) {
  for (const Synonym& synonym : kSynonyms) {
    if (synonym.word == word) return std::string(synonym.command);
  }
  std::vector<std::string> names;
  for (const Command command : program.commands()) {
    if (!command.is_hidden()) names.push_back(command.name());
  }
  return std::string(nearest_name(word, {names.begin(), names.end()}));
}

/// Returns the names of commands as alternatives: "check or convert".
std::string one_of(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command command : commands) names.push_back(command.name());
  std::ranges::sort(names);
  return fmt::format("{}", fmt::join(names, " or "));
}

std::string wrong_option(Command command, const std::string& title, const std::string& option) {
  const std::string near = nearest_option(command, option);
  return fmt::format("error: {} has no option {}\n  hint: {}\n", title, option,
                     near.empty() ? fmt::format("ambit help {} lists the options", title.substr(title.find(' ') + 1))
                                  : fmt::format("did you mean {}?", near));
}

/// Returns the error for a superfluous argument.
std::string wrong_argument(Command command, const std::string& title, const std::string& word) {
  std::vector<std::string> names;
  for (const Option option : command.options()) {
    if (option.is_argument()) names.push_back(option.name());
  }
  if (names.empty()) return fmt::format("error: {} takes no argument, found '{}'\n", title, word);
  if (names == std::vector<std::string>{"FILE"}) {
    return fmt::format("error: {} takes one file, found '{}' after it\n", title, word);
  }
  return fmt::format("error: {} takes {} only, found '{}' after {}\n", title, fmt::join(names, " "), word,
                     names.size() == 1 ? "it" : "them");
}

/// Returns the error for an unknown option before the command. The program itself has only the options --help and
/// --version.
std::string unknown_program_option(Command program, const std::string& word) {
  const std::string option = word.substr(0, word.find('='));
  for (const Option known : program.options()) {
    if (std::ranges::count(known.names(), option) > 0) return {};
  }
  const std::string command = option.substr(std::min(option.find_first_not_of('-'), option.size()));
  const std::string near =
      find_command(program, command) ? fmt::format("'ambit {}'", command) : nearest_option(program, option);
  return fmt::format("error: ambit has no option {}\n  hint: {}\n", option,
                     near.empty() ? "ambit help lists the commands" : fmt::format("did you mean {}?", near));
}

/// Returns an error if the words after a command are invalid; otherwise an empty text.
std::string wrong_words(Command command, const std::string& parents) {
  const std::string title = parents + " " + command.name();
  const std::vector<Command> within = command.commands();
  for (const Command inner : within) {
    if (inner.is_given()) return wrong_words(inner, title);
  }
  if (command.is_given_command()) return {};  // the unknown words belong to the program to run
  std::vector<std::string> words = command.unknown_words();
  std::erase(words, "--");  // `--` only ends the options
  for (const std::string& word : words) {
    const std::string option = word.substr(0, word.find('='));
    if (option.size() > 1 && option.starts_with('-')) return wrong_option(command, title, option);
  }
  if (!within.empty()) {
    const std::string found = words.empty() ? "" : fmt::format(", found '{}'", words.front());
    return fmt::format("error: {}: expected {}{}\n", title, one_of(within), found);
  }
  return words.empty() ? "" : wrong_argument(command, title, words.front());
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
  if (find_command(program, word)) return {};
  if (word.starts_with('-')) return unknown_program_option(program, word);
  const std::string near = nearest_command(program, word);
  return fmt::format("error: ambit has no command '{}'\n  hint: {}\n", word,
                     near.empty() ? "ambit help lists the commands" : fmt::format("did you mean 'ambit {}'?", near));
}

std::string misread_option(Command program, std::span<char* const> words) {
  const auto command = words.size() > 1 ? find_command(program, words[1]) : std::nullopt;
  if (!command || command->is_given_command()) return {};
  constexpr std::size_t kShortest = 5;
  for (const std::string word : words.subspan(2)) {
    if (word == "--") return {};
    const std::string option = word.substr(0, word.find('='));
    if (option.size() < kShortest || !option.starts_with('-') || option.starts_with("--")) continue;
    if (!std::isalpha(static_cast<unsigned char>(option[1]))) continue;
    const std::string near = nearest_option(*command, "-" + option);
    if (near.empty() || near[2] != option[1]) continue;  // such as -oprofile
    return fmt::format("error: {} {} has no option {}\n  hint: did you mean {}?\n", program.name(), command->name(),
                       option, near);
  }
  return {};
}

std::string wrong_use(Command program) {
  for (const Command command : program.commands()) {
    if (command.is_given()) return wrong_words(command, program.name());
  }
  return {};
}

}  // namespace ambit::cli
