#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace ambit::virtual_gpu {

/// Returns the output of a kernel's printf. `read` returns the next argument of 4 or 8 bytes; `text` returns the string
/// at a device address. Conversions are the same as in C, except that %n stores nothing.
std::string printf_text(std::string_view format, const std::function<std::uint64_t(unsigned)>& read,
                        const std::function<std::string(std::uint64_t)>& text);

}  // namespace ambit::virtual_gpu
