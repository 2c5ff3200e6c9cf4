#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "report/logs/findings.h"

namespace ambit::report {

/// Who reports the races: models or detectors.
enum class RaceSource : std::uint8_t { Models, Detectors };

/// Collects findings into a SARIF 2.1.0 log for code scanning (docs/guide/ci.md). The format is OASIS, "Static Analysis
/// Results Interchange Format Version 2.1.0", 2020. Paths are relative to %SRCROOT%, the current directory.
class Sarif {
 public:
  explicit Sarif(std::string version, RaceSource races = RaceSource::Models);

  void add(const std::vector<Finding>& findings);
  /// Adds an error for an unreadable input, and marks the log as incomplete.
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

/// Converts a path into a URI. If the path is below `folder`, the URI is relative to `folder`. An absolute path outside
/// `folder` becomes a file:// URI. A relative path stays relative. Percent-encodes characters that a URI reserves (RFC
/// 3986).
std::string path_uri(const std::string& path, const std::string& folder);

}  // namespace ambit::report
