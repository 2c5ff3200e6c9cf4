#pragma once

#include <optional>
#include <span>
#include <string>

#include "apps/cli/command_line.h"

namespace ambit::cli {

/// For `ambit` alone: returns the commands to begin with, and how to find the others.
std::string first_steps(Command program);

/// Returns the command of this name, if any.
std::optional<Command> find_command(Command program, const std::string& name);

/// Returns an error about the first word of a command line, with a similar command or option; empty: it is a command or
/// an option of the program.
std::string unknown_command(Command program, const std::string& word);

/// Returns an error for a long option with one dash, such as -model, which would be read as -m with the value "odel".
/// Empty: no such option. `words`: the whole command line.
std::string misread_option(Command program, std::span<char* const> words);

/// After a command line that could not be read: returns an error about words that its command does not have, with
/// similar words; empty: the failure has another cause.
std::string wrong_use(Command program);

}  // namespace ambit::cli
