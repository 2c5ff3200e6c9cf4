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
  /// In the colour of the status.
  std::string status(verdict::Status status, std::string_view text) const;

 private:
  std::string paint(std::string_view text, std::string_view code) const;
};

/// Columns that a terminal needs for `text`: its characters (UTF-8), without colour sequences.
std::size_t display_width(std::string_view text);
/// `text` with spaces appended (or, when `right`, prepended) to `width` columns.
std::string pad(std::string_view text, std::size_t width, bool right = false);

/// `text` with lines of at most `width` columns (0: of any length), broken at spaces. What follows a break is indented
/// by four columns more than its line. A longer word stands alone on its line; a longer rule of dashes is cut.
std::string fitted(std::string_view text, std::size_t width);

}  // namespace ambit::report
