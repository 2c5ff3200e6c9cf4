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
/// Returns whether a subject is a campaign's log or a suite's labels. Logs and labels have answers only about their own
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
  std::vector<TestDifference> differences;  ///< ordered by direction, then by the size of the test
  std::size_t tests = 0;                    ///< number of tests about which both subjects have an answer
  std::vector<std::string> open;            ///< tests without an answer: "MP: the model ptx: timeout".
  /// Whether time or Ctrl-C stopped the comparison before all tests were compared.
  bool is_stopped = false;
};

/// Compares two subjects on the tests of a campaign or of a suite. The subject "log:FILE" names the outcomes that
/// the hardware showed in a campaign. The subject "label:PATH" names the labels of a suite. At least one subject must
/// be a log or labels. A log can be compared with a model or another log. Labels can be compared with a model, a
/// detector or other labels. Looks for a log's tests by name in the request's `tests` or, without `tests`, in the files
/// that the log names.
///
/// Errors: unreadable files; unknown models and detectors; two subjects that cannot be compared; a test in the log that
/// is not found or has changed; a detector that fails.
Result<TestDistinction> distinguish_on_tests(const DistinctionRequest& request, const std::atomic<bool>& interrupted);

/// Explains in plain English (like `ambit explain`) a model's answer about the test on which the subjects differ.
/// Returns an empty text if neither subject is a model, or if the test or the model can no longer be read.
std::string explanation_of(const TestDifference& difference, const std::atomic<bool>& interrupted);

}  // namespace ambit::api
