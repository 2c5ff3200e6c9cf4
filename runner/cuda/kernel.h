#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/program.h"
#include "kernels/detectors/events.h"
#include "runner/cuda/layout.h"

namespace ambit::cuda {

/// One PTX instruction of the test as in the kernel. In the PTX that the compiler makes of the kernel, the comment "//
/// ambit MARK" follows the instruction.
struct MarkedInstruction {
  std::string mark;                    ///< "P1.3": the fourth instruction of the second thread
  std::string text;                    ///< up to the operands: "ld.relaxed.gpu.global.s32"
  bool is_certain = true;              ///< no jump precedes it: no compiler can find it unreachable
  std::vector<std::size_t> next = {};  ///< numbers, in the thread, of the instructions that can follow
  bool is_weak = false;                ///< a weak load or store: the assembler may reorder it
  bool may_go = false;                 ///< a load whose value is unused: the assembler may drop it
};

/// A tensor map of the test, which the host makes for each instance.
struct KernelTensorMap {
  LocationId array = 0;  ///< the first cell of the described array
  ScalarType element;
  std::vector<std::uint32_t> sizes;  ///< elements in each dimension, the innermost first
  std::vector<std::uint32_t> box;
};
/// Returns the driver's and tensormap.replace's number of the type of elements of at most 64 bits.
std::uint32_t tensor_element(ScalarType type);

/// A test as a CUDA program.
struct Kernel {
  std::string source;
  Layout layout;
  std::size_t cells = 0;           ///< in global memory, by LocationId (including those of shared memory)
  std::uint32_t widest_cell = 4;   ///< bytes
  bool starts_at_zero = true;      ///< the initial value of every cell is 0, and a reset sets nothing else
  std::size_t shared_bytes = 0;    ///< of dynamic shared memory in a block
  std::uint32_t aliases = 0;       ///< virtual addresses that the cells need besides their own
  std::size_t outcome_length = 1;  ///< observables and the flags
  std::uint32_t lowest_arch = 75;  ///< compute capability that the instructions need
  bool is_specific = false;        ///< they need the features of a single architecture: sm_90a
  std::vector<KernelTensorMap> tensor_maps;
  ambit_kernel::TestSize test_size{};  ///< if the kernel contains a detector
  /// By thread, in program order.
  std::vector<std::vector<MarkedInstruction>> instructions;
  /// By thread: whether it has no jumps, so that its instructions must stay in their order.
  std::vector<bool> is_straight;
};

}  // namespace ambit::cuda
