#include "parser/proxy/value_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "parser/text/keywords.h"
#include "parser/text/source_text.h"

namespace ambit::parser::proxy {
namespace {

/// The largest number of rows of a table.
constexpr std::size_t kMostRows = 1000;

struct Cell {
  std::string_view text;
  SourceSpan span;
};
using Row = std::vector<Cell>;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

class TableReader {
 public:
  TableReader(const SourceFile& file, Reporter& reporter) : file_(file), reporter_(reporter) {}

  std::vector<TestInstance> read() {
    split_lines();
    if (reporter_.has_errors()) return {};
    std::vector<TestInstance> instances;
    if (!header_) {
      instances.push_back({make({}), 0});
    } else if (rows_.empty()) {
      reporter_.error(header_->front().span, "the table has no rows", "write a row: $$ VALUE | VALUE ;");
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) instances.push_back({make(rows_[i]), i + 1});
    return reporter_.has_errors() ? std::vector<TestInstance>{} : std::move(instances);
  }

 private:
  /// Splits the file into the lines of its table and the other lines.
  void split_lines() {
    std::string_view rest = file_.text;
    for (std::uint32_t number = 1; !rest.empty(); ++number) {
      const std::size_t end = rest.find('\n');
      const std::string_view line = rest.substr(0, end);
      const std::string_view begin = trim(line);
      const bool is_table = begin.starts_with("$$") && (begin.size() == 2 || is_blank(begin[2]));
      if (is_table) read_row(line, number);
      lines_.push_back(is_table ? std::string_view{} : line);
      if (end == std::string_view::npos) break;
      rest.remove_prefix(end + 1);
    }
  }

  void read_row(std::string_view line, std::uint32_t number) {
    const auto span_of = [&](std::string_view part) {
      return SourceSpan{number, static_cast<std::uint32_t>(part.data() - line.data() + 1),
                        static_cast<std::uint32_t>(part.size())};
    };
    std::string_view rest = line.substr(line.find("$$") + 2);
    const std::size_t comment = rest.find("//");
    rest = trim(rest.substr(0, comment));
    if (!rest.ends_with(';')) {
      return reporter_.error(span_of(rest), "this row of the table does not end in ';'");
    }
    rest.remove_suffix(1);
    Row row;
    for (;;) {
      const std::size_t bar = rest.find('|');
      const std::string_view cell = trim(rest.substr(0, bar));
      row.push_back({cell, span_of(cell)});
      if (bar == std::string_view::npos) break;
      rest.remove_prefix(bar + 1);
    }
    if (!header_) return read_header(std::move(row));
    if (row.size() != header_->size()) {
      return reporter_.error(row.front().span, fmt::format("this row has {} values, but the table has {} columns",
                                                           row.size(), header_->size()));
    }
    if (rows_.size() == kMostRows) {
      return reporter_.error(row.front().span, fmt::format("the table has more than {} rows", kMostRows));
    }
    rows_.push_back(std::move(row));
  }

  void read_header(Row row) {
    for (const Cell& cell : row) {
      const bool is_name = !cell.text.empty() && std::all_of(cell.text.begin(), cell.text.end(), is_name_character);
      if (!is_name) reporter_.error(cell.span, fmt::format("'{}' is not a column name", cell.text));
      const auto same =
          std::count_if(row.begin(), row.end(), [&](const Cell& other) { return other.text == cell.text; });
      if (is_name && same > 1) reporter_.error(cell.span, fmt::format("the table has two columns '{}'", cell.text));
    }
    header_ = std::move(row);
  }

  SourceFilePtr make(const Row& row) {
    std::string text;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      put(lines_[i], static_cast<std::uint32_t>(i + 1), row, text);
      text += '\n';
      if (text.size() > kMaxFileSize) {
        reporter_.error({}, "the file is larger than 1 MiB after the table values are substituted");
        break;
      }
    }
    return std::make_shared<const SourceFile>(SourceFile{file_.path, std::move(text)});
  }

  /// Replaces the placeholders of one line, except in comments.
  void put(std::string_view line, std::uint32_t number, const Row& row, std::string& text) {
    const std::string_view code = line.substr(0, line.find("//"));
    std::size_t at = 0;
    for (std::size_t next = code.find("$$"); next != std::string_view::npos; next = code.find("$$", at)) {
      text += code.substr(at, next - at);
      std::size_t end = next + 2;
      while (end < code.size() && is_name_character(code[end])) ++end;
      const std::string_view name = code.substr(next + 2, end - next - 2);
      const SourceSpan span{number, static_cast<std::uint32_t>(next + 1), static_cast<std::uint32_t>(end - next)};
      text += value_of(name, span, row);
      at = end;
    }
    text += line.substr(at);
  }

  std::string_view value_of(std::string_view name, SourceSpan span, const Row& row) {
    std::vector<std::string_view> columns;
    for (std::size_t i = 0; header_ && i < header_->size(); ++i) {
      if ((*header_)[i].text == name) return row[i].text;
      columns.push_back((*header_)[i].text);
    }
    std::string hint = did_you_mean(name, columns);
    if (hint.empty()) hint = one_of("the table's columns are", columns);
    if (!header_) hint = "begin a table with a line: $$ NAME | NAME ;";
    reporter_.error(span, fmt::format("unknown table column '{}'", name), std::move(hint));
    return {};
  }

  const SourceFile& file_;
  Reporter& reporter_;
  std::vector<std::string_view> lines_;
  std::optional<Row> header_;
  std::vector<Row> rows_;
};

}  // namespace

std::vector<TestInstance> instances_of(const SourceFilePtr& file, Reporter& reporter) {
  return TableReader(*file, reporter).read();
}

}  // namespace ambit::parser::proxy
