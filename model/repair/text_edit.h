#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ambit::repair {

/// Replaces the bytes [begin, end) of a text. If begin == end, the edit is an insertion.
struct TextEdit {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;

  friend bool operator==(const TextEdit&, const TextEdit&) = default;
};

/// Returns an edit that replaces `part`, a view into `text`.
TextEdit replacement(const std::string& text, std::string_view part, std::string_view by);

/// Returns the text after the edits. Applies duplicate edits once, keeps the order of insertions at one place, and
/// drops edits inside a deleted range. Returns nothing if two edits replace the same bytes by different texts.
std::optional<std::string> edited(std::string_view text, const std::vector<TextEdit>& edits);

/// The function edited() has made the new text by `edits`. For a byte of the new text, returns its position in the old
/// text. For a byte that an edit has added, returns the position of the edit.
std::size_t old_position(const std::vector<TextEdit>& edits, std::size_t position);

/// Returns the difference of two texts in the format of `diff -u`, with three lines of context. The result is empty if
/// the texts are equal.
std::string unified_diff(const std::string& path, std::string_view before, std::string_view after);

}  // namespace ambit::repair
