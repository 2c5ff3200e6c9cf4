#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "parser/litmus/async_lowering.h"

namespace ambit::parser::litmus {

/// Lowers wgmma.mma_async (PTX ISA 9.7.15) to an asynchronous read of the operands in shared memory. Matrix descriptors
/// contain the addresses of the operands. Ambit does not compute the product.
class MatrixLowering {
 public:
  explicit MatrixLowering(ThreadContext& thread) : thread_(thread) {}

  /// Lowers `pointer` op `number`, a step in the computation of a descriptor ((address & 0x3FFFF) >> 4) | fields. Ambit
  /// keeps the descriptor as a pointer (Type::is_shared_address). Error: the operation would lose the address.
  Operand descriptor(Op op, Operand pointer, const Operand& number, SourceSpan span);
  /// Adds the reads of one operand to `operation`. The reads cover the whole object that the descriptor points to, or
  /// one row of an array of arrays. Errors: the operand is not a descriptor, or the object is not in shared memory.
  bool add_operand(const Operand& descriptor, AsyncStep& operation, SourceSpan span);

 private:
  ThreadContext& thread_;
  AsyncLowering async_{thread_};
  PlaceLowering places_{thread_};
};

/// The form of a wgmma.mma_async instruction.
struct MatrixForm {
  std::size_t accumulators = 0;  ///< number of accumulator registers of each thread
  std::size_t operands = 0;      ///< number of operands; the accumulators count as one operand
};
/// Returns the form of an opcode with all modifiers; nothing if the PTX ISA does not define the opcode.
/// `a_in_registers` is true if the first factor is in registers.
std::optional<MatrixForm> matrix_form(std::string_view opcode, bool a_in_registers);

}  // namespace ambit::parser::litmus
