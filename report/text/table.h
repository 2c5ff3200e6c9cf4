#pragma once

#include <string>
#include <vector>

namespace ambit::report {

/// Text in aligned columns, two spaces apart, without trailing spaces. Cells may have colours.
class Table {
 public:
  enum class Align { Left, Right };

  /// One alignment per column.
  explicit Table(std::vector<Align> columns) : columns_(std::move(columns)) {}
  /// Missing cells at the end are empty.
  void add(std::vector<std::string> cells);
  /// Adds a line of dashes as wide as the table.
  void add_rule();
  /// Returns every row prefixed by `indent` spaces and ended by a newline.
  std::string render(std::size_t indent = 0) const;

 private:
  std::vector<Align> columns_;
  std::vector<std::vector<std::string>> rows_;  ///< an empty row is a rule
};

}  // namespace ambit::report
