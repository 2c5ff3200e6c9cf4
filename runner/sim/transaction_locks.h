#pragma once

#include <memory>

#include "core/program.h"

namespace ambit::sim {

/// The program with critical sections in place of its transactions, as detectors take them (Holey's dissertation,
/// 7.1.3): one lock for all, taken and released at the scope of each transaction as lock() and unlock() do. Error: a
/// transaction can abort, since a lock takes no write back. A program without transactions is returned as it is.
Result<std::shared_ptr<const Program>> with_locks_for_transactions(std::shared_ptr<const Program> program);

}  // namespace ambit::sim
