#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "parser/cuda/syntax/unit.h"

namespace ambit::parser::cuda {

/// The launch in the hints of errors that are found before the kernel is known. fill_launch_hints() replaces it by an
/// example for the kernel.
inline constexpr std::string_view kExampleLaunch = "kernel<<<2, 32>>>(data[64])";

/// Returns an example of a launch with few threads. Each array has one element for each thread. A parameter that is
/// named like a size gets the number of threads; all other number parameters are 1. A template argument is the default.
/// Without a default, a type is `int`, and a number is the number of threads in a block.
std::string example_launch(const Declaration& kernel);

/// Returns the index of the kernel's name before the <<< at `open`.
std::size_t kernel_name_before(const Tokens& code, std::size_t open);

/// Replaces kExampleLaunch in the hints of the reported errors by an example for one kernel. Chooses the kernel
/// launched in the error's line, otherwise the first launched kernel, otherwise the first kernel of the file.
void fill_launch_hints(const Unit& unit, Reporter& reporter);

}  // namespace ambit::parser::cuda
