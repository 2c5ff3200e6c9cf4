#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "parser/cuda/syntax/unit.h"

namespace ambit::parser::cuda {

/// The example launch in hints of errors that are found before the kernel is known. fill_launch_hints() replaces it.
inline constexpr std::string_view kExampleLaunch = "kernel<<<2, 32>>>(data[64])";

/// Returns an example of a launch with few threads. Each array has one element for each thread. A parameter that is
/// named like a size gets the number of threads; any other number is 1. A template parameter has its default, `int` for
/// a type, or the number of threads of a block.
std::string example_launch(const Declaration& kernel);

/// Returns the index of the kernel's name before the <<< at `open`.
std::size_t kernel_name_before(const Tokens& code, std::size_t open);

/// Replaces kExampleLaunch in the hints of the reported errors by an example for a kernel of the file: the kernel whose
/// launch is in the line of the error, otherwise the first launched kernel, otherwise the first kernel.
void fill_launch_hints(const Unit& unit, Reporter& reporter);

}  // namespace ambit::parser::cuda
