#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/source.h"

namespace ambit::api {

/// A site in a source: "file:line" or "file:line:column".
struct SourceSite {
  std::string_view file;
  std::uint32_t line = 0;
};
/// Parses a site's name; nothing if the name has no line.
std::optional<SourceSite> source_site(std::string_view site);
/// Returns the text of a line, without white space at its ends; empty if there is no such line.
std::string trimmed_line(const SourceFile& source, std::uint32_t line);

/// Lines of sources by site. Reads each file once.
class SourceLines {
 public:
  /// Adds a source. line() then uses its text and does not read the file.
  void add(const SourceFilePtr& source) { files_[source->path] = source; }
  /// Returns the line without white space at its ends; empty if it cannot be read.
  std::string line(std::string_view site);

 private:
  std::map<std::string, SourceFilePtr, std::less<>> files_;
};

}  // namespace ambit::api
