#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/program.h"

namespace ambit::cuda {

/// The control flow and data flow of a thread. The assembler assumes for most accesses that no other thread exists.
/// The assembler drops a load with an unused value, and a store (even a relaxed store) that the next store overwrites.
/// The assembler also forwards a stored value to a later load, and merges two reads of a cell. This class finds the
/// accesses that the assembler could optimise, so that the emitter can prevent these optimisations.
class ThreadFlow {
 public:
  /// `thread` is a thread of `program`; both must outlive this object.
  ThreadFlow(const Program& program, std::size_t thread);

  /// Returns whether later code reads the register that an instruction writes.
  bool is_result_read(std::size_t instruction) const;

  /// Returns the number of earlier accesses in the thread that may access the same cell as this access.
  std::uint32_t accesses_before(std::size_t instruction) const;

  /// Returns, for each PTX instruction of the thread, the PTX instructions that can follow it. `owners` maps each PTX
  /// instruction to the number of the test's instruction that the PTX implements.
  std::vector<std::vector<std::size_t>> followers(const std::vector<std::size_t>& owners) const;

 private:
  std::vector<std::size_t> successors(std::size_t instruction) const;
  void find_live();

  const Thread& thread_;
  std::vector<bool> observed_;  ///< for each register, whether the test observes it
  /// For each instruction and register: true if the register is live before the instruction.
  std::vector<std::vector<bool>> live_;
};

}  // namespace ambit::cuda
