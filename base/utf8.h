#pragma once

#include <cstddef>
#include <string_view>

namespace ambit {

/// Returns the length in bytes, 1 to 4, of the well-formed UTF-8 sequence that begins at `at` (RFC 3629); 0 if it is
/// malformed.
std::size_t utf8_length(std::string_view text, std::size_t at);

}  // namespace ambit
