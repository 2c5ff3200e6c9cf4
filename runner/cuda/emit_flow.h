#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/program.h"

namespace ambit::cuda {

/// The control and value flow through a thread. The assembler optimises most accesses as if there were no other thread.
/// It drops a load whose value is unused, and a store (even a relaxed store) that the next store overwrites. It
/// forwards a stored value to a later load, and merges two reads of a cell. This class finds the accesses that the
/// assembler could optimise, so that the emitter can prevent it.
class ThreadFlow {
 public:
  /// `thread` is a thread of `program`; both must outlive this object.
  ThreadFlow(const Program& program, std::size_t thread);

  /// Returns whether any code reads the value that an instruction leaves in its register.
  bool is_result_read(std::size_t instruction) const;

  /// Returns the number of accesses before an access that may be to the same cell.
  std::uint32_t accesses_before(std::size_t instruction) const;

  /// Returns, for each PTX instruction of the thread, the PTX instructions that can follow it. `owners` has the number
  /// of the thread's instruction for each PTX instruction.
  std::vector<std::vector<std::size_t>> followers(const std::vector<std::size_t>& owners) const;

 private:
  std::vector<std::size_t> successors(std::size_t instruction) const;
  void find_live();

  const Thread& thread_;
  std::vector<bool> observed_;  ///< registers that are observed, by number
  /// By instruction and register: a later read uses the register's value before the instruction.
  std::vector<std::vector<bool>> live_;
};

}  // namespace ambit::cuda
