#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>

#include "api/program_request.h"
#include "runner/shadow/strengthening.h"

namespace ambit::api {

/// Runs the program with this seed, and strengthens the synchronisation that the detectors see. Returns nothing if the
/// run did not end.
using StrengthenedRun = std::function<std::optional<ProgramReport>(std::uint64_t seed, shadow::Strengthening how)>;

/// Tries stronger fences and atomic accesses, and replaces each remedy that concerns them by a remedy that orders the
/// accesses in a run. The run has the seed with which the race was first seen, and so the same schedule. Tries the
/// remedies only for the first three such seeds.
void try_remedies(ProgramReport& report, const StrengthenedRun& run, const std::atomic<bool>& interrupted);

}  // namespace ambit::api
