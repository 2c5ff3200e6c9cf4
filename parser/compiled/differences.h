#pragma once

#include "core/program.h"
#include "core/source.h"

namespace ambit::parser::compiled {

/// What a compiler did with the accesses of a source: notes at the lines whose accesses its code lacks, has moved
/// there, or has merged. `source` and `compiled` are the readings of one file.
Diagnostics differences(const Program& source, const Program& compiled);

}  // namespace ambit::parser::compiled
