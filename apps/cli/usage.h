#pragma once

#include <optional>
#include <span>
#include <string>

#include "apps/cli/command_line.h"

namespace ambit::cli {

/// Returns the output of `ambit` without arguments: commands for beginners, and how to list the other commands.
std::string first_steps(Command program);

/// Returns the command with this name, if any.
std::optional<Command> find_command(Command program, const std::string& name);

/// Returns an error if the first word of a command line is neither a command nor an option of the program; otherwise an
/// empty text. The error names a similar command or option.
std::string unknown_command(Command program, const std::string& word);

/// Returns an error for a long option with one dash. The parser would read -model as -m with the value "odel". Returns
/// an empty text if `words` has no long option with one dash. `words`: the whole command line.
std::string misread_option(Command program, std::span<char* const> words);

/// Call this function if the parser rejected a command line. Returns an error if the command does not accept some of
/// the words. The error names similar words. Returns an empty text if the failure has another cause.
std::string wrong_use(Command program);

}  // namespace ambit::cli
