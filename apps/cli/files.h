#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/source.h"

namespace ambit::cli {

/// The files to run: each file as given, each directory's tests (*.litmus, *.test, *.cu) at any depth in order of path;
/// links to directories are not followed. "-" is the standard input. What cannot be read, a directory without any test
/// among it, stays in the list, so that read_input says what is wrong with it and the others are run all the same.
/// Errors: the standard input named twice.
Result<std::vector<std::string>> collect_files(const std::vector<std::string>& paths);

/// The error of a command line that names the standard input ("-") more than once.
std::optional<Diagnostic> names_input_twice(const std::vector<std::string>& paths);

/// parser::read_source, and the standard input (named "<stdin>") for "-". An interrupt (apps/cli/interrupt.h) ends the
/// wait for a pipe. Of a directory the error says what it lacks.
Result<SourceFilePtr> read_input(const std::string& path);

/// A file of results: as long as it is. Errors: it cannot be read, or is no text.
Result<SourceFilePtr> read_results(const std::string& path);

/// An error that points at a path of the command line rather than into a text.
Diagnostic path_error(const std::string& path, std::string message);

}  // namespace ambit::cli
