#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>

#include "api/program_request.h"
#include "runner/shadow/strengthening.h"

namespace ambit::api {

/// Runs the program with this seed while the detectors see strengthened synchronisation. Nothing: the run did not end.
using StrengthenedRun = std::function<std::optional<ProgramReport>(std::uint64_t seed, shadow::Strengthening how)>;

/// Replaces each remedy that concerns fences and atomic accesses by one that a run shows to order the accesses. The run
/// has the seed with which the race was first seen, and so the same schedule. Remedies of races that were first seen
/// with a fourth seed or a later one are not tried.
void try_remedies(ProgramReport& report, const StrengthenedRun& run, const std::atomic<bool>& interrupted);

}  // namespace ambit::api
