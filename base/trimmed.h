#pragma once

#include <string_view>

namespace ambit {

/// Returns the text without the blanks at its ends: spaces, tabs and the ends of lines and pages. For a blank text,
/// returns an empty view of the text's end.
constexpr std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return text.substr(text.size());
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

}  // namespace ambit
