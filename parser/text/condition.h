#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/program.h"
#include "parser/text/memory_table.h"
#include "parser/text/reporter.h"
#include "parser/text/syntax_tree.h"

namespace ambit::parser {

/// Resolves the names in conditions and expectations, and creates the observables.
class ConditionReader {
 public:
  ConditionReader(Program& program, MemoryTable& memory, const FileNode& file, Reporter& reporter);

  /// Reads the condition and the filter. The registers and locations in the condition and the filter become the
  /// observables, in the order of the text. If the test has no condition, all registers and locations become
  /// observables.
  void read();
  /// Returns the cell that `node` names in an expectation (x, data[1], b0:s).
  std::optional<LocationId> location(const ExprNode& node);

 private:
  std::optional<Expr> proposition(const ExprNode& node);
  std::optional<Expr> address_of(const ExprNode& node);
  std::optional<Expr> observed(const ExprNode& node);
  Expr observe(Observable observable);
  std::optional<Observable> register_of(const ExprNode& name);
  std::optional<LocationId> cell_of_path(const ExprNode& node);
  std::optional<LocationId> memory_cell(const ExprNode& name, const std::vector<Value>& indices, SourceSpan span);
  std::optional<ObjectId> object_of(const ExprNode& name);
  std::optional<BlockId> block_named(std::string_view name) const;
  const Thread* thread_named(std::string_view name) const;
  void report_unknown_qualifier(const ExprNode& name);
  void observe_everything();

  Program& program_;
  MemoryTable& memory_;
  const FileNode& file_;
  Reporter& reporter_;
  std::map<std::string, std::uint32_t> observed_;
};

}  // namespace ambit::parser
