#pragma once

#include <string>

#include "core/race_report.h"
#include "runner/shadow/program_detector.h"

namespace ambit::shadow {

/// One sentence on why nothing orders two accesses, where the detector says no more than the kind.
std::string reason_for(RaceKind kind);
/// What would order the accesses: the barrier, fence or lock, and where it belongs, with the scope that suffices at
/// this distance. Atomic accesses order nothing: they are named beside what does.
std::string remedy_for(const RawRace& race, RaceLevel level);

}  // namespace ambit::shadow
