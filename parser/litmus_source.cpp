#include "parser/litmus_source.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <system_error>

#include "parser/litmus_header.h"
#include "parser/parse.h"

namespace ambit::parser {
namespace {

/// Length of the well-formed UTF-8 sequence at `at` (RFC 3629), or 0.
std::size_t utf8_length(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(at);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return continues(at + 1) ? 2 : 0;
  const unsigned second = byte(at + 1);
  if (lead >= 0xE0 && lead <= 0xEF) {
    const unsigned least = lead == 0xE0 ? 0xA0 : 0x80;
    const unsigned most = lead == 0xED ? 0x9F : 0xBF;
    return second >= least && second <= most && continues(at + 2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const unsigned least = lead == 0xF0 ? 0x90 : 0x80;
    const unsigned most = lead == 0xF4 ? 0x8F : 0xBF;
    return second >= least && second <= most && continues(at + 2) && continues(at + 3) ? 4 : 0;
  }
  return 0;
}

Diagnostic about_file(const std::string& path, std::string message) {
  auto file = std::make_shared<SourceFile>();
  file->path = path;
  return {file, {}, std::move(message), {}};
}

std::string size_message() {
  return fmt::format("the file is larger than {} MiB, the most that is read", kMaxFileSize >> 20U);
}

}  // namespace

namespace litmus {

std::optional<Diagnostic> check_text(const SourceFilePtr& source) {
  const std::string& text = source->text;
  if (text.size() > kMaxFileSize) return Diagnostic{source, {}, size_message(), {}};
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\0') {
      return about_file(source->path, fmt::format("this is not a text file: byte {} is 0", i));
    }
    const std::size_t length = utf8_length(text, i);
    if (length == 0) {
      return about_file(source->path, fmt::format("this is not a text file: byte {} (0x{:02x}) is not valid UTF-8", i,
                                                  static_cast<unsigned char>(text[i])));
    }
    i += length;
  }
  return std::nullopt;
}

}  // namespace litmus

Result<SourceFilePtr> read_source(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return about_file(path, "cannot be read: it is a directory");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    const int code = errno;
    return about_file(path, fmt::format("cannot be read: {}", code == 0 ? "it cannot be opened" : std::strerror(code)));
  }
  auto file = std::make_shared<SourceFile>();
  file->path = path;
  // Piece by piece: files are small, and a device or a pipe has no size to ask for.
  std::array<char, 8192> piece{};
  while (file->text.size() <= kMaxFileSize && in) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    file->text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) return about_file(path, "cannot be read: an error occurred while reading it");
  if (std::optional<Diagnostic> error = litmus::check_text(file)) return *std::move(error);
  return SourceFilePtr(std::move(file));
}

}  // namespace ambit::parser
