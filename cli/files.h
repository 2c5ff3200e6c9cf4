#pragma once

#include <string>
#include <vector>

#include "core/source.h"

namespace ambit::cli {

/// The files to run: each file as given, each directory's tests (*.litmus, *.test, *.cu) at any depth in order of path.
/// "-" is the standard input. Errors: what does not exist, a directory without any test.
Result<std::vector<std::string>> collect_files(const std::vector<std::string>& paths);

/// parser::read_source, and the standard input (named "<stdin>") for "-".
Result<SourceFilePtr> read_input(const std::string& path);

/// A file of results: as long as it is. Errors: it cannot be read, or is no text.
Result<SourceFilePtr> read_results(const std::string& path);

/// An error that points at a path of the command line rather than into a text.
Diagnostic path_error(const std::string& path, std::string message);

}  // namespace ambit::cli
