#pragma once

#include <string>
#include <string_view>

#include "model/verdict/judgement.h"

namespace ambit::report {

/// Marks up text with terminal colours, or leaves it plain.
struct Style {
  bool color = false;

  std::string good(std::string_view text) const { return paint(text, "32"); }
  std::string bad(std::string_view text) const { return paint(text, "31;1"); }
  std::string doubtful(std::string_view text) const { return paint(text, "33"); }
  std::string strong(std::string_view text) const { return paint(text, "1"); }
  std::string faint(std::string_view text) const { return paint(text, "2"); }
  /// Returns the text in the colour of the status.
  std::string status(verdict::Status status, std::string_view text) const;

 private:
  std::string paint(std::string_view text, std::string_view code) const;
};

/// Returns the number of columns that a terminal needs for `text`: the number of its UTF-8 characters, without colour
/// sequences.
std::size_t display_width(std::string_view text);
/// Pads `text` with spaces to `width` columns. The spaces are at the end or, if `right` is true, at the beginning.
std::string pad(std::string_view text, std::size_t width, bool right = false);

/// Breaks `text` at spaces into lines of at most `width` columns. If `width` is 0, lines may have any length. Indents
/// the continuation of a line by `deeper` more columns. A word that is too long gets a separate line. Shortens a line
/// of dashes that is too long.
std::string fitted(std::string_view text, std::size_t width, std::size_t deeper = 4);

}  // namespace ambit::report
