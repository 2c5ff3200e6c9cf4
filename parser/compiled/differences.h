#pragma once

#include "core/program.h"
#include "core/source.h"

namespace ambit::parser::compiled {

/// Returns notes on what a compiler did with the accesses of a source: at lines whose accesses are missing, were moved
/// there, or were merged. `source` and `compiled`: two readings of one file.
Diagnostics differences(const Program& source, const Program& compiled);

}  // namespace ambit::parser::compiled
