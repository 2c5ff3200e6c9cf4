#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "parser/litmus/async_lowering.h"

namespace ambit::parser::litmus {

/// The box of a tensor that one tensor copy moves.
struct TensorBox {
  const TensorMap* map = nullptr;
  std::vector<Value> coordinates;
  Operand pointer;  ///< pointer to the map
};

/// Lowers tensor copies and operations on tensor maps (PTX ISA 9.7.9.27, 9.7.9.28). A tensor copy moves a box of a
/// declared size. PTX litmus files have the same semantics (parser/ptx/column_tensors.cpp).
class TensorLowering {
 public:
  explicit TensorLowering(ThreadContext& thread) : thread_(thread) {}

  /// Returns the box of a tensor copy. `dimensions` is the modifier of the instruction, for example "2d". Errors: the
  /// pointer does not point to a tensor map; the map has no declaration or a wrong number of dimensions; a coordinate
  /// is not constant; a part of the box is outside the tensor.
  std::optional<TensorBox> box(const Operand& pointer, const std::vector<Operand>& coordinates,
                               std::string_view dimensions, SourceSpan span);
  /// Returns the cells of the box, in the order in which shared memory contains them.
  std::optional<std::vector<AsyncCell>> cells(const TensorBox& box, SourceSpan span);
  /// If code accesses the map, adds a read of the map through the tensormap proxy (TensorMapTable::note_accesses).
  void read_map(const TensorBox& box, AsyncStep& operation);

  /// Lowers tensormap.replace to a weak store of the whole map. `ordinal` is the number of the dimension if the
  /// replaced field has one value for each dimension; otherwise, null.
  void replace(const Operand& pointer, const Operand* ordinal, const Operand& value, SourceSpan span);
  /// Emits the copy of a map by tensormap.cp_fenceproxy.
  bool copy(const Operand& target, const Operand& source, const Operand& bytes, SourceSpan span);
  void release(Scope scope, SourceSpan span);
  /// Emits the acquire fence of the tensormap proxy for one map.
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
