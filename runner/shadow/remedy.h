#pragma once

#include <string>

#include "core/race_report.h"
#include "runner/shadow/program_detector.h"
#include "runner/shadow/strengthening.h"

namespace ambit::shadow {

/// Returns one sentence that explains why nothing orders two accesses, for detectors that report only the kind of a
/// race.
std::string reason_for(RaceKind kind);
/// Returns what would order the accesses of a race of this kind. The text names a barrier, fence or lock, its place,
/// and the scope that suffices at this distance. Atomic accesses do not order anything, so they are named as an
/// alternative.
std::string remedy_for(const RawRace& race, RaceLevel level);

/// Returns whether only a trial shows that the remedy for a race of this kind orders its accesses. Such a remedy
/// changes fences or atomic accesses, which order nothing unless one thread reads what another thread wrote. A barrier
/// needs no trial.
bool depends_on_synchronization(RaceKind kind, RaceLevel level);
/// Returns what would order accesses that race in the original program, but not in a run with this strengthening.
std::string remedy_of_trial(RaceKind kind, RaceLevel level, Strengthening which);
/// Returns what would order accesses that race even if all atomic accesses and fences acquire and release at system
/// scope.
std::string remedy_without_synchronization(RaceLevel level);

}  // namespace ambit::shadow
