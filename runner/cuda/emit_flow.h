#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/program.h"

namespace ambit::cuda {

/// How control and values flow through a thread. The assembler works on most accesses as if no other thread were there:
/// it drops a load whose value nothing reads and a store (even a relaxed one) that the next one overwrites, hands
/// a stored value to the load behind it, and reads a cell once where a test reads it twice. What it could find out is
/// found here, so that the emitter can keep it from doing so.
class ThreadFlow {
 public:
  /// `thread` is a thread of `program`; both must outlive this.
  ThreadFlow(const Program& program, std::size_t thread);

  /// Whether something reads the value that an instruction leaves in its register.
  bool is_result_read(std::size_t instruction) const;

  /// How many accesses that can be of the same cell stand before an access.
  std::uint32_t accesses_before(std::size_t instruction) const;

  /// Of each of the PTX instructions that the thread becomes, of which `owners` has the instruction that it belongs to,
  /// which can come next.
  std::vector<std::vector<std::size_t>> followers(const std::vector<std::size_t>& owners) const;

 private:
  std::vector<std::size_t> successors(std::size_t instruction) const;
  void find_live();

  const Thread& thread_;
  std::vector<bool> observed_;           ///< by register
  std::vector<std::vector<bool>> live_;  ///< by instruction, then register: something reads the value it has before
};

}  // namespace ambit::cuda
