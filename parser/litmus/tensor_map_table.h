#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "parser/ptx/tensor_shape.h"
#include "parser/text/memory_table.h"
#include "parser/text/reporter.h"
#include "parser/text/syntax_tree.h"

namespace ambit::parser::litmus {

/// A tensor map: the shape of an array as a tensor, and the size of the box that a copy moves.
struct TensorMap {
  ptx::TensorShape shape;
  ObjectId array = 0;
  Type element;            ///< element type of the array
  std::size_t number = 0;  ///< index of the map's declaration in Program::tensor_maps
};

/// The tensor maps of a test, `t = tensormap(g, {4, 4}, {2, 2})`. A map is a memory cell: a variable of the file, or an
/// element of an array that a launch allocates. If no variable has the map's name, the map's declaration creates a
/// global variable.
class TensorMapTable {
 public:
  /// Creates global variables for maps that the file does not declare as variables.
  void declare(const std::vector<TensorMapNode>& nodes, MemoryTable& memory);
  /// Returns the map in this cell; null if the map has no declaration, or a wrong declaration (is_wrong()).
  const TensorMap* find(ObjectId object, std::uint32_t index, MemoryTable& memory, Reporter& reporter);
  bool is_wrong(ObjectId object, std::uint32_t index) const { return wrong_.contains({object, index}); }
  /// Reads the declarations that find() has not read, and adds all maps to the program. Reports the errors of all
  /// declarations.
  void finish(Program& program, MemoryTable& memory, Reporter& reporter);

  /// Records the maps that code accesses or that a fence names. In the second pass, tensor copies read the recorded
  /// maps.
  void note_accesses(const Program& program, MemoryTable& memory);
  bool is_accessed(ObjectId object) const { return accessed_.contains(object); }
  /// Returns whether the runner on GPUs supports the map. The descriptor of the map must be a separate object.
  bool is_on_hardware(std::pair<ObjectId, std::uint32_t> cell, const Program& program) const;
  bool has_accessed() const { return !accessed_.empty(); }

 private:
  using Cell = std::pair<ObjectId, std::uint32_t>;
  std::optional<Cell> cell_of(const TensorMapNode& node, MemoryTable& memory, Reporter* reporter) const;
  void read(const TensorMapNode& node, Cell cell, MemoryTable& memory, Reporter& reporter);

  const std::vector<TensorMapNode>* nodes_ = nullptr;
  std::map<Cell, TensorMap> maps_;
  std::map<Cell, const TensorMapNode*> declared_;
  std::set<Cell> wrong_;
  std::set<ObjectId> accessed_;
};

}  // namespace ambit::parser::litmus
