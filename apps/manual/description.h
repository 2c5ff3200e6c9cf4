#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/cli/command_line.h"

namespace ambit::manual {

/// What a shell offers as the value of an option or as an argument, besides `Parameter::choices`.
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

  /// It takes no value, or only one behind '='.
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

/// What users name in values: "MODEL" and "DETECTOR" in --help stand for one of these.
struct KnownNames {
  std::vector<std::string> models;
  std::vector<std::string> detectors;
};

/// The declarations of a command line, without what --help hides.
Command describe(cli::Command declared, const KnownNames& names);

}  // namespace ambit::manual
