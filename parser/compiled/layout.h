#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "parser/text/memory_table.h"
#include "parser/text/syntax_tree.h"

namespace ambit::parser::compiled {

/// A field in an element of a variable, and the offset of the field in the element. The field is a scalar or an array
/// of scalars.
struct LayoutCell {
  std::uint64_t offset = 0;  ///< offset in the element
  std::uint32_t bytes = 4;   ///< size of one scalar
  std::uint32_t count = 1;   ///< number of scalars; more than one if the field is an array
  std::uint32_t object = 0;  ///< index of the field's object in the variable's list of objects
  Type type;
};

/// The byte layout of a type in memory. Each element has `stride` bytes. A core address counts elements, not bytes
/// (StructLayout).
struct Layout {
  std::uint64_t stride = 4;
  std::vector<LayoutCell> cells;  ///< sorted by offset
};

/// The layouts of a test's types. Equal types share one layout.
class LayoutTable {
 public:
  explicit LayoutTable(MemoryTable& memory) : memory_(memory) {}

  const Layout& of(const Type& type);
  /// If `cell` is a pointer type, returns the layout of its target type; otherwise, null.
  const Layout* of_target(const Type& cell);

 private:
  void add_cells(const StructNode& structure, std::uint64_t offset, std::uint32_t object, Layout& layout);

  MemoryTable& memory_;
  std::deque<Layout> layouts_;  // a deque, because addresses must not change
  std::map<const StructNode*, const Layout*> structs_;
  std::vector<std::pair<Type, const Layout*>> scalars_;
};

}  // namespace ambit::parser::compiled
