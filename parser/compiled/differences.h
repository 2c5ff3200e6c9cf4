#pragma once

#include "core/program.h"
#include "core/source.h"

namespace ambit::parser::compiled {

/// Compares two readings of one file, `source` and `compiled`. Returns notes on how a compiler changed the accesses:
/// lines whose accesses it removed, merged, or moved there.
Diagnostics differences(const Program& source, const Program& compiled);

}  // namespace ambit::parser::compiled
