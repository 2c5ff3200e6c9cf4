#include "apps/lsp/protocol.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <istream>
#include <ostream>

namespace ambit::lsp {
namespace {

constexpr std::size_t kMaxHeaderLine = 4096;

/// Returns a header line without its line break; nothing at the end of the stream or if the line is too long.
std::optional<std::string> header_line(std::istream& in) {
  std::string line;
  for (int c = in.get(); c != std::istream::traits_type::eof(); c = in.get()) {
    if (c == '\n') {
      if (!line.empty() && line.back() == '\r') line.pop_back();
      return line;
    }
    if (line.size() == kMaxHeaderLine) return std::nullopt;
    line += static_cast<char>(c);
  }
  return std::nullopt;
}

std::optional<std::size_t> content_length(const std::string& line) {
  constexpr std::string_view kName = "content-length:";
  const bool is_it =
      line.size() > kName.size() && std::equal(kName.begin(), kName.end(), line.begin(), [](char name, char given) {
        return name == std::tolower(static_cast<unsigned char>(given));
      });
  if (!is_it) return std::nullopt;
  const std::size_t begin = std::min(line.find_first_not_of(' ', kName.size()), line.size());
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(line.data() + begin, line.data() + line.size(), length);
  if (error != std::errc() || end == line.data() + begin) return std::nullopt;
  return length;
}

}  // namespace

std::optional<std::string> read_message(std::istream& in) {
  std::optional<std::size_t> length;
  while (true) {
    const std::optional<std::string> line = header_line(in);
    if (!line) return std::nullopt;
    if (line->empty()) break;
    if (const auto given = content_length(*line)) length = given;
  }
  if (!length || *length > kMaxMessage) return std::nullopt;
  std::string content(*length, '\0');
  in.read(content.data(), static_cast<std::streamsize>(content.size()));
  if (static_cast<std::size_t>(in.gcount()) != content.size()) return std::nullopt;
  return content;
}

void write_message(std::ostream& out, std::string_view content) {
  out << "Content-Length: " << content.size() << "\r\n\r\n" << content;
  out.flush();
}

}  // namespace ambit::lsp
