#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/exec/single_launch.h"
#include "base/source.h"
#include "parser/module_launch.h"
#include "suite/task_file.h"

namespace ambit::api {

/// Returns errors with their places: for each array that only the launch or only the task names, for each array whose
/// type is needed but unknown, and for each fill that does not fit the array's type.
Diagnostics check_arrays(const suite::TaskFile& task, const parser::ModuleLaunch& launch);

/// Returns the contents of the arrays of a launch for one random input. `input` counts from 0. Equal arguments give
/// equal contents on every machine. Requires that check_arrays() returns no errors.
std::vector<ArrayInput> inputs_of(const suite::TaskFile& task, const parser::ModuleLaunch& launch, std::uint64_t input);

/// Returns the text of the launch for the models. The text contains the contents of filled integer arrays. The text
/// leaves out the contents of floating-point arrays, because models do not track floating-point values. Returns an
/// empty text if the arrays have too many elements for the models.
std::string launch_with_contents(const suite::TaskFile& task, const std::string& text,
                                 const parser::ModuleLaunch& launch, const std::vector<ArrayInput>& inputs);

}  // namespace ambit::api
