#pragma once

#include <string>
#include <vector>

#include "api/check/checking_options.h"
#include "base/source.h"
#include "core/program.h"

namespace ambit::api {

/// Returns whether the source is a CUDA source or a PTX module. The tests of these sources are kernel launches. Ambit
/// can try smaller launches and run launches on the virtual GPU.
bool has_kernels(const SourceFile& source);

/// Returns the launch of a CUDA source or a PTX module in the form of the option `--launch`. Takes the launch from the
/// options, from an `ambit:` comment or from host code. Returns an empty text if there is no launch or several, or if
/// the launch needs memory that is not an argument. `program`: the test in the source, with the lengths of arrays that
/// host code allocates; if null, ignores launches in host code.
std::string launch_text(const SourceFilePtr& source, const CheckingOptions& options, const Program* program);

/// Returns launches of the same kernel with fewer blocks or fewer threads in a block, from the smallest to the largest.
/// Returns no launches if the sizes are not numbers.
std::vector<std::string> smaller_launches(const std::string& launch);

}  // namespace ambit::api
