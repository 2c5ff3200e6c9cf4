#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ambit::mcp {

/// A page of docs/.
struct DocumentPage {
  std::string_view path;  ///< path below docs/: "guide/ci.md"
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

/// Returns the sections that contain words of the query, at most `most`, the best first. A section is better if it has
/// more of the words, if the words are rare in the documents, and if its heading has the words.
std::vector<FoundSection> search_documents(std::string_view query, std::size_t most);

}  // namespace ambit::mcp
