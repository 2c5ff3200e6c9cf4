#pragma once

#include "base/context.h"
#include "runner/sim/run_record.h"

namespace ambit::sim {

/// Explores all distinct runs of a program. If the record shows runs, the search uses sleep sets (Godefroid,
/// "Partial-Order Methods for the Verification of Concurrent Systems", LNCS 1032, chapter 5). With sleep sets, the
/// search shows one run of each Mazurkiewicz trace. Runs of one such trace differ only in the order of choices that
/// commute for the memory and for all detectors. With the `sc` memory, a thread that waits in a loop performs at most
/// one unsuccessful iteration. If only outcomes are required, the search stops a run at a known state, and counts an
/// outcome once for each distinct final state.
void run_all(const Engine& engine, Context& context, RunRecord& record);

}  // namespace ambit::sim
