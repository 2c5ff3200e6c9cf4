#pragma once

#include <functional>

#include "parser/litmus/thread_context.h"

namespace ambit::parser::litmus {

/// The place of a struct's field. If the field is an array, `place` is the first element of the array.
struct FieldPlace {
  Place place;
  bool is_array = false;
};

/// The form in which an argument names memory.
enum class MemoryForm : std::uint8_t {
  CellOrPointer,  ///< `x`, `data[1]`, `*p`, or a pointer: `&x`, `p`, `data`
  Pointer,        ///< a pointer, which CUDA's own functions require
};

/// Says when a constant address outside all objects is an error: always, or only if every execution performs the access
/// (Unguarded). If only some executions perform an Unguarded access, the checker reports these executions ("out of
/// bounds").
enum class Check : std::uint8_t { Always, Unguarded };

/// Lowers lvalues, pointers, and accesses that are not atomic functions.
class PlaceLowering {
 public:
  explicit PlaceLowering(ThreadContext& thread) : thread_(thread) {}

  std::optional<Place> place(const ExprNode& node);
  std::optional<Place> place_of_name(const ExprNode& node);
  /// Returns the object of a member access: the expression before the dot or arrow of `member`.
  std::optional<Place> object_of(const ExprNode& member);
  std::optional<Place> dereference(Operand pointer, SourceSpan span, Check check = Check::Always);
  /// Returns `a[i]`, which is itself an array if `a` is an array of arrays.
  std::optional<FieldPlace> element(const ExprNode& node);
  /// Returns `pointer + index` or `pointer - index`. Error: the pointer points to variables, and the index is not
  /// constant.
  Operand move_pointer(Operand pointer, Op op, Operand index, SourceSpan span);
  /// Returns a pointer to a variable of the thread.
  Operand pointer_to_variable(Variable& variable, Value index = 0);
  /// Checks that device code can write the memory. If device code cannot write it, reports an error and returns false.
  bool is_writable(const Place& place, SourceSpan span);
  std::optional<Place> memory_argument(const Call& call, std::size_t index, MemoryForm form);
  Operand address_of(const ExprNode& node);
  Operand array_address(MemoryEntry& entry);

  bool is_field_of_self(std::string_view name);
  /// Returns the field `s.a`, `p->a` or `this->a`.
  std::optional<FieldPlace> field(const ExprNode& node);
  /// Returns the field `name` of `object`, a struct.
  std::optional<FieldPlace> field_of(const Place& object, std::string_view name, SourceSpan span);
  Operand read(const std::optional<FieldPlace>& field);

  /// Returns the variable of the thread if `node` names a variable or a field of a local struct; otherwise, null.
  Variable* part_of_variable(const ExprNode& node);

  /// Reads the value at `place`. If `place` is a struct, reads all its fields.
  Operand read(const Place& place);
  void write(const Place& place, Operand value, SourceSpan span);
  Operand load(const Place& place, const MemoryAccess& access, SourceSpan span);
  /// Calls `visit` for each scalar of a struct in memory, in order. If `place` is a scalar, calls `visit` for `place`.
  void for_each_cell(const Place& place, const std::function<void(const Place&)>& visit);
  /// Returns `address + bytes`. `address` is an address that code has cast to an integer.
  Operand move_bytes(Operand address, Operand bytes, SourceSpan span);

  /// Reports an unknown name. `is_written` says whether the code assigns to the name.
  Operand unknown_name(const ExprNode& node, bool is_written = false);

 private:
  std::optional<Place> place_of_variable(Variable& variable, const ExprNode& node);
  std::optional<Place> dereference_local(const LocalPointer& pointer, SourceSpan span);
  std::optional<Place> pointed_to(const Place& pointer, const Call& call);
  bool is_guarded(Check check) const;
  void report_index(std::string message, SourceSpan span);
  Operand address_of_field(const FieldPlace& field);
  Operand address_of_element(const ExprNode& node);
  Variable* field_of_variable(const Variable& whole, std::string_view name);
  std::optional<Place> place_of_atomic_ref(const ExprNode& node);
  std::optional<Place> scalar_field(const std::optional<FieldPlace>& field, const ExprNode& node);
  std::optional<Variable*> local_element(const ExprNode& node);
  std::nullopt_t out_of_range(const MemoryEntry& entry, std::int64_t index, std::int64_t length, SourceSpan span);

  ThreadContext& thread_;
};

bool is_builtin_triple(std::string_view name);

}  // namespace ambit::parser::litmus
