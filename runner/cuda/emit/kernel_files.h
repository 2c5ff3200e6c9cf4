#pragma once

#include <string>
#include <string_view>

namespace ambit::cuda {

/// Returns the text of the file `name` in kernels/ ("harness.cuh") without the lines that only the host compiler needs.
/// Returns an empty text if there is no such file.
std::string kernel_text(std::string_view name);

/// Returns the text of the file `name` in runner/profiles/ ("h100-mp.json"). Empty if there is no such file.
std::string profile_file(std::string_view name);

}  // namespace ambit::cuda
