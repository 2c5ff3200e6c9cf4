#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "parser/litmus/async_lowering.h"
#include "parser/litmus/barrier_lowering.h"
#include "parser/litmus/grid_lowering.h"
#include "parser/litmus/tensor_lowering.h"
#include "parser/ptx/decoded_step.h"

namespace ambit::parser::litmus {

/// An operand of a PTX instruction in CUDA code.
struct PtxOperand {
  enum class Kind : std::uint8_t {
    Value,
    Address,  ///< [p]
    Result,   ///< the place that the instruction's result is written to
    Sink,     ///< _
    Tensor,   ///< [map, {x, y}]
    Vector,   ///< {a, b}
  } kind = Kind::Value;
  Operand operand = {};  ///< the value, or the address of a Tensor or Address
  SourceSpan span = {};
  std::vector<Operand> coordinates = {};  ///< the elements of a Tensor or Vector
  bool is_predicate = false;
  /// For an Address: returns the cells of the first `bytes` bytes at the operand. The function is set if the memory is
  /// not an array of the type that `operand` points to.
  std::function<std::optional<std::vector<AsyncCell>>(Value bytes)> cells = {};
};

/// Splits an opcode at the dots, and removes cache hints, which memory models ignore.
std::vector<Word> words_of(std::string_view opcode, SourceSpan span);

/// Lowers single PTX instructions for cuda::ptx functions and inline assembly. The tables of parser/ptx define the
/// instructions. The operands are values of the CUDA code.
class PtxLowering {
 public:
  explicit PtxLowering(ThreadContext& thread) : thread_(thread) {}

  /// Lowers an instruction, for example `opcode` "mbarrier.try_wait.parity.shared::cta.b64". Returns its result.
  /// Errors: Ambit does not support the instruction in CUDA sources; the operands do not match the instruction.
  Operand execute(std::string_view opcode, const std::vector<PtxOperand>& operands, SourceSpan span);

 private:
  Operand execute(const ptx::Step& step);
  void settle_state(const ptx::Step& step);
  Operand with_machine(const ptx::Step& step, std::size_t first, Operand result);
  std::optional<MachineInstruction::Operand> machine_tensor(const ptx::Step& step);
  const Operand& sent(const ptx::Step& step, std::size_t element) const;
  bool is_in_one_piece(const ptx::OperandNode& node) const;
  const PtxOperand& given(const ptx::OperandNode& node) const;
  const Operand& operand(const ptx::OperandNode& node) const { return given(node).operand; }
  std::optional<Value> constant(const ptx::OperandNode* node, Value least, Value most, std::string_view what);
  Operand mbarrier(const ptx::Step& step);
  Operand arrive(const ptx::Step& step);
  Operand pending(const ptx::Step& step);
  Operand memory(const ptx::Step& step);
  Operand barrier(const ptx::Step& step);
  Operand asynchronous(const ptx::Step& step);
  void check_remote(const ptx::Step& step, const Operand& barrier);
  bool settle_hints(std::string_view opcode);
  void issue_filled(const ptx::Step& step);
  std::optional<std::vector<AsyncCell>> cells_of(const ptx::OperandNode& node, Value bytes, std::optional<Value> rank);
  void issue(const ptx::Step& step, std::optional<Value> read_bytes = std::nullopt);
  bool check_spaces(const ptx::Step& step);
  std::optional<Value> bytes(const ptx::Step& step);
  std::optional<TensorBox> box(const ptx::Step& step);
  void tensor_map(const ptx::Step& step);
  bool is_aligned(const AsyncCell& first, SourceSpan span);
  std::optional<std::vector<Value>> destinations(const ptx::Step& step);
  bool add_elements(const ptx::Step& step, const std::vector<AsyncCell>& targets,
                    const std::optional<std::vector<AsyncCell>>& sources, AsyncStep& operation);

  ThreadContext& thread_;
  AsyncLowering async_{thread_};
  TensorLowering tensors_{thread_};
  PlaceLowering places_{thread_};
  BarrierLowering barriers_{thread_};
  GridLowering grids_{thread_};
  std::vector<PtxOperand> operands_;
  std::deque<std::string> names_;  ///< names of the operands; a name is the operand's number
  /// The number of bytes that a cp.async reads; not set if the cp.async has no operand src-size or ignore-src. The copy
  /// fills the rest of the destination with 0.
  std::optional<Operand> source_size_;
  SourceSpan span_;
};

}  // namespace ambit::parser::litmus
