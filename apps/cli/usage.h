#pragma once

#include <string>

namespace CLI {
class App;
}

namespace ambit::cli {

/// For `ambit` alone: the commands to begin with, and how to find the others.
std::string first_steps(const CLI::App& app);

/// The command of this name; null: there is none.
const CLI::App* find_command(const CLI::App& app, const std::string& name);

/// What is wrong with the first word of a command line, with the command that was meant; empty: it is a command or an
/// option.
std::string unknown_command(const CLI::App& app, const std::string& word);

/// After a parse that failed: what is wrong with an option that the command does not have, with the option that was
/// meant; empty: something else failed.
std::string unknown_option(const CLI::App& app);

}  // namespace ambit::cli
