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
/// Parses a site's name. Returns nothing if the name has no line number.
std::optional<SourceSite> source_site(std::string_view site);
/// Returns the text of a line, without white space at its ends; empty if the line does not exist.
std::string trimmed_line(const SourceFile& source, std::uint32_t line);

/// Returns source lines by site. Reads each file only once.
class SourceLines {
 public:
  /// Adds a source. line() then uses the source's text and does not read the file.
  void add(const SourceFilePtr& source) { files_[source->path] = source; }
  /// Returns the line without white space at its ends; empty if the line cannot be read.
  std::string line(std::string_view site);

 private:
  std::map<std::string, SourceFilePtr, std::less<>> files_;
};

}  // namespace ambit::api
