#include "report/text/style.h"

#include <algorithm>

namespace ambit::report {
namespace {

/// Breaks a line that is longer than `width` into several lines, and appends the lines to `out`.
void append_broken(std::string_view line, std::size_t width, std::size_t deeper, std::string& out) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t indent = std::min(begin + deeper, width / 2);
  std::size_t column = 0;
  bool is_first = true;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t word = std::min(line.find_first_not_of(' ', at), line.size());
    const std::size_t end = std::min(line.find(' ', word), line.size());
    const std::string_view text = line.substr(word, end - word);
    const std::size_t needed = display_width(text);
    if (!is_first && column + (word - at) + needed > width) {
      out.append("\n").append(indent, ' ');
      column = indent;
    } else {
      out.append(word - at, ' ');
      column += word - at;
    }
    out.append(text);
    column += needed;
    is_first = false;
    at = end;
  }
}

}  // namespace

std::string Style::paint(std::string_view text, std::string_view code) const {
  if (!color || text.empty()) return std::string(text);
  std::string out = "\x1b[";
  out.append(code).append("m").append(text).append("\x1b[0m");
  return out;
}

std::string Style::status(verdict::Status status, std::string_view text) const {
  switch (status) {
    case verdict::Status::Ok: return good(text);
    case verdict::Status::Fail:
    case verdict::Status::Error: return bad(text);
    case verdict::Status::Unknown: return doubtful(text);
    case verdict::Status::NothingExpected: return faint(text);
  }
  return std::string(text);
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {  // a colour sequence ends with 'm'
      const std::size_t end = text.find('m', i);
      if (end == std::string_view::npos) return width;
      i = end;
      continue;
    }
    const bool is_continuation = (static_cast<unsigned char>(text[i]) & 0xc0U) == 0x80U;
    if (!is_continuation) ++width;
  }
  return width;
}

std::string fitted(std::string_view text, std::size_t width, std::size_t deeper) {
  if (width == 0) return std::string(text);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (display_width(line) <= width) {
      out.append(line);
    } else if (line.find_first_not_of('-') == std::string_view::npos) {
      out.append(width, '-');
    } else {
      append_broken(line, width, deeper, out);
    }
    if (end < text.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

std::string pad(std::string_view text, std::size_t width, bool right) {
  const std::size_t have = display_width(text);
  const std::string fill(have < width ? width - have : 0, ' ');
  return right ? fill + std::string(text) : std::string(text) + fill;
}

}  // namespace ambit::report
