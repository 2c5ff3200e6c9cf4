#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/program.h"
#include "parser/ptx/opcode.h"
#include "parser/ptx/test_tree.h"
#include "parser/text/memory_table.h"
#include "parser/text/reporter.h"

namespace ambit::parser::ptx {

/// Types of memory cells and registers: a test that handles addresses, or 64-bit values, is 64 bits wide where it does
/// not say otherwise; all others 32. Signed, because the values of litmus tests are small and -1 should stay -1.
ScalarType default_type(bool is_wide);

/// A location, array, alias or mbarrier object by its name.
struct MemoryName {
  std::string_view name;
  SourceSpan span;
  std::optional<std::size_t> alias_of;  ///< index of the name that it aliases
  bool is_virtual_alias = false;        ///< the same virtual address, by another proxy: no object of its own
  Proxy proxy = Proxy::Generic;         ///< of a virtual alias
  std::uint32_t length = 1;
  bool is_array = false;
  bool is_shared = false;
  std::optional<Value> arrivals;  ///< an mbarrier: how many arrivals complete a phase
  std::size_t type_class = 0;
  const DeclarationNode* declaration = nullptr;
  std::map<BlockId, ObjectId> objects;  ///< global: one, under BlockId{}
};

/// The memory of a PTX test. First every name and every access is told (declare, use, note_*), then settle() fixes
/// types and makes the program's objects, then addresses can be had.
class Memory {
 public:
  /// `must_declare`: using an undeclared name is an error; otherwise it is a location that holds 0.
  Memory(Program& program, Reporter& reporter, bool must_declare)
      : program_(program), reporter_(reporter), must_declare_(must_declare) {}

  void declare(const DeclarationNode& node);
  /// After the last declaration: aliases find what they alias. Errors: chains, cycles, nothing of that name.
  void resolve_aliases();

  /// Then: initial values that are addresses.
  void use_initial_values();

  /// The name that an instruction of `block` or an initial value uses; nothing when that was an error.
  std::optional<std::size_t> use(const OperandNode& operand, BlockId block);
  const MemoryName& operator[](std::size_t index) const { return names_[index]; }
  /// A virtual alias is accessed by its own proxy only.
  void check_proxy(std::size_t index, const Opcode& opcode, SourceSpan span);
  /// mbarrier.init with a count; the object must not be known as anything else.
  void note_mbarrier(std::size_t index, Value arrivals, SourceSpan span);

  /// The name's address is a value: from here on its cells may be reached through any register.
  void take_address(std::size_t index);
  /// An access to a name, or (nothing) through a register. Errors: another size than before.
  void note_access(std::optional<std::size_t> index, const Opcode& opcode, SourceSpan span);
  /// Something of the test is 64 bits wide.
  void note_wide() { is_wide_ = true; }

  /// Makes the objects and locations. Errors: initial values that do not fit.
  void settle();
  ScalarType default_type() const { return ptx::default_type(is_wide_); }
  /// Of the cells of a name, or of those reached through registers.
  ScalarType type_of(std::optional<std::size_t> index) const;
  /// The address that an operand names (x, x[1], [x+4]) in `block`; nothing when it is out of bounds (reported).
  std::optional<Value> address(const OperandNode& operand, std::size_t index, BlockId block);
  /// The element that a byte offset from a register leads to; nothing when it is not a whole one (reported).
  std::optional<Value> element(Value offset, ScalarType type, SourceSpan span);

  /// Tells the names to what reads conditions.
  void publish(MemoryTable& table) const;

 private:
  /// What the accesses to some cells have in common.
  struct TypeClass {
    std::optional<TypeSuffix> size;        ///< the first that says one
    std::optional<TypeSuffix::Sign> sign;  ///< Signed or Unsigned, where some access says so
    bool sign_matters = false;             ///< a minimum, maximum or wrapping increment depends on it
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
  std::vector<std::string_view> names() const;

  Program& program_;
  Reporter& reporter_;
  bool must_declare_;
  bool is_wide_ = false;
  Value cells_ = 0;  ///< of arrays
  std::vector<MemoryName> names_;
  std::map<std::string_view, std::size_t> by_name_;
  std::vector<TypeClass> classes_ = {TypeClass{}};
};

}  // namespace ambit::parser::ptx
