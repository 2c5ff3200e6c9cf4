#pragma once

#include <string>
#include <vector>

namespace ambit::cli {

/// A command line of Ambit, divided into its parts.
struct CommandWords {
  std::string command;
  std::vector<std::string> options;    ///< names of the options on the command line: "--model"
  std::vector<std::string> arguments;  ///< the arguments: words that are neither options nor values of options
  std::vector<std::string> rest;       ///< the words after the command, without the arguments
};

/// Divides a command line without running it. `words`: the command line without the program's name; not empty. Throws
/// UsageError if the command line is wrong, or if an argument cannot be distinguished from the value of an option.
CommandWords divide_command_line(const std::vector<std::string>& words);

}  // namespace ambit::cli
