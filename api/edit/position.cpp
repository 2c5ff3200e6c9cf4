#include "api/edit/position.h"

#include <algorithm>
#include <cctype>

namespace ambit::api {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

/// Returns the number of UTF-16 units in the first `bytes` bytes of a UTF-8 line.
std::uint32_t units_of(std::string_view line, std::size_t bytes) {
  std::uint32_t units = 0;
  for (const char c : line.substr(0, bytes)) {
    if (!is_continuation(c)) units += static_cast<unsigned char>(c) >= 0xf0U ? 2 : 1;
  }
  return units;
}

/// Returns the byte offset in a UTF-8 line that corresponds to an offset of `units` UTF-16 units.
std::size_t byte_at(std::string_view line, std::uint32_t units) {
  std::size_t byte = 0;
  while (byte < line.size() && units > 0) {
    units -= std::min<std::uint32_t>(units, static_cast<unsigned char>(line[byte]) >= 0xf0U ? 2 : 1);
    ++byte;
    while (byte < line.size() && is_continuation(line[byte])) ++byte;
  }
  return byte;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.'; }

std::uint32_t length_of_word(std::string_view line, std::size_t begin) {
  std::size_t end = begin;
  while (end < line.size() && is_word(line[end])) ++end;
  return static_cast<std::uint32_t>(std::max<std::size_t>(end - std::min(begin, end), 1));
}

}  // namespace

Range range_of(const SourceFile& file, const SourceSpan& span) {
  if (span.line == 0) {
    const std::string_view first = file.line(1);
    return {{0, 0}, {0, units_of(first, first.size())}};
  }
  const std::string_view line = file.line(span.line);
  const std::uint32_t column = span.column == 0 ? 0 : span.column - 1;
  const std::uint32_t length = span.length != 0 ? span.length : length_of_word(line, column);
  return {{span.line - 1, units_of(line, column)}, {span.line - 1, units_of(line, std::size_t{column} + length)}};
}

std::string_view word_at(const SourceFile& file, Position position) {
  const std::string_view line = file.line(position.line + 1);
  std::size_t begin = byte_at(line, position.character);
  std::size_t end = begin;
  while (begin > 0 && is_word(line[begin - 1])) --begin;
  while (end < line.size() && is_word(line[end])) ++end;
  while (end > begin && (line[end - 1] == '.' || line[end - 1] == '-')) --end;
  return line.substr(begin, end - begin);
}

std::string_view text_before(const SourceFile& file, Position position) {
  const std::string_view line = file.line(position.line + 1);
  return line.substr(0, byte_at(line, position.character));
}

}  // namespace ambit::api
