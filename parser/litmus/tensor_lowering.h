#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "parser/litmus/async_lowering.h"

namespace ambit::parser::litmus {

/// A box of a tensor map, which one tensor copy moves.
struct TensorBox {
  const TensorMap* map = nullptr;
  std::vector<Value> coordinates;
  Operand pointer;  ///< pointer to the map
};

/// Lowers tensor copies, as copies of a declared box, and operations on tensor maps (PTX ISA 9.7.9.27, 9.7.9.28). The
/// semantics are those of PTX litmus files (parser/ptx/column_tensors.cpp).
class TensorLowering {
 public:
  explicit TensorLowering(ThreadContext& thread) : thread_(thread) {}

  /// Returns the box. `dimensions` is the word of the instruction, for example "2d". Errors: the pointer does not point
  /// to a tensor map; the map has no declaration or another number of dimensions; a coordinate is not constant; the box
  /// leaves the tensor.
  std::optional<TensorBox> box(const Operand& pointer, const std::vector<Operand>& coordinates,
                               std::string_view dimensions, SourceSpan span);
  /// Returns the cells of the box, in the order of shared memory.
  std::optional<std::vector<AsyncCell>> cells(const TensorBox& box, SourceSpan span);
  /// Adds the read of the map by the tensormap proxy, if code accesses the map (TensorMapTable::note_accesses).
  void read_map(const TensorBox& box, AsyncStep& operation);

  /// Lowers tensormap.replace, a weak store of the whole map. `ordinal` is the number of the dimension, if the field
  /// has dimensions.
  void replace(const Operand& pointer, const Operand* ordinal, const Operand& value, SourceSpan span);
  /// Emits the copy of tensormap.cp_fenceproxy.
  bool copy(const Operand& target, const Operand& source, const Operand& bytes, SourceSpan span);
  void release(Scope scope, SourceSpan span);
  /// Emits the acquiring fence for one map.
  void acquire(const Operand& pointer, const Operand& bytes, Scope scope, SourceSpan span);

 private:
  bool is_map(const Operand& pointer, SourceSpan span);
  const TensorMap* declared(const Operand& pointer, SourceSpan span);
  bool is_size_of_map(const Operand& bytes, SourceSpan span);
  std::optional<AsyncCell> map_cell(const Operand& pointer, SourceSpan span);

  ThreadContext& thread_;
  AsyncLowering async_{thread_};
  PlaceLowering places_{thread_};
};

}  // namespace ambit::parser::litmus
