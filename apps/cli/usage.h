#pragma once

#include <optional>
#include <span>
#include <string>

#include "apps/cli/command_line.h"

namespace ambit::cli {

/// For `ambit` without arguments: returns the commands to begin with, and how to list the others.
std::string first_steps(Command program);

/// Returns the command with this name, if any.
std::optional<Command> find_command(Command program, const std::string& name);

/// Returns an error about the first word of a command line, with a similar command or option; empty if the word is a
/// command or an option of the program.
std::string unknown_command(Command program, const std::string& word);

/// Returns an error for a long option with one dash, such as -model, which would be read as -m with the value "odel".
/// Returns an empty text if there is no such option. `words`: the whole command line.
std::string misread_option(Command program, std::span<char* const> words);

/// After a command line that could not be read: returns an error about words that its command does not accept, with
/// similar words. Returns an empty text if the failure has another cause.
std::string wrong_use(Command program);

}  // namespace ambit::cli
