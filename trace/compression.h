#pragma once

#include <string>
#include <string_view>

namespace ambit::trace {

/// Compresses a text to one zstd frame. Requires has_compression().
std::string compressed(std::string_view text);

}  // namespace ambit::trace
