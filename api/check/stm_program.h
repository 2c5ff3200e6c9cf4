#pragma once

#include <cstdint>
#include <memory>

#include "core/program.h"
#include "core/stm.h"

namespace ambit {

struct StmProgramOptions {
  Stm stm = Stm::Pstm;
  /// Maximum number of attempts of each transaction. Executions that need more attempts are excluded. 0 means no limit.
  std::uint32_t attempts = 0;
};

/// Replaces the program's transactions by the code of a software transactional memory. The new code has the accesses,
/// orders and fences of kernels/stm/stm.cuh, and an array "entries" with one entry for each location. The code has no
/// back-off, because the check considers all schedules and executions. Each lane keeps its logs in registers.
/// Expectations are dropped, because they concern models of transactions. A program without transactions keeps its
/// code. Errors: an address in a register, a fence or a loop in a transaction; cells that are not 32 bits.
Result<std::shared_ptr<const Program>> with_stm(const Program& program, const StmProgramOptions& options);

}  // namespace ambit
