#pragma once

#include <optional>
#include <span>
#include <string>

#include "apps/cli/command_line.h"

namespace ambit::cli {

/// For `ambit` alone: the commands to begin with, and how to find the others.
std::string first_steps(Command program);

/// The command of this name; nothing: there is none.
std::optional<Command> find_command(Command program, const std::string& name);

/// What is wrong with the first word of a command line, with the command or option that was meant; empty: it is a
/// command or an option of the program.
std::string unknown_command(Command program, const std::string& word);

/// For a long option with one dash, such as -model, which would be read as -m with the value "odel": what was meant.
/// Empty: there is none. `words`: the whole command line.
std::string misread_option(Command program, std::span<char* const> words);

/// After a command line that could not be read: what is wrong with the words that its command does not know, with what
/// was meant; empty: something else failed.
std::string wrong_use(Command program);

}  // namespace ambit::cli
