#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/program.h"

namespace ambit::standalone {

/// A value that an outcome has.
struct Column {
  std::string name;   ///< as logs have it: "0:r0", "[x]"
  std::string value;  ///< over the copies of the variables: "data[1]"
};

/// A variable of the device that a run begins with its initial contents.
struct Variable {
  std::string name;          ///< of its copy on the host: "x"
  std::string on_device;     ///< "::x"
  bool is_observed = false;  ///< some column needs its copy
};

/// What the host does: everything that main depends on.
struct HostPart {
  std::string name;  ///< of the test, as logs have it
  std::vector<Column> columns = {};
  std::vector<Variable> variables = {};
  std::string launches = {};  ///< statements that start a run
  bool drops_runs = false;
};

/// The host's part of a program: main, which repeats the run and counts outcomes (docs/standalone.md).
std::string host_text(const Program& program, const HostPart& part);

/// The comment with which a program begins: the test's name and description, and how to compile it. `is_specific`: for
/// sm_90a, since sm_90 lacks an instruction.
std::string title_text(const Program& program, bool is_specific = false);

/// Macros that rename what `code` declares under a name that the host's headers declare as well, such as the sync() and
/// pipe() of POSIX.
std::string renaming_text(const std::string& code);

/// What the program includes.
std::string includes_text(bool atomics, bool groups);

}  // namespace ambit::standalone
