#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "api/detectors.h"
#include "api/study/validation.h"
#include "report/results/scoreboard.h"

namespace ambit::api {

/// The suites, detectors and tools of a scoreboard.
struct ScoreboardRequest {
  std::vector<std::string> suites;  ///< each a test or a folder of tests
  DetectorSelection selection = {};
  std::vector<std::string> tool_logs = {};  ///< logs of `validate --tool --log`
  std::string folder;                       ///< folder of the pages
  /// Options of the runs. Ambit sets `suites`, `keeps_timelines` and `waiting`.
  ValidationOptions validation = {};
  /// Called about twenty times a second. `what` names the suite and the next test or page.
  std::function<void(std::size_t done, std::size_t all, const std::string& what)> waiting = {};
};

struct ScoreboardResult {
  report::Scoreboard board;
  std::vector<std::string> notes;   ///< missing pictures, answers of tools about other tests, suites without labels
  std::vector<std::string> errors;  ///< rendered errors of tests that could not be read
  bool is_complete = true;          ///< whether every test was run
};

/// Runs the detectors on every suite and reads the answers of the tools. Writes `index.html` with all figures and a
/// folder of pages for each suite; a figure links to the page with its answers. After an interrupt, the pages contain
/// the finished tests. Errors: unknown detectors; errors of a suite file or of a log; the standard input as a suite; a
/// page cannot be written.
Result<ScoreboardResult> make_scoreboard(const ScoreboardRequest& request, const std::atomic<bool>& interrupted);

}  // namespace ambit::api
