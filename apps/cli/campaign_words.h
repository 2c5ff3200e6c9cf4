#pragma once

#include <string>
#include <vector>

namespace ambit::cli {

/// A command line of Ambit, divided into its parts.
struct CommandWords {
  std::string command;
  std::vector<std::string> options;    ///< names of the given options: "--model"
  std::vector<std::string> arguments;  ///< the words that are arguments, not options or their values
  std::vector<std::string> rest;       ///< the words after the command, without the arguments
};

/// Divides a command line, without running it. `words`: not empty, without the program's name. Throws UsageError if the
/// command line is wrong, or if an argument cannot be distinguished from the value of an option.
CommandWords divide_command_line(const std::vector<std::string>& words);

}  // namespace ambit::cli
