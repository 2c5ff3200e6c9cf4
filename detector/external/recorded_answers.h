#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "detector/detector.h"
#include "detector/external/answer.h"
#include "detector/external/run_stream.h"

namespace ambit::external {

/// Answers from a file that an earlier run of a detector produced. The file contains the lines that a detector program
/// writes, and each `end` line names the test (docs/detectors/protocol.md, "Results").
class RecordedAnswers {
 public:
  /// Reads a file of answers. An error message names the line. Errors are: a line that is not an answer, an `end`
  /// without a test's name, answers without an `end`, and a second `end` for a run.
  static Result<std::unique_ptr<RecordedAnswers>> read(const SourceFilePtr& file);

  /// Returns the detector's name from the first line; empty if absent.
  const std::string& detector() const { return detector_; }
  const std::string& claims() const { return claims_; }

  /// Makes the detector of one run. This object and `tables` must outlive the detector. Thread-safe.
  std::unique_ptr<detector::Detector> make(const TraceTables& tables, const RunName& run) const;

 private:
  friend class RecordedDetector;

  /// The lines of the answers about one run. The last line is the `end`.
  struct Run {
    std::vector<Answer> answers;
    EndOfRun end;
    std::uint32_t line = 0;  ///< the line number of the `end`
  };
  /// Returns whether the line is a title: {"results": 1, ...}.
  bool take_title(std::string_view line);

  std::string file_;
  std::string detector_;
  std::string claims_;
  std::map<std::pair<std::string, std::uint64_t>, Run> runs_;
};

/// Returns the first line of a file of answers, with a newline.
std::string title_line(std::string_view detector, std::string_view claims);

}  // namespace ambit::external
