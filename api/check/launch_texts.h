#pragma once

#include <string>
#include <vector>

#include "api/check/checking_options.h"
#include "base/source.h"
#include "core/program.h"

namespace ambit::api {

/// Returns whether the source is a CUDA source or a PTX module. The tests of such a source are launches of kernels:
/// smaller launches exist, and the virtual GPU can run them.
bool has_kernels(const SourceFile& source);

/// Returns the launch of a CUDA source or a PTX module in the form of the option `--launch`: the launch of the options,
/// of an `ambit:` comment, or of the host code. Returns an empty text if there is no launch, if there are several
/// launches, or if the launch needs memory that is not an argument. `program`: the test in the source, which gives the
/// lengths of arrays that host code allocates; if null, launches in host code are not returned.
std::string launch_text(const SourceFilePtr& source, const CheckingOptions& options, const Program* program);

/// Returns launches of the same kernel with fewer blocks or fewer threads in a block, from the smallest to the largest.
/// Returns no launches if the sizes are not numbers.
std::vector<std::string> smaller_launches(const std::string& launch);

}  // namespace ambit::api
