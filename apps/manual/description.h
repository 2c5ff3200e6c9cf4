#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/cli/command_line.h"

namespace ambit::manual {

/// The kind of paths that a shell offers for a parameter, in addition to `Parameter::choices`.
enum class Paths : std::uint8_t { None, Files, Folders };

/// An option or an argument of a command.
struct Parameter {
  std::vector<std::string> names = {};  ///< names such as "-m" and "--model"; empty for an argument.
  /// Name of the value as in --help: "MODEL[,MODEL]", "FILES|DIRS"; empty for a flag.
  std::string value = {};
  std::string default_value = {};
  std::string description = {};
  std::string group = {};  ///< heading above the option in --help
  bool is_required = false;
  bool is_repeated = false;
  std::vector<std::string> choices = {};
  bool is_list = false;  ///< whether the value is a list of choices, separated by commas
  Paths paths = Paths::None;

  /// Returns whether the parameter has no value, or an optional value after '='.
  bool is_flag() const { return value.empty() || value.starts_with("[="); }
};

/// A command of the program. The program itself is the outermost command.
struct Command {
  std::string name = {};  ///< "ambit", "check"
  std::string description = {};
  std::vector<Parameter> arguments = {};
  std::vector<Parameter> options = {};
  std::vector<Command> commands = {};
};

/// The names that a shell offers for a value "MODEL" or "DETECTOR".
struct KnownNames {
  std::vector<std::string> models;
  std::vector<std::string> detectors;
};

/// Returns the declarations of a command line, except the declarations that --help omits.
Command describe(cli::Command declared, const KnownNames& names);

}  // namespace ambit::manual
