#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>

#include "api/exec/program_request.h"
#include "runner/shadow/strengthening.h"

namespace ambit::api {

/// Runs the program with `seed`, and shows the detectors stronger synchronisation than the program has. Returns nothing
/// if the run did not end.
using StrengthenedRun = std::function<std::optional<ProgramReport>(std::uint64_t seed, shadow::Strengthening how)>;

/// For each race with a remedy that concerns fences or atomic accesses, looks for a remedy that orders the accesses in
/// a run, and replaces the old remedy by it. To test a remedy, repeats the run that first showed the race: the same
/// seed gives the same schedule, but the detectors see stronger fences and atomic accesses than the program has.
/// Considers only races found with the first three seeds.
void try_remedies(ProgramReport& report, const StrengthenedRun& run, const std::atomic<bool>& interrupted);

}  // namespace ambit::api
