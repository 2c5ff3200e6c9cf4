#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "core/program.h"
#include "parser/ptx/decoded_opcode.h"
#include "parser/ptx/mbarrier_layout.h"
#include "parser/ptx/tensor_shape.h"
#include "parser/ptx/test_tree.h"
#include "parser/text/memory_table.h"
#include "parser/text/reporter.h"

namespace ambit::parser::ptx {

/// Returns the default type of memory cells and registers. The default type has 64 bits in a test with addresses or
/// 64-bit values, and 32 bits in other tests. The default type is signed, because litmus tests use small values, and -1
/// should be printed as -1.
ScalarType default_type(bool is_wide);

/// A named location, array, alias or mbarrier object.
struct MemoryName {
  std::string_view name;
  SourceSpan span;
  std::optional<std::size_t> alias_of;  ///< index of the aliased name
  /// Whether the name is an alias for another proxy: the same virtual address, without a separate object.
  bool is_virtual_alias = false;
  Proxy proxy = Proxy::Generic;  ///< the proxy of a virtual alias
  std::uint32_t length = 1;
  bool is_array = false;
  bool is_shared = false;
  std::optional<Value> arrivals;                        ///< for an mbarrier: number of arrivals that complete a phase
  MbarrierUse use = {};                                 ///< for an mbarrier: how the test uses it
  std::optional<MbarrierLayout> layout = std::nullopt;  ///< for an mbarrier: the layout, known after settle()
  std::optional<BlockId> home = std::nullopt;           ///< the block whose shared memory contains the location
  std::size_t type_class = 0;
  const DeclarationNode* declaration = nullptr;
  std::map<BlockId, ObjectId> objects;  ///< maps blocks to objects; for global memory, the key is BlockId{}
};

/// A tensor map: an array, its shape as a tensor, and the size of a box.
struct TensorMap {
  OperandNode array;  ///< operand that names the array
  TensorShape shape;
  SourceSpan span;
  std::size_t number = 0;  ///< index in Program::tensor_maps
};

/// The memory of a PTX test. First, the reader records every name and access (declare, use, note_*). Then settle()
/// determines the types and creates the program's objects. After settle(), addresses are available.
class Memory {
 public:
  /// If `must_declare` is set, the use of an undeclared name is an error. If `must_declare` is not set, an undeclared
  /// name is a location whose initial value is 0.
  Memory(Program& program, Reporter& reporter, bool must_declare)
      : program_(program), reporter_(reporter), must_declare_(must_declare) {}

  void declare(const DeclarationNode& node);
  /// Resolves aliases. Requires that all names are declared. Errors: chains of aliases, cycles, unknown names.
  void resolve_aliases();

  /// Records the initial values that are addresses. Requires that the aliases are resolved.
  void use_initial_values();

  /// Checks the tensor maps. Requires that all names are declared. Errors: the array has no type; the sizes do not
  /// match the array; PTX does not allow the box.
  void resolve_tensors();
  /// Returns the tensor map that has this name; null if the name is not a tensor map.
  const TensorMap* tensor(std::string_view name) const;
  /// Returns whether the name is a location: a declaration declares the name, or an instruction uses the name as
  /// memory. The location of a tensor map is the descriptor in global memory.
  bool is_location(std::string_view name) const;

  /// Records the use of a name by an instruction of `block` or by an initial value. Returns the index of the name;
  /// nothing after an error.
  std::optional<std::size_t> use(const OperandNode& operand, BlockId block);
  const MemoryName& operator[](std::size_t index) const { return names_[index]; }
  /// Checks that accesses through a virtual alias use the proxy of the alias.
  void check_proxy(std::size_t index, const Opcode& opcode, SourceSpan span);
  /// Records an mbarrier.init and its arrival count. Errors: the name is not an mbarrier, or has a different count.
  void note_mbarrier(std::size_t index, Value arrivals, SourceSpan span);

  /// Adds an instruction's use of an mbarrier.
  void note_mbarrier_use(std::size_t index, const MbarrierUse& use);
  /// Returns the layout of an mbarrier's cell. Requires settle().
  const MbarrierLayout& layout(std::size_t index) const { return *names_[index].layout; }

  /// Records that code takes the address of the name. Afterwards, any register may point to the name's cells.
  void take_address(std::size_t index);
  /// Records an access to a name. If `index` is not set, the access goes through a register. Error: an earlier access
  /// has a different size.
  void note_access(std::optional<std::size_t> index, const Opcode& opcode, SourceSpan span);
  /// Records that the test has a 64-bit value or access.
  void note_wide() { is_wide_ = true; }

  /// Creates the objects and locations. Error: an initial value is out of range.
  void settle();
  ScalarType default_type() const { return ptx::default_type(is_wide_); }
  /// Returns the cell type of a name. If `index` is not set, returns the type of the cells that registers point to.
  ScalarType type_of(std::optional<std::size_t> index) const;
  /// Returns the address of an operand (x, x[1], [x+4]) in `block`. If the address is out of bounds, reports an error
  /// and returns nothing.
  std::optional<Value> address(const OperandNode& operand, std::size_t index, BlockId block);
  /// Converts a byte offset from a register to a number of elements. If the offset is not a multiple of the element's
  /// size, reports an error and returns nothing.
  std::optional<Value> element(Value offset, ScalarType type, SourceSpan span);

  /// Adds the names to the memory table, so that conditions can use the names.
  void publish(MemoryTable& table) const;

 private:
  /// The properties of all accesses to a group of cells.
  struct TypeClass {
    std::optional<TypeSuffix> size;        ///< suffix of the first access with a type suffix
    std::optional<TypeSuffix::Sign> sign;  ///< Signed or Unsigned, if an access specifies the sign
    bool sign_matters = false;             ///< whether an operation depends on the sign (minimum, maximum, wrapping)
    bool sign_differs = false;
    SourceSpan sign_span;
  };
  static constexpr std::size_t kThroughRegisters = 0;
  static constexpr Value kMostCells = 65536;

  std::size_t root(std::size_t index) const;
  std::size_t add(MemoryName name);
  void declare_alias(const DeclarationNode& node, MemoryName name);
  void note_size(TypeClass& known, const TypeSuffix& suffix, std::string_view name, SourceSpan span);
  void note_sign(TypeClass& known, const Opcode& opcode, std::string_view name, SourceSpan span);
  void add_object(MemoryName& name, BlockId block);
  Value initial_value(const OperandNode& node, ScalarType type);
  void settle_mbarrier(MemoryName& name, MemoryObject& object);
  void settle_tensors();
  std::vector<std::string_view> names() const;

  Program& program_;
  Reporter& reporter_;
  bool must_declare_;
  bool is_wide_ = false;
  Value cells_ = 0;  ///< total number of array cells
  std::vector<MemoryName> names_;
  std::map<std::string_view, std::size_t> by_name_;
  std::vector<const DeclarationNode*> tensor_declarations_;
  std::map<std::string_view, TensorMap> tensors_;
  std::vector<TypeClass> classes_ = {TypeClass{}};
};

}  // namespace ambit::parser::ptx
