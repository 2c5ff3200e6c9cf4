#pragma once

#include <string>
#include <string_view>

namespace ambit::trace {

/// Returns the text as one zstd frame. Requires has_compression().
std::string compressed(std::string_view text);

}  // namespace ambit::trace
