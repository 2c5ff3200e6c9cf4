#pragma once

#include <string>
#include <vector>

namespace ambit::report {

/// A text table. Columns are aligned and two spaces apart. Lines have no trailing spaces. Cells may have colours.
class Table {
 public:
  enum class Align { Left, Right };

  /// `columns`: one alignment for each column.
  explicit Table(std::vector<Align> columns) : columns_(std::move(columns)) {}
  /// Adds a row. If the row has too few cells, adds empty cells.
  void add(std::vector<std::string> cells);
  /// Adds a line of dashes as wide as the table.
  void add_rule();
  /// Returns the table as text. Every row begins with `indent` spaces and ends in a newline.
  std::string render(std::size_t indent = 0) const;

 private:
  std::vector<Align> columns_;
  std::vector<std::vector<std::string>> rows_;  ///< an empty row is printed as a rule
};

}  // namespace ambit::report
