#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "report/logs/findings.h"

namespace ambit::report {

/// Whether models or detectors found the races.
enum class RaceSource : std::uint8_t { Models, Detectors };

/// Collects findings into a SARIF 2.1.0 log (OASIS, "Static Analysis Results Interchange Format Version 2.1.0", 2020),
/// which code scanning reads (docs/guide/ci.md). Paths are relative to %SRCROOT%, the current directory.
class Sarif {
 public:
  explicit Sarif(std::string version, RaceSource races = RaceSource::Models);

  void add(const std::vector<Finding>& findings);
  /// Adds an input that could not be read. The log then says that the run was not complete.
  void add_error(const std::string& text);

  /// Returns the whole document; ends in a newline.
  std::string document() const;

 private:
  std::string version_;
  RaceSource races_;
  std::string folder_;  ///< the current directory
  std::vector<Finding> findings_;
  std::vector<std::string> errors_;
};

/// Returns a path as a URI: relative to `folder` if the path is below it, else absolute paths as file:// and other
/// paths unchanged. Percent-encodes characters that a URI reserves (RFC 3986).
std::string path_uri(const std::string& path, const std::string& folder);

}  // namespace ambit::report
