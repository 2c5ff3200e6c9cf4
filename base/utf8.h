#pragma once

#include <cstddef>
#include <string_view>

namespace ambit {

/// Returns the length of the UTF-8 sequence at position `at`, 1 to 4 bytes (RFC 3629); 0 if the sequence is malformed.
std::size_t utf8_length(std::string_view text, std::size_t at);

}  // namespace ambit
