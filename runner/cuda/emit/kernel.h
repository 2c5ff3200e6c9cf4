#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/program.h"
#include "kernels/detectors/events.h"
#include "runner/cuda/emit/layout.h"

namespace ambit::cuda {

/// One PTX instruction of the test in the kernel's source. In the PTX that the compiler generates, the comment "//
/// ambit MARK" follows the instruction.
struct MarkedInstruction {
  std::string mark;                    ///< "P1.3": the fourth instruction of the second thread
  std::string text;                    ///< text before the operands: "ld.relaxed.gpu.global.s32"
  bool is_certain = true;              ///< no jump precedes the instruction, so a compiler must keep it
  std::vector<std::size_t> next = {};  ///< instructions that can follow, as numbers in the thread
  bool is_weak = false;                ///< a weak load or store, which the assembler may reorder
  bool may_go = false;                 ///< a load with an unused value, which the assembler may drop
};

/// A tensor map of the test, which the host makes for each instance.
struct KernelTensorMap {
  LocationId array = 0;  ///< the first cell of the described array
  ScalarType element;
  std::vector<std::uint32_t> sizes;  ///< number of elements in each dimension, the innermost first
  std::vector<std::uint32_t> box;
};
/// Returns the number that the driver and tensormap.replace use for a type of elements of at most 64 bits.
std::uint32_t tensor_element(ScalarType type);

/// A test as a CUDA program.
struct Kernel {
  std::string source;
  Layout layout;
  /// Number of cells in global memory, indexed by LocationId. A shared location has a cell in global memory, too.
  std::size_t cells = 0;
  std::uint32_t widest_cell = 4;   ///< bytes of the widest cell
  bool starts_at_zero = true;      ///< every cell is initially 0, and a reset consists of setting cells to 0
  std::size_t shared_bytes = 0;    ///< bytes of dynamic shared memory of a block
  std::uint32_t aliases = 0;       ///< number of additional virtual addresses that each cell needs
  std::size_t outcome_length = 1;  ///< number of observables and flags
  std::uint32_t lowest_arch = 75;  ///< compute capability that the instructions require
  bool is_specific = false;        ///< the instructions require features that only one architecture has (sm_90a)
  std::vector<KernelTensorMap> tensor_maps;
  ambit_kernel::TestSize test_size{};  ///< set if the kernel contains a detector
  /// For each thread, its instructions in program order.
  std::vector<std::vector<MarkedInstruction>> instructions;
  /// For each thread: true if the thread has no jumps, so that its instructions must stay in order.
  std::vector<bool> is_straight;
};

}  // namespace ambit::cuda
