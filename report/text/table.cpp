#include "report/text/table.h"

#include <algorithm>

#include "base/assert.h"
#include "report/text/style.h"

namespace ambit::report {
namespace {

constexpr std::size_t kGap = 2;

}  // namespace

void Table::add(std::vector<std::string> cells) {
  AMBIT_ASSERT(!cells.empty() && cells.size() <= columns_.size());
  rows_.push_back(std::move(cells));
}

void Table::add_rule() { rows_.emplace_back(); }

std::string Table::render(std::size_t indent) const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  std::size_t total = columns_.empty() ? 0 : kGap * (columns_.size() - 1);
  for (const std::size_t width : widths) total += width;

  std::string out;
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    if (row.empty()) line.append(total, '-');
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line.append(kGap, ' ');
      line += pad(row[i], widths[i], columns_[i] == Align::Right);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace ambit::report
