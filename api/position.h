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

/// Where a span stands. An unknown place is the whole first line; a span without a length is what is left of its line's
/// word.
Range range_of(const SourceFile& file, const SourceSpan& span);

/// The word at a position: letters, digits and '_', '-', '.' within; empty where there is none.
std::string_view word_at(const SourceFile& file, Position position);

/// The position's line up to it.
std::string_view text_before(const SourceFile& file, Position position);

}  // namespace ambit::api
