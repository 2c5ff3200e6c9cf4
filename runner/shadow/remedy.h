#pragma once

#include <string>

#include "core/race_report.h"
#include "runner/shadow/program_detector.h"
#include "runner/shadow/strengthening.h"

namespace ambit::shadow {

/// Returns one sentence on why nothing orders two accesses, for detectors that give only the kind.
std::string reason_for(RaceKind kind);
/// Returns what would order the accesses, by the kind of the race: the barrier, fence or lock, and where it belongs,
/// with the scope that suffices at this distance. Atomic accesses do not order anything, so they are named as an
/// alternative.
std::string remedy_for(const RawRace& race, RaceLevel level);

/// Returns whether only a trial shows that the remedy for a race of this kind orders its accesses: the remedy changes
/// fences or atomic accesses, which order nothing unless one thread reads what another wrote. A barrier needs no trial.
bool depends_on_synchronization(RaceKind kind, RaceLevel level);
/// Returns what would order accesses that race in the original program, but not in a run with this strengthening.
std::string remedy_of_trial(RaceKind kind, RaceLevel level, Strengthening which);
/// Returns what would order accesses that race even if all atomic accesses and fences acquire and release at system
/// scope.
std::string remedy_without_synchronization(RaceLevel level);

}  // namespace ambit::shadow
