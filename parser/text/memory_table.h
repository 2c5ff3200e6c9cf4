#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/program.h"
#include "parser/text/program_options.h"
#include "parser/text/reporter.h"
#include "parser/text/syntax_tree.h"

namespace ambit::parser {

/// Identifies a block by its number and the number of its GPU.
struct BlockId {
  int gpu = 0;
  int block = 0;
  friend auto operator<=>(const BlockId&, const BlockId&) = default;
};

/// A declared memory variable or constant.
struct MemoryEntry {
  std::string name;
  Type type;
  std::uint32_t length = 1;
  bool is_array = false;
  bool is_shared = false;
  bool is_read_only = false;      ///< declared as __constant__
  std::optional<Value> constant;  ///< value of a constexpr variable, which has no memory
  bool has_initializer = false;
  std::vector<Value> initial;  ///< values of the first elements; the other elements are 0
  SourceSpan span;
  /// Maps blocks to objects. For global memory, the key is BlockId{}. For a struct, the value is the object of the
  /// first field.
  std::map<BlockId, ObjectId> objects;
  std::uint32_t structs = 0;  ///< if the object belongs to a field: number of structs in the array
  bool is_dynamic = false;    ///< whether the variable is extern __shared__; the launch gives the size
};

/// The layout of a struct's fields. Each scalar or array in the struct is a memory object. The objects of one variable
/// have consecutive ids. In an array of structs, the object of a field contains the field's cells of all structs. The
/// cells of struct i begin at index i * (number of the field's elements). The address of a struct consists of the
/// object of the first field and the index of the struct. The address of a field is the address of the struct plus the
/// number of the field's object in the upper half.
struct StructLayout {
  struct Field {
    std::string_view name;
    Type type;
    std::uint32_t length = 1;
    bool is_array = false;
    std::uint32_t object = 0;    ///< number of the field's (first) object
    std::vector<Value> initial;  ///< initial values in the struct's definition
  };
  std::vector<Field> fields;
  std::uint32_t objects = 0;
  std::uint64_t size = 0;  ///< size in bytes, including C++'s padding
  std::uint64_t alignment = 1;
  bool is_complete = false;  ///< whether all fields have been read
};

/// The declared memory of a test. An object in shared memory is created when the condition or a thread of its block
/// first names the variable.
class MemoryTable {
 public:
  /// The largest number of memory cells in a test.
  static constexpr std::uint32_t kMaxCells = 65536;
  static constexpr std::uint64_t kTensorMapBytes = 128;  ///< size of a CUtensorMap

  MemoryTable(const ProgramOptions& options, Reporter& reporter, Program& program)
      : options_(options), reporter_(reporter), program_(program) {}

  /// Declares variables of the file. Creates the objects of global variables immediately.
  void declare(const Declaration& declaration);
  /// Declares the array that a launch passes as `data[N]`. A second array of the same name must have the same type and
  /// length, and no contents. `contents` contains the initial values; if `contents` is null, the initial values are 0.
  MemoryEntry* declare_launch_array(std::string_view name, const Type& element, Value length, SourceSpan span,
                                    const Declarator* contents = nullptr);
  /// Declares a __shared__ variable of a function body. The call for the first thread declares the variable; calls for
  /// other threads have no effect. `length` is set if the lowering of the thread has computed the length of an array.
  MemoryEntry* declare_shared(const Declarator& declarator, const Storage& storage, std::optional<Value> length,
                              BlockId block);
  /// Sets the size of the dynamic shared memory (extern __shared__) in bytes. The launch at `span` gives the size.
  /// Error: two launches give different sizes.
  void set_dynamic_shared(Value bytes, SourceSpan span);

  const StructLayout& layout(const StructNode& structure);
  /// Returns sizeof(type) in bytes.
  std::uint64_t size_of(const Type& type);
  std::uint64_t alignment_of(const Type& type);

  /// Adds objects that another reader created, so that conditions can name these objects. `objects` maps blocks to
  /// objects. For global memory, the key is BlockId{}.
  void adopt(std::string name, bool is_shared, std::map<BlockId, ObjectId> objects);
  /// Adds all objects of a program that has been read. Conditions use the names of these objects.
  void adopt(const Program& program);

  MemoryEntry* find(std::string_view name);
  /// Returns the object of a global variable, or of a shared variable in `block`.
  ObjectId object(MemoryEntry& entry, BlockId block);
  MemoryEntry& entry_of(ObjectId object) { return *owners_[object]; }
  /// Finds the shared variable that has this name in `block`. The variable may be declared in a function body.
  std::optional<ObjectId> find_shared(std::string_view name, BlockId block);
  /// Returns the lengths of an array of arrays, beginning with the outermost. For other objects, returns the length.
  std::vector<std::uint32_t> dimensions(ObjectId object) const;
  /// Returns `type` after its inner lengths have been set from the declarator of an array of arrays. Error: a length is
  /// not a positive constant.
  Type with_inner_lengths(Type type, const Declarator& declarator);
  std::vector<std::string_view> names() const;
  bool is_shared_name(std::string_view name) const;

  /// Returns the name of a shared variable with its block: "b0:s" on GPU 0, "g1b0:s" on other GPUs.
  static std::string shared_name(std::string_view name, BlockId block);

 private:
  std::optional<MemoryEntry> read(const Declarator& declarator, const Storage& storage, std::optional<Value> length);
  bool read_length(const Declarator& declarator, MemoryEntry& entry, std::optional<Value> known);
  bool size_dynamic(MemoryEntry& entry);
  void read_field(const Declarator& declarator, StructLayout& layout);
  void read_struct_initializer(const Declarator& declarator, MemoryEntry& entry);
  void read_struct_values(const std::vector<ExprNode>& values, const StructLayout& layout, std::size_t first,
                          MemoryEntry& entry);
  std::size_t scalars(const StructLayout& layout);
  void add_defaults(const StructLayout& layout, std::vector<Value>& values);
  ObjectId make_object(MemoryEntry& entry, MemoryObject made, BlockId block);
  ObjectId make_struct(MemoryEntry& entry, const MemoryObject& made, BlockId block);
  void make_fields(const MemoryEntry& entry, const StructLayout& layout, const std::string& path, std::size_t& first,
                   const MemoryObject& made, BlockId block);
  void read_initializer(const Declarator& declarator, MemoryEntry& entry);
  std::optional<Value> initial_value(const ExprNode& node, const Type& type);
  void add_initial_values(const std::vector<ExprNode>& nodes, std::size_t first, std::size_t size, std::size_t depth,
                          MemoryEntry& entry);

  // Initial values that are pointers (initial_pointers.cpp).
  struct NamedMemory;
  bool check_target(const Type& cell, SourceSpan span);
  std::optional<Value> initial_pointer(const ExprNode& node, const Type& cell);
  std::optional<NamedMemory> named_memory(const ExprNode& node);
  std::optional<NamedMemory> named_variable(const ExprNode& node);
  std::optional<NamedMemory> named_field(const ExprNode& node);

  MemoryEntry* add(MemoryEntry entry);

  const ProgramOptions& options_;
  Reporter& reporter_;
  Program& program_;
  std::deque<MemoryEntry> entries_;  // a deque, because addresses must not change
  std::map<std::string, MemoryEntry*, std::less<>> by_name_;
  std::map<const Declarator*, MemoryEntry*> local_;
  std::vector<MemoryEntry*> owners_;  // maps each object to the object's entry
  std::map<const StructNode*, StructLayout> layouts_;
  std::optional<Value> dynamic_shared_;
  const MemoryEntry* declaring_ = nullptr;  ///< the variable whose initial values are being read
};

/// Returns the value of an expression of integer literals, constexpr names, true, false and operators. Uses the types
/// of C++. Returns nothing if the expression is not constant.
std::optional<Expr> fold_constant(const ExprNode& node, MemoryTable& memory);

/// Returns whether an expression consists only of numbers, constants and operators. The numbers may be floating-point.
bool is_arithmetic_constant(const ExprNode& node, MemoryTable& memory);

/// Reports a value that is out of range for both the signed and the unsigned form of `type`. Both 0xffffffff and -1 are
/// in range for an int.
bool check_range(Value value, ScalarType value_type, const Type& type, SourceSpan span, Reporter& reporter);

}  // namespace ambit::parser
