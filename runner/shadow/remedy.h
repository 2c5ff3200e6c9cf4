#pragma once

#include <string>

#include "core/race_report.h"

namespace ambit::shadow {

/// One sentence on why nothing orders two accesses, where the detector says no more than the kind.
std::string reason_for(RaceKind kind);
/// What would order them: the fence, atomic or barrier, with the scope that suffices at this distance.
std::string remedy_for(RaceKind kind, RaceLevel level);

}  // namespace ambit::shadow
