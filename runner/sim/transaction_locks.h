#pragma once

#include <memory>

#include "core/program.h"
#include "runner/sim/simulator_options.h"

namespace ambit::sim {

/// The program with critical sections in place of its transactions, as detectors take them (Holey's dissertation,
/// 7.1.3): one lock for all, taken and released at the scope of each transaction as lock() and unlock() do. Error: a
/// transaction can abort, since a lock takes no write back. A program without transactions is returned as it is.
Result<std::shared_ptr<const Program>> with_locks_for_transactions(std::shared_ptr<const Program> program);

/// The program whose runs are shown as traces: with locks where the simulator has no transactions, in the memory of a
/// GPU and in lockstep. Errors: those of with_locks_for_transactions.
Result<std::shared_ptr<const Program>> program_for_traces(std::shared_ptr<const Program> program,
                                                          const Options& options);

}  // namespace ambit::sim
