#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/source.h"
#include "report/results/detection_result.h"
#include "report/results/program_races.h"
#include "report/results/test_result.h"

namespace ambit::report {

/// A place in a source that a finding names.
struct FindingPlace {
  std::string file;     ///< file as the user named it
  SourceSpan span;      ///< line 0 means the whole file
  std::string text;     ///< text of the line, without surrounding white space; empty if unknown
  std::string message;  ///< "P0 writes x"; may be empty
};

/// A finding in the form that tools need to show it next to the source.
struct Finding {
  enum class Level : std::uint8_t {
    Warning,  ///< the finding is no failure, for example because the test has no expectation
    Error,    ///< an expectation is not met; a detector reports a race
  };
  /// The name of the model's flag, such as "data-race", or one of "failed-expectation", "barrier-divergence",
  /// "assertion-failed", "out-of-bounds", "may-not-terminate", "unknown".
  std::string rule;
  Level level = Level::Warning;
  std::string message;
  std::string details;               ///< further lines with an explanation; may be empty
  std::vector<FindingPlace> places;  ///< one or more places; tools show the finding at the first place
  std::string subject;               ///< names the test and memory cells; distinguishes findings at one place
};

/// Returns the findings about a test, ordered by place: races, failed expectations, incidents, threads that may not
/// end, and unknown answers. Omits findings that the test expects. If several models have the same finding, returns one
/// finding that names all these models.
std::vector<Finding> findings_of(const TestResult& test);

/// Returns the place of the first finding about one of the test's results: "mp.litmus:12". If there is no finding,
/// returns only the file.
std::string first_place(const TestResult& test, const ModelResult& result);

/// Returns whether one of the test's results has a fault that the test does not expect: a barrier divergence, a failed
/// assertion or an access out of bounds.
bool has_fault(const TestResult& test, const ModelResult& result);

/// Returns the races of a program's kernels, and the faults that ended a launch. Omits findings whose site has no line,
/// because tools cannot show them next to the source.
std::vector<Finding> findings_of(const ProgramReport& report, const SourceLine& source_line);

/// Returns the races that detectors report. If the detectors cannot decide whether there is a race, also returns a
/// finding that says so. If several detectors report the same race, returns one finding that names all these detectors.
std::vector<Finding> findings_of(const DetectionResult& result, const SourceLine& source_line);

}  // namespace ambit::report
