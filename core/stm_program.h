#pragma once

#include <cstdint>
#include <memory>

#include "core/program.h"
#include "core/stm.h"

namespace ambit {

struct StmProgramOptions {
  Stm stm = Stm::Pstm;
  /// Attempts that each transaction has: executions in which one needs more are left out. 0: as many as it needs.
  std::uint32_t attempts = 0;
};

/// The program with the code of a software transactional memory in place of its transactions: the accesses, orders and
/// fences of kernels/stm/stm.cuh, one entry for each location, without back-off, since every schedule and every
/// execution is considered. Entries are an array of its own, "entries". A lane's logs are registers. Expectations go,
/// which are about models of transactions. A program without transactions keeps its code.
/// Errors: an address in a register, a fence or a loop in a transaction; cells that are not 32 bits.
Result<std::shared_ptr<const Program>> with_stm(const Program& program, const StmProgramOptions& options);

}  // namespace ambit
