#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/study/distinction.h"
#include "base/source.h"
#include "study/separation.h"

namespace ambit::api {

/// Prefixes of a subject's name: for the log of a campaign, and for the labels of a suite.
inline constexpr std::string_view kLogPrefix = "log:";
inline constexpr std::string_view kLabelPrefix = "label:";
/// Returns whether a subject is a campaign's log or a suite's labels. Such a subject has answers only about its own
/// tests.
bool is_about_tests(std::string_view subject);

/// A test on which the first subject shows a behaviour that the second subject does not show.
struct TestDifference {
  std::string first;
  std::string second;
  study::Aspect aspect = study::Aspect::Race;
  std::string shown;  ///< "a race", "the outcome P1:r0 == 1, P1:r1 == 0 (in 19 of 2937263232 runs)"
  std::string file;
  std::string test;
  std::size_t statements = 0;
  std::string outcome;  ///< outcome for Aspect::Outcome: "P1:r0 == 1, P1:r1 == 0"
};

struct TestDistinction {
  std::vector<std::string> subjects;        ///< names as reports show them
  std::vector<TestDifference> differences;  ///< ordered by direction, then by rising size
  std::size_t tests = 0;                    ///< number of tests about which both subjects have an answer
  std::vector<std::string> open;            ///< tests without an answer: "MP: the model ptx: timeout".
  /// Whether time or Ctrl-C stopped the comparison before all tests were compared.
  bool is_stopped = false;
};

/// Compares two subjects on the tests of a campaign or of a suite. The subject "log:FILE" names the outcomes that
/// the hardware showed in a campaign. The subject "label:PATH" names the labels of a suite. At least one of the
/// subjects is a log or labels. A log is compared with a model or another log. Labels are compared with a model, a
/// detector or other labels. The tests of a log come from the request's `tests`, by name, or otherwise from the files
/// that the log names.
///
/// Errors: unreadable files; unknown models and detectors; two subjects that show nothing in common; a test of the log
/// that is not found or has changed; a detector that fails.
Result<TestDistinction> distinguish_on_tests(const DistinctionRequest& request, const std::atomic<bool>& interrupted);

/// Explains in plain English (like `ambit explain`) the answer of a model about the test of a difference. Returns an
/// empty text if neither subject is a model, or if the test or the model can no longer be read.
std::string explanation_of(const TestDifference& difference, const std::atomic<bool>& interrupted);

}  // namespace ambit::api
