#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "core/program.h"
#include "report/results/suite_about.h"
#include "suite/suite_file.h"

namespace ambit::api {

/// The suite files (suite.json) of a selection of tests.
class Suites {
 public:
  Suites() = default;
  /// Reads the suite files in the folders of `paths` and below, and next to the files of `paths`. `files`: the tests of
  /// `paths`. Errors: errors in a suite file; a suite file labels a test that is not in its folder.
  static Result<Suites> read(const std::vector<std::string>& paths, const std::vector<std::string>& files,
                             const std::atomic<bool>& interrupted);

  /// Returns the label of a test in a file: the label in the test itself, or otherwise the label in the nearest suite
  /// file in a folder above it.
  std::optional<SuiteLabel> label_of(const std::string& file, const Program& program) const;

  /// Returns the descriptions of the suites, ordered by folder.
  std::vector<report::SuiteAbout> about() const;

 private:
  std::vector<suite::SuiteFile> files_;  ///< deeper folders first
};

}  // namespace ambit::api
