#include "parser/proxy/value_table.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/plural.h"
#include "base/trimmed.h"
#include "parser/text/source_text.h"

namespace ambit::parser::proxy {
namespace {

/// The largest number of rows in a table.
constexpr std::size_t kMostRows = 1000;

struct Cell {
  std::string_view text;
  SourceSpan span;
};
using Row = std::vector<Cell>;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_character(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_'; }

/// Returns the part of a test's name that identifies a row, for example `.gpu,1`. The part has no blanks, because a
/// blank would end the name in logs.
std::string label_of(const Row& row) {
  constexpr std::size_t kLongest = 80;
  std::string label;
  for (const Cell& cell : row) {
    if (&cell != row.data()) label += ',';
    for (const char c : cell.text) label += is_blank(c) ? '_' : c;
  }
  if (label.size() > kLongest) label = label.substr(0, kLongest) + "...";
  return label;
}

class TableReader {
 public:
  TableReader(const SourceFile& file, Reporter& reporter) : file_(file), reporter_(reporter) {}

  std::vector<TestInstance> read() {
    split_lines();
    std::vector<TestInstance> instances;
    if (!table_line_) {
      instances.push_back({make({}), 0, {}});
    } else if (rows_.empty()) {
      reporter_.error(*table_line_, "the table has no rows", "write a row after this line: VALUE | VALUE");
    }
    std::map<std::string, std::size_t> labels;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      std::string label = label_of(rows_[i]);
      const std::size_t same = ++labels[label];
      if (same > 1) label += fmt::format("#{}", same);
      instances.push_back({make(rows_[i]), i + 1, std::move(label)});
    }
    return instances;
  }

 private:
  /// Splits the file into the body, the line `$$`, and the rows after it.
  void split_lines() {
    std::string_view rest = file_.text;
    for (std::uint32_t number = 1; !rest.empty(); ++number) {
      const std::size_t end = rest.find('\n');
      read_line(rest.substr(0, end), number);
      if (end == std::string_view::npos) break;
      rest.remove_prefix(end + 1);
    }
  }

  void read_line(std::string_view line, std::uint32_t number) {
    const std::string_view code = trimmed(line.substr(0, line.find("//")));
    const auto span_of = [&](std::string_view part) {
      return SourceSpan{number, static_cast<std::uint32_t>(part.data() - line.data() + 1),
                        static_cast<std::uint32_t>(part.size())};
    };
    if (table_line_) {
      if (!code.empty()) read_row(code, span_of);
    } else if (code == "$$") {
      table_line_ = span_of(code);
    } else if (code.starts_with("$$")) {
      reporter_.error(span_of(code), "expected a line with only '$$', found more text",
                      "the rows follow that line at the end of the file; the body names their columns $0, $1, ...");
    } else {
      body_.push_back(line);
    }
  }

  template <typename SpanOf>
  void read_row(std::string_view rest, const SpanOf& span_of) {
    Row row;
    for (;;) {
      const std::size_t bar = rest.find('|');
      const std::string_view cell = trimmed(rest.substr(0, bar));
      row.push_back({cell, span_of(cell)});
      if (bar == std::string_view::npos) break;
      rest.remove_prefix(bar + 1);
    }
    if (rest == "$$") return reporter_.error(row.back().span, "the file has a second line '$$'");
    if (!rows_.empty() && row.size() != rows_.front().size()) {
      return reporter_.error(row.front().span, fmt::format("this row has {}, but the first row has {}",
                                                           plural(row.size(), "value"), rows_.front().size()));
    }
    if (rows_.size() == kMostRows) {
      return reporter_.error(row.front().span, fmt::format("the table has more than {} rows", kMostRows));
    }
    rows_.push_back(std::move(row));
  }

  SourceFilePtr make(const Row& row) {
    std::string text;
    for (std::size_t i = 0; i < body_.size(); ++i) {
      put(body_[i], static_cast<std::uint32_t>(i + 1), row, text);
      text += '\n';
      if (text.size() > kMaxFileSize) {
        reporter_.error({}, "the file is larger than 1 MiB after the table values are substituted");
        break;
      }
    }
    return std::make_shared<const SourceFile>(SourceFile{file_.path, std::move(text)});
  }

  /// Replaces $0, $1, ... in one line by the values of the row. Keeps comments unchanged.
  void put(std::string_view line, std::uint32_t number, const Row& row, std::string& text) {
    const std::string_view code = line.substr(0, line.find("//"));
    std::size_t at = 0;
    for (std::size_t next = code.find('$'); next != std::string_view::npos; next = code.find('$', at)) {
      text += code.substr(at, next - at);
      std::size_t end = next + 1;
      while (end < code.size() && is_digit(code[end])) ++end;
      if (end == next + 1) {
        while (end < code.size() && is_name_character(code[end])) ++end;
      }
      const SourceSpan span{number, static_cast<std::uint32_t>(next + 1), static_cast<std::uint32_t>(end - next)};
      text += value_of(code.substr(next, end - next), span, row);
      at = end;
    }
    text += line.substr(at);
  }

  std::string_view value_of(std::string_view placeholder, SourceSpan span, const Row& row) {
    const std::string_view digits = placeholder.substr(1);
    std::size_t column = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), column);
    const bool is_number = !digits.empty() && error == std::errc{} && end == digits.data() + digits.size();
    if (is_number && column < row.size()) return row[column].text;
    std::string hint =
        row.size() == 1 ? "the only column is $0" : fmt::format("the columns are $0 to ${}", row.size() - 1);
    if (!table_line_) hint = "write a line '$$' at the end of the file, and the rows after it: VALUE | VALUE";
    reporter_.error(span, fmt::format("the table has no column '{}'", placeholder), std::move(hint));
    return {};
  }

  const SourceFile& file_;
  Reporter& reporter_;
  std::vector<std::string_view> body_;
  std::optional<SourceSpan> table_line_;
  std::vector<Row> rows_;
};

}  // namespace

std::vector<TestInstance> instances_of(const SourceFilePtr& file, Reporter& reporter) {
  return TableReader(*file, reporter).read();
}

}  // namespace ambit::parser::proxy
