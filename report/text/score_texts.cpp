#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/results/validation_scores.h"
#include "report/text/result_texts.h"
#include "report/text/table.h"

namespace ambit::report {
namespace {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// Escapes text for LaTeX.
std::string latex_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}': escaped += std::string("\\") + c; break;
      case '~': escaped += "\\textasciitilde{}"; break;
      case '^': escaped += "\\textasciicircum{}"; break;
      case '\\': escaped += "\\textbackslash{}"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789. ()of") == std::string::npos;
}

/// Returns whether the cells of a column are numbers. Columns of numbers are aligned to the right.
bool has_numbers(const ScoreTable& table, std::size_t column) {
  return std::ranges::all_of(table.rows, [&](const std::vector<std::string>& row) {
    return column >= row.size() || row[column].empty() || is_number(row[column]);
  });
}

std::string latex_row(const std::vector<std::string>& cells, std::size_t columns) {
  std::vector<std::string> escaped;
  for (std::size_t i = 0; i < columns; ++i) escaped.push_back(i < cells.size() ? latex_text(cells[i]) : "");
  return fmt::format("  {} \\\\\n", fmt::join(escaped, " & "));
}

std::string latex_table(const ScoreTable& table) {
  std::string columns;
  for (std::size_t i = 0; i < table.heads.size(); ++i) columns += has_numbers(table, i) ? 'r' : 'l';
  std::string text =
      fmt::format("\\begin{{table}}\n  \\caption{{{}.}}\n  \\label{{tab:{}}}\n  \\begin{{tabular}}{{{}}}\n",
                  latex_text(table.title), table.name, columns);
  text += "  \\hline\n" + latex_row(table.heads, table.heads.size()) + "  \\hline\n";
  for (const auto& row : table.rows) text += latex_row(row, table.heads.size());
  return text + "  \\hline\n  \\end{tabular}\n\\end{table}\n";
}

}  // namespace

std::string scores_text(const Validation& validation) {
  std::string text;
  for (const ScoreTable& from : score_tables(validation)) {
    if (from.name == "tests") continue;  // validation_text() already includes this table
    std::vector<Table::Align> alignments;
    for (std::size_t i = 0; i < from.heads.size(); ++i) {
      alignments.push_back(has_numbers(from, i) ? Table::Align::Right : Table::Align::Left);
    }
    Table table(std::move(alignments));
    table.add(from.heads);
    table.add_rule();
    for (const auto& row : from.rows) table.add(row);
    text += fmt::format("\n{}\n{}", from.title, table.render(2));
  }
  return text;
}

std::string scores_csv(const Validation& validation) {
  std::string text = "table,row,column,value\n";
  for (const ScoreTable& table : score_tables(validation)) {
    // In the table "differences", rows have no names, so numbers identify them.
    const bool is_numbered = table.name == "differences";
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const std::vector<std::string>& cells = table.rows[row];
      const std::string name = is_numbered ? fmt::format("{}", row + 1) : csv_field(cells.front());
      for (std::size_t i = is_numbered ? 0 : 1; i < cells.size(); ++i) {
        text += fmt::format("{},{},{},{}\n", table.name, name, csv_field(table.heads[i]), csv_field(cells[i]));
      }
    }
  }
  return text;
}

std::string scores_latex(const Validation& validation) {
  std::string text = "% Tables of `ambit validate`. Each needs nothing beyond LaTeX itself.\n";
  for (const ScoreTable& table : score_tables(validation)) text += "\n" + latex_table(table);
  return text;
}

}  // namespace ambit::report
