#pragma once

#include <cstdint>
#include <string_view>

#include "base/source.h"

namespace ambit::api {

/// A place in an editor's coordinates: 0-based line, and 0-based offset in UTF-16 units (LSP 3.17, "Position").
struct Position {
  std::uint32_t line = 0;
  std::uint32_t character = 0;
  friend bool operator==(const Position&, const Position&) = default;
};
struct Range {
  Position begin;
  Position end;
};

/// Returns the range of a span. If the span has length 0, the range extends to the end of the word. If the span is
/// unknown, returns the whole first line.
Range range_of(const SourceFile& file, const SourceSpan& span);

/// Returns the word at a position, made of letters, digits, '_', '-' and '.'; empty if there is no word.
std::string_view word_at(const SourceFile& file, Position position);

/// Returns the text on the position's line before the position.
std::string_view text_before(const SourceFile& file, Position position);

}  // namespace ambit::api
