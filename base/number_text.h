#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace ambit {

/// Reads the number at the beginning of `text` and removes the number from `text`. Returns false and changes neither
/// argument if there is no number or the number does not fit.
template <typename Number>
bool take_number(std::string_view& text, Number& number, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

/// Converts `text` to a number. The text is decimal, or hexadecimal after "0x". Returns nothing if the text is not a
/// number or the number does not fit.
inline std::optional<std::uint64_t> number_from_text(std::string_view text) {
  const bool is_hexadecimal = text.starts_with("0x");
  if (is_hexadecimal) text.remove_prefix(2);
  std::uint64_t number = 0;
  if (!take_number(text, number, is_hexadecimal ? 16 : 10) || !text.empty()) return std::nullopt;
  return number;
}

}  // namespace ambit
