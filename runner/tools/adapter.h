#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

/// Runs third-party race detectors on complete CUDA programs.
namespace ambit::tools {

/// Describes how to call a tool and how to read its output (docs/guide/tools.md). The words `{source}`, `{program}` and
/// `{runs}` are replaced by the CUDA source, the compiled program and the number of runs.
struct Adapter {
  std::string tool;                  ///< name of the tool in tables
  std::string about;                 ///< description and author
  std::vector<std::string> compile;  ///< a command; empty if the tool reads the source itself
  std::vector<std::string> run;      ///< a command
  std::vector<std::string> race;     ///< regular expressions; a line that matches an expression reports a race
  /// Regular expressions; a line that matches an expression shows that the tool has finished its work.
  std::vector<std::string> ended;
  std::vector<int> statuses;  ///< exit statuses that show that the tool has finished
  std::string text;           ///< text of the file
};

/// Returns the names of the shipped adapters.
const std::vector<std::string_view>& shipped_adapters();

/// Reads an adapter. Errors: the text is not JSON; a field is missing, is unknown or has the wrong type; an expression
/// is not a regular expression of ECMAScript.
Result<Adapter> read_adapter(const SourceFilePtr& source);

/// Returns the shipped adapter with the name `name`. Errors: there is no such adapter.
Result<Adapter> shipped_adapter(const std::string& name);

}  // namespace ambit::tools
