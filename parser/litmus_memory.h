#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/program.h"
#include "parser/litmus_ast.h"
#include "parser/litmus_reporter.h"
#include "parser/parse.h"

namespace ambit::parser::litmus {

/// A block's number with its gpu's.
struct BlockId {
  int gpu = 0;
  int block = 0;
  friend auto operator<=>(const BlockId&, const BlockId&) = default;
};

/// A memory variable or constant that the text declares.
struct MemoryEntry {
  std::string name;
  Type type;
  std::uint32_t length = 1;
  bool is_array = false;
  bool is_shared = false;
  std::optional<Value> constant;  ///< constexpr: no memory at all
  bool has_initializer = false;
  std::vector<Value> initial;  ///< the first elements; the rest is 0
  SourceSpan span;
  std::map<BlockId, ObjectId> objects;  ///< global memory: one, under BlockId{}
};

/// The declared memory of a test. Objects of shared memory are made when a block's thread or the condition first names
/// them.
class MemoryTable {
 public:
  /// Most memory cells of a test.
  static constexpr std::uint32_t kMaxCells = 65536;

  MemoryTable(const ProgramOptions& options, Reporter& reporter, Program& program)
      : options_(options), reporter_(reporter), program_(program) {}

  /// Declares the variables of the file. Global ones get their objects at once.
  void declare(const Declaration& declaration);
  /// Declares the array that a launch passes as `data[N]`; the same name again must have the same type and length.
  MemoryEntry* declare_launch_array(std::string_view name, const Type& element, Value length, SourceSpan span);
  /// A __shared__ variable of a function body; declared once, whichever thread comes first.
  MemoryEntry* declare_shared(const Declarator& declarator, BlockId block);

  MemoryEntry* find(std::string_view name);
  /// The object of a global variable, or of a shared one in `block`.
  ObjectId object(MemoryEntry& entry, BlockId block);
  const MemoryEntry& entry_of(ObjectId object) const { return *owners_[object]; }
  /// A shared variable by name in one block, or nothing: also those of function bodies.
  std::optional<ObjectId> find_shared(std::string_view name, BlockId block);
  std::vector<std::string_view> names() const;
  bool is_shared_name(std::string_view name) const;

  /// "s" or "b0:s" (on gpu 0), "g1b0:s" elsewhere.
  static std::string shared_name(std::string_view name, BlockId block);

 private:
  std::optional<MemoryEntry> read(const Declarator& declarator, const Storage& storage);
  bool read_length(const Declarator& declarator, MemoryEntry& entry);
  void read_initializer(const Declarator& declarator, MemoryEntry& entry);
  std::optional<Value> initial_value(const ExprNode& node, const Type& type);
  MemoryEntry* add(MemoryEntry entry);

  const ProgramOptions& options_;
  Reporter& reporter_;
  Program& program_;
  std::deque<MemoryEntry> entries_;  // stable addresses
  std::map<std::string, MemoryEntry*, std::less<>> by_name_;
  std::map<const Declarator*, MemoryEntry*> local_;
  std::vector<const MemoryEntry*> owners_;  // by object
};

/// Value of an expression of integer literals, constexpr names, true, false and operators, typed as in C++; nothing
/// when it is not one.
std::optional<Expr> fold_constant(const ExprNode& node, MemoryTable& memory);

/// Reports a literal that `type` cannot hold (as signed or as unsigned: 0xffffffff and -1 are both an int).
bool check_range(Value value, ScalarType value_type, const Type& type, SourceSpan span, Reporter& reporter);

}  // namespace ambit::parser::litmus
