#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"

namespace ambit::api {

/// The files to take from a directory.
enum class FileKinds : std::uint8_t {
  Tests,           ///< *.litmus, *.test, *.cu
  TestsAndTraces,  ///< *.litmus, *.test, *.cu, *.trace, *.btrace, *.std
};

/// Returns the files to run. Replaces each directory by its files of `kinds` at any depth, sorted by path. Does not
/// follow links to directories. "-" is the standard input. Includes unreadable paths and directories without tests:
/// read_input() reports an error for each of them, and the other files still run. Errors: the standard input is named
/// twice.
Result<std::vector<std::string>> collect_files(const std::vector<std::string>& paths,
                                               FileKinds kinds = FileKinds::Tests);

/// Returns an error if `paths` names the standard input ("-") more than once.
std::optional<Diagnostic> names_input_twice(const std::vector<std::string>& paths);

/// Reads a test's text with parser::read_source or, for "-", from the standard input (named "<stdin>"). `interrupted`
/// ends the wait for a pipe. Errors: errors of parser::read_source; the path is an unreadable directory or a directory
/// without tests. `kinds`: the kinds of files to expect in a directory.
Result<SourceFilePtr> read_input(const std::string& path, const std::atomic<bool>& interrupted,
                                 FileKinds kinds = FileKinds::Tests);

/// Reads a file of results. The file may be arbitrarily long. `interrupted` (may be null) ends the wait for a pipe.
/// Errors: the file cannot be read or is not text.
Result<SourceFilePtr> read_results(const std::string& path, const std::atomic<bool>* interrupted = nullptr);

/// Writes a whole file. Returns an error if the file cannot be written.
std::optional<Diagnostic> write_file(const std::string& path, const std::string& text);

/// Returns an error about a path or a command-line option as a whole, not about a place in a text.
Diagnostic path_error(const std::string& path, std::string message);

}  // namespace ambit::api
