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
  std::string text;     ///< of the line, without white space at its ends; empty: unknown
  std::string message;  ///< "P0 writes x"; empty: none
};

/// A finding for tools that show findings beside the source.
struct Finding {
  enum class Level : std::uint8_t {
    Warning,  ///< neither the test nor the command line has an expectation
    Error,    ///< an expectation is not met; a detector reports a race
  };
  std::string rule;  ///< the model's flag, such as "data-race"; "failed-expectation", "barrier-divergence",
                     ///< "assertion-failed", "out-of-bounds", "may-not-terminate", "unknown"
  Level level = Level::Warning;
  std::string message;
  std::string details;               ///< further lines: an explanation; empty: none
  std::vector<FindingPlace> places;  ///< at least one; tools show the finding at the first
  std::string subject;               ///< distinguishes findings at one place: test and memory cells
};

/// Returns races, failed expectations, incidents, threads that may not end and unknown answers of a test, by place,
/// except those that the test expects. A finding of several models is one finding that names them all.
std::vector<Finding> findings_of(const TestResult& test);

/// Returns the races of a program's kernels, and the faults that ended a launch. Leaves out sites without lines, which
/// have no place in a source.
std::vector<Finding> findings_of(const ProgramReport& report, const SourceLine& source_line);

/// Returns races that detectors report, and a finding if it is unknown whether there is a race. A race that several
/// detectors report is one finding that names them all.
std::vector<Finding> findings_of(const DetectionResult& result, const SourceLine& source_line);

}  // namespace ambit::report
