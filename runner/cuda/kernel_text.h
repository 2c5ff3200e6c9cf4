#pragma once

#include <string_view>

namespace ambit::cuda {

/// The text of a file of kernels/, by its name: "harness.cuh". Empty: there is none.
std::string_view kernel_text(std::string_view name);

/// The text of a file of runner/profiles/, by its name: "h100-mp.json". Empty: there is none.
std::string_view profile_file(std::string_view name);

}  // namespace ambit::cuda
