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
  std::string file;     ///< file as the user named it
  SourceSpan span;      ///< line 0 for the file as a whole
  std::string text;     ///< text of the line, without white space at its ends; empty if unknown
  std::string message;  ///< "P0 writes x"; may be empty
};

/// A finding for tools that show findings next to the source.
struct Finding {
  enum class Level : std::uint8_t {
    Warning,  ///< neither the test nor the command line has an expectation
    Error,    ///< an expectation is not met; a detector reports a race
  };
  /// The model's flag, such as "data-race"; or "failed-expectation", "barrier-divergence", "assertion-failed",
  /// "out-of-bounds", "may-not-terminate", "unknown".
  std::string rule;
  Level level = Level::Warning;
  std::string message;
  std::string details;               ///< further lines with an explanation; may be empty
  std::vector<FindingPlace> places;  ///< one or more places; tools show the finding at the first place
  std::string subject;               ///< test and memory cells; distinguishes findings at one place
};

/// Returns the findings about a test by place, except those that the test expects: races, failed expectations,
/// incidents, threads that may not end, and unknown answers. If several models have the same finding, it is one finding
/// that names these models.
std::vector<Finding> findings_of(const TestResult& test);

/// Returns the races of a program's kernels, and the faults that ended a launch. Omits sites without lines, because
/// they have no place in a source.
std::vector<Finding> findings_of(const ProgramReport& report, const SourceLine& source_line);

/// Returns the races that detectors report, and a finding if it is unknown whether there is a race. If several
/// detectors report a race, it is one finding that names these detectors.
std::vector<Finding> findings_of(const DetectionResult& result, const SourceLine& source_line);

}  // namespace ambit::report
