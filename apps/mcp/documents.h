#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ambit::mcp {

/// A page of docs/.
struct DocumentPage {
  std::string_view path;  ///< path relative to docs/: "guide/ci.md"
  std::string_view text;
};

/// Returns the pages that are compiled into this program.
std::span<const DocumentPage> documents();

/// A section of a page: a heading and the text up to the next heading.
struct FoundSection {
  std::string path;
  std::string heading;  ///< title of the page and of the section: "Continuous integration > GitHub"
  std::string text;
};

/// Returns the best sections for a query, at most `most`, the best first. A section ranks higher if it contains more of
/// the query's words, if these words are rare in the documents, or if its heading contains them.
std::vector<FoundSection> search_documents(std::string_view query, std::size_t most);

}  // namespace ambit::mcp
