#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/cli/command_line.h"

namespace ambit::manual {

/// The paths that a shell offers for an option or an argument, besides `Parameter::choices`.
enum class Paths : std::uint8_t { None, Files, Folders };

/// An option or an argument of a command.
struct Parameter {
  std::vector<std::string> names = {};  ///< "-m", "--model"; empty: an argument
  std::string value = {};               ///< as in --help: "MODEL[,MODEL]", "FILES|DIRS"; empty: a flag
  std::string default_value = {};
  std::string description = {};
  std::string group = {};  ///< the heading in --help
  bool is_required = false;
  bool is_repeated = false;
  std::vector<std::string> choices = {};
  bool is_list = false;  ///< several choices, separated by commas
  Paths paths = Paths::None;

  /// Returns whether it takes no value, or only one after '='.
  bool is_flag() const { return value.empty() || value.starts_with("[="); }
};

/// A command of the program; the program itself is the outermost one.
struct Command {
  std::string name = {};  ///< "ambit", "check"
  std::string description = {};
  std::vector<Parameter> arguments = {};
  std::vector<Parameter> options = {};
  std::vector<Command> commands = {};
};

/// The names of models and detectors: --help writes "MODEL" and "DETECTOR" for one of these.
struct KnownNames {
  std::vector<std::string> models;
  std::vector<std::string> detectors;
};

/// Returns the declarations of a command line, without parts that --help hides.
Command describe(cli::Command declared, const KnownNames& names);

}  // namespace ambit::manual
