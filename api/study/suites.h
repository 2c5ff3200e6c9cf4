#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "core/program.h"
#include "report/results/suite_about.h"
#include "suite/suite_file.h"

namespace ambit::api {

/// The suite files (suite.json) that apply to a selection of tests.
class Suites {
 public:
  Suites() = default;
  /// Reads the suite files in and below each folder of `paths`, and next to each file of `paths`. `files`: all tests in
  /// `paths`. Errors: errors in a suite file; a suite file labels a test that is not in its folder.
  static Result<Suites> read(const std::vector<std::string>& paths, const std::vector<std::string>& files,
                             const std::atomic<bool>& interrupted);

  /// Returns the label of a test. If the test itself has no label, returns the label in the nearest suite file above
  /// the test's file.
  std::optional<SuiteLabel> label_of(const std::string& file, const Program& program) const;

  /// Returns the description of each suite, ordered by folder.
  std::vector<report::SuiteAbout> about() const;

 private:
  std::vector<suite::SuiteFile> files_;  ///< deeper folders first
};

}  // namespace ambit::api
