#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/program.h"
#include "core/source.h"
#include "runner/cuda/in_gpu.h"
#include "runner/cuda/layout.h"

namespace ambit::cuda {

/// One PTX instruction of the test as it stands in the kernel. Behind it, in the PTX that a compiler makes of the
/// kernel, stands the comment "// ambit MARK".
struct MarkedInstruction {
  std::string mark;               ///< "P1.3": the fourth instruction of the second thread
  std::string text;               ///< up to the operands: "ld.relaxed.gpu.global.s32"
  bool is_certain = true;         ///< no jump stands before it: no compiler can find out that it is never reached
  std::vector<std::size_t> next;  ///< numbers, in the thread, of those that can come next
  bool is_weak = false;  ///< a load or store without an order of its own: the assembler may exchange it with others
  bool may_go = false;   ///< a load whose value nothing reads: the assembler may drop it, as no outcome depends on it
};

/// A test as a CUDA program.
struct Kernel {
  std::string source;
  Layout layout;
  std::size_t cells = 0;           ///< in global memory, by LocationId (those of shared memory take up a place, too)
  std::uint32_t widest_cell = 4;   ///< bytes
  std::size_t shared_bytes = 0;    ///< of dynamic shared memory in a block
  std::uint32_t aliases = 0;       ///< virtual addresses that the cells need besides their own
  std::size_t outcome_length = 1;  ///< observables and the flags
  std::uint32_t lowest_arch = 75;  ///< compute capability that the instructions need
  ambit_kernel::TestSize test_size{};  ///< where a detector is inside
  /// By thread, in the order of the program.
  std::vector<std::vector<MarkedInstruction>> instructions;
  /// By thread: it has no jumps, so its instructions must follow each other as they stand.
  std::vector<bool> is_straight;
};

/// The text of a file of kernels/ as a part of a kernel's source: without what only the host's compiler reads.
std::string kernel_part(std::string_view name);

/// Accesses that a recording kernel keeps of each thread in a run.
std::uint32_t log_length(const Program& program);

/// Writes the kernel that runs many instances of the test at a time (docs/hardware.md). Each memory operation is the
/// PTX instruction of the model's event (definitions 2.1) as inline assembly. Errors, located in the test: what no GPU
/// has an instruction for, and what one launch cannot do.
Result<Kernel> emit(const Program& program, Shape shape = {});

/// The same, of fewer instances where shared memory does not hold the cells of as many as `shape` asks for.
Result<Kernel> emit_largest(const Program& program, Shape shape);

}  // namespace ambit::cuda
