#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/program.h"

namespace ambit::standalone {

/// A column of the outcomes.
struct Column {
  std::string name;   ///< name as in logs: "0:r0", "[x]"
  std::string value;  ///< an expression that uses the host's copies of the variables: "data[1]"
};

/// A device variable that is reset to its initial contents before each run.
struct Variable {
  std::string name;          ///< name of the variable's copy on the host: "x"
  std::string on_device;     ///< name on the device: "::x"
  bool is_observed = false;  ///< some column uses the host's copy
};

/// The input for the text of the host code.
struct HostPart {
  std::string name;  ///< name of the test, as in logs
  std::vector<Column> columns = {};
  std::vector<Variable> variables = {};
  std::string launches = {};  ///< statements that start a run
  bool drops_runs = false;
};

/// Returns the host code of a program. The main function in this code repeats the run and counts outcomes
/// (docs/guide/standalone.md).
std::string host_text(const Program& program, const HostPart& part);

/// Returns the comment at the top of a program: the test's name and description, and how to compile the program. If
/// `is_specific` is true, the comment names sm_90a, because sm_90 lacks an instruction of the program.
std::string title_text(const Program& program, bool is_specific = false);

/// Returns macros that rename declarations in `code` if the host's headers declare the same names, such as sync() and
/// pipe() of POSIX.
std::string renaming_text(const std::string& code);

/// Returns the include directives of the program.
std::string includes_text(bool atomics, bool groups);

}  // namespace ambit::standalone
