#pragma once

#include "core/context.h"
#include "runner/sim/run_record.h"

namespace ambit::sim {

/// Runs a program in every way that differs. With a record that shows runs: one run of every class of runs that differ
/// only in the order of choices that commute (Mazurkiewicz traces), for memory and for detectors, by sleep sets
/// (Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", LNCS 1032, chapter 5); with the `sc`
/// memory a thread that waits in a loop fails once at most. Where only outcomes are wanted, runs that come to a state
/// that was there before are cut, and an outcome is counted once for each different end.
void run_all(const Engine& engine, Context& context, RunRecord& record);

}  // namespace ambit::sim
