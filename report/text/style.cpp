#include "report/text/style.h"

namespace ambit::report {

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
    if (text[i] == '\x1b') {  // a colour sequence ends in 'm'
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

std::string pad(std::string_view text, std::size_t width, bool right) {
  const std::size_t have = display_width(text);
  const std::string fill(have < width ? width - have : 0, ' ');
  return right ? fill + std::string(text) : std::string(text) + fill;
}

}  // namespace ambit::report
