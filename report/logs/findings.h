#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/source.h"
#include "report/results/detection_result.h"
#include "report/results/program_races.h"
#include "report/results/test_result.h"

namespace ambit::report {

/// A place in a source that a finding names.
struct FindingPlace {
  std::string file;     ///< as the user gave it
  SourceSpan span;      ///< line 0: the file as a whole
  std::string text;     ///< of the line, without white space at its ends; empty: not known
  std::string message;  ///< "P0 writes x"; empty: none
};

/// Something that a reader of the source should know, for tools that show findings beside the source.
struct Finding {
  enum class Level : std::uint8_t {
    Warning,  ///< nothing in the test or on the command line says what to expect
    Error,    ///< an expectation is not met; a detector reports a race
  };
  std::string rule;  ///< the model's flag, such as "data-race"; "failed-expectation", "barrier-divergence",
                     ///< "assertion-failed", "out-of-bounds", "may-not-terminate", "unknown"
  Level level = Level::Warning;
  std::string message;
  std::string details;               ///< more about it, several lines: an explanation; empty: none
  std::vector<FindingPlace> places;  ///< at least one; tools show the finding at the first
  std::string subject;               ///< what tells findings at one place apart: test and memory cells
};

/// Races, failed expectations, incidents, threads that may not end and unknown answers of a test, by place and without
/// what the test expects. A finding of several models is one finding that names them all.
std::vector<Finding> findings_of(const TestResult& test);

/// The races of a program's kernels, and the faults that ended a launch. Sites without lines have no place in a source
/// and are left out.
std::vector<Finding> findings_of(const ProgramReport& report, const SourceLine& source_line);

/// Races that detectors report, and a finding where it is not known whether there is one. A race that several detectors
/// report is one finding that names them all.
std::vector<Finding> findings_of(const DetectionResult& result, const SourceLine& source_line);

}  // namespace ambit::report
