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
  std::vector<std::string> suites;  ///< paths of tests or folders of tests
  DetectorSelection selection = {};
  std::vector<std::string> tool_logs = {};  ///< logs of `validate --tool --log`
  std::string folder;                       ///< folder to write the pages into
  /// Options of the runs. make_scoreboard() sets `suites`, `keeps_timelines` and `waiting`.
  ValidationOptions validation = {};
  /// Called about twenty times a second. `what` names the suite and the next test or page.
  std::function<void(std::size_t done, std::size_t all, const std::string& what)> waiting = {};
};

struct ScoreboardResult {
  report::Scoreboard board;
  std::vector<std::string> notes;   ///< notes on missing pictures, answers about other tests, unlabelled suites
  std::vector<std::string> errors;  ///< error messages about unreadable tests
  bool is_complete = true;          ///< whether every test was run
};

/// Runs the detectors on every suite and reads the answers of the tools. Writes `index.html` with all figures and a
/// folder of pages for each suite. Each figure links to the page with the answers. After an interrupt, the pages
/// contain the finished tests. Errors: unknown detectors; errors of a suite file or of a log; the standard input as a
/// suite; a page cannot be written.
Result<ScoreboardResult> make_scoreboard(const ScoreboardRequest& request, const std::atomic<bool>& interrupted);

}  // namespace ambit::api
