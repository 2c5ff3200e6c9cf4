#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/exec/single_launch.h"
#include "base/source.h"
#include "parser/module_launch.h"
#include "suite/task_file.h"

namespace ambit::api {

/// Returns the arrays of a launch that the task does not describe, and the reverse, as errors with their places. Also
/// returns an error for each array whose type is needed and unknown, and for each fill that its type cannot hold.
Diagnostics check_arrays(const suite::TaskFile& task, const parser::ModuleLaunch& launch);

/// Returns the contents of the arrays of a launch for one random input. `input` counts from 0. Equal arguments give
/// equal contents on every machine. Requires that check_arrays() returns no errors.
std::vector<ArrayInput> inputs_of(const suite::TaskFile& task, const parser::ModuleLaunch& launch, std::uint64_t input);

/// Returns the text of a launch with the contents of its filled integer arrays, for the models. The models do not
/// follow floating-point values, so floating-point arrays are left out. Returns an empty text if the arrays have too
/// many elements for the models.
std::string launch_with_contents(const suite::TaskFile& task, const std::string& text,
                                 const parser::ModuleLaunch& launch, const std::vector<ArrayInput>& inputs);

}  // namespace ambit::api
