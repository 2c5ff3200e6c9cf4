#pragma once

#include <string>

#include "core/race_report.h"
#include "runner/shadow/program_detector.h"
#include "runner/shadow/strengthening.h"

namespace ambit::shadow {

/// Explains in one sentence why nothing orders two accesses. For detectors that report only a race's kind.
std::string reason_for(RaceKind kind);
/// Returns a text that says how to order the accesses of a race of this kind. The text names a barrier, fence or lock,
/// its place, and the sufficient scope. The text also suggests atomic accesses, as an alternative that makes the race
/// legal without an order.
std::string remedy_for(const RawRace& race, RaceLevel level);

/// Returns whether a trial must show that the remedy for a race of this kind orders the accesses. A remedy by fences or
/// atomic accesses needs a trial, because such a remedy works only if one thread reads a value that another thread
/// wrote. A barrier needs no trial.
bool depends_on_synchronization(RaceKind kind, RaceLevel level);
/// Returns a text that says how to order two accesses. The accesses race in the original program, but not after the
/// strengthening `which`.
std::string remedy_of_trial(RaceKind kind, RaceLevel level, Strengthening which);
/// Returns a text that says how to order two accesses that race even if all atomic accesses and fences acquire and
/// release at system scope.
std::string remedy_without_synchronization(RaceLevel level);

}  // namespace ambit::shadow
