#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace ambit::virtual_gpu {

/// What printf in a kernel prints. `read` gives the next argument of that many bytes (4 or 8), `text` the string at a
/// device address. Conversions are those of C; %n prints nothing.
std::string printf_text(std::string_view format, const std::function<std::uint64_t(unsigned)>& read,
                        const std::function<std::string(std::uint64_t)>& text);

}  // namespace ambit::virtual_gpu
