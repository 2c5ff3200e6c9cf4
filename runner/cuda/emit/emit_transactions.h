#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/source.h"
#include "core/program.h"
#include "core/stm.h"

namespace ambit::cuda {

/// Returns errors for the transactions that the memories of kernels/stm cannot run: shared memory, cells that are not
/// words of 32 bits, loops and fences in transactions.
Diagnostics objections_of_stm(const Program& program);

/// Returns the number of cells before the shadow entries. The number is rounded up. Therefore the copies of a shadow
/// entry have the same order in memory as the copies of its cell.
std::uint32_t first_entry(const Program& program);

/// The parts of a thread's device function that implement its transactions. A failed attempt restarts with the register
/// values from the beginning of the transaction.
class TransactionText {
 public:
  /// `thread` and `names` must outlive this object.
  TransactionText(const Thread& thread, const std::vector<std::string>& names);

  /// Returns whether the thread has transactions.
  bool exist() const { return !ends_.empty(); }
  /// Returns whether an instruction is in a transaction.
  bool contains(std::size_t instruction) const { return begin_of_[instruction] != kNoTransaction; }

  /// Returns the declarations at the beginning of the function. `number` is the thread's number.
  std::string declarations(Stm stm, std::size_t number) const;
  std::string begin(std::size_t instruction) const;
  /// Returns the text of a load, store or read-modify-write of the cell at `pointer`.
  std::string access(std::size_t instruction, const std::string& pointer) const;
  std::string end(std::size_t instruction) const;

 private:
  static constexpr std::size_t kNoTransaction = ~std::size_t{0};

  std::string read(const MemoryAccess& access) const;
  std::string updated(const Rmw& rmw) const;

  const Thread& thread_;
  const std::vector<std::string>& names_;
  std::vector<std::size_t> begin_of_;  ///< for each instruction, where its transaction begins
  std::vector<std::size_t> ends_;
  std::vector<RegisterId> assigned_;  ///< registers that transactions write
  std::size_t most_accesses_ = 1;     ///< largest number of accesses in one transaction
};

}  // namespace ambit::cuda
