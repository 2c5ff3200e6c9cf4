#pragma once

#include <cstdint>
#include <string_view>

#include "core/source.h"

namespace ambit::api {

/// A place as editors count: lines and characters from 0, characters in units of UTF-16 (LSP 3.17, "Position").
struct Position {
  std::uint32_t line = 0;
  std::uint32_t character = 0;
  friend bool operator==(const Position&, const Position&) = default;
};
struct Range {
  Position begin;
  Position end;
};

/// Returns the range of a span. An unknown place is the whole first line. A span without a length extends to the end of
/// its word.
Range range_of(const SourceFile& file, const SourceSpan& span);

/// Returns the word at a position: letters, digits and '_', '-', '.' within; empty: no word.
std::string_view word_at(const SourceFile& file, Position position);

/// Returns the text of the position's line before the position.
std::string_view text_before(const SourceFile& file, Position position);

}  // namespace ambit::api
