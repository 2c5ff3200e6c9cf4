#pragma once

#include <cstdint>
#include <string>

#include "base/source.h"
#include "core/program_report.h"

namespace ambit::shadow {

// The report file has one line of JSON for each entry. Each line is appended immediately, so that the file contains all
// entries from before a crash. Several processes may append to one file.

/// Appends to a report file.
class ReportWriter {
 public:
  /// Opens the file. If the path is empty, the writer writes nothing.
  explicit ReportWriter(const std::string& path);
  ReportWriter(const ReportWriter&) = delete;
  ReportWriter& operator=(const ReportWriter&) = delete;
  ~ReportWriter();

  void begin();
  void race(std::uint64_t number, const ProgramRace& race);
  /// Records the new count of a race.
  void count(std::uint64_t number, std::uint64_t count);
  /// Records a new or changed class of a race.
  void race_class(std::uint64_t number, ProgramRaceClass race_class);
  void finding(const ProgramFinding& finding);
  void remark(const std::string& text);
  void error(const std::string& text);
  /// Records the number of launches and instructions so far.
  void statistics(std::uint64_t launches, std::uint64_t warp_instructions, double seconds);
  void end();
  /// Returns the file's descriptor, or -1. A signal handler may append a whole line to the file.
  int file() const { return file_; }

 private:
  void write(const std::string& line);
  int file_ = -1;
};

/// Returns the beginning of the line that reports a signal in Ambit's code during a launch. A signal handler cannot
/// compose text; the handler only appends the signal's number and "}\n". `is_host_memory` means that the fault was at
/// host memory that the program had freed.
std::string crash_note(const std::string& kernel, std::uint64_t launch, bool is_host_memory);

/// Returns the contents of a report file, without an incomplete last line. Errors: a missing file; a line that does not
/// belong to a report.
Result<ProgramReport> read_report(const std::string& path);

}  // namespace ambit::shadow
