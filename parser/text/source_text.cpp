#include "parser/text/source_text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "base/descriptor.h"
#include "base/stoppable_input.h"
#include "base/utf8.h"

namespace ambit::parser {
namespace {

Diagnostic about_file(const std::string& path, std::string message) {
  auto file = std::make_shared<SourceFile>();
  file->path = path;
  return {file, {}, std::move(message), {}};
}

/// Returns the size limit of a file. The limit for PTX is greater, because compilers write large files.
std::size_t largest_size(const std::string& path) { return path.ends_with(".ptx") ? kMaxModuleSize : kMaxFileSize; }

std::string size_message(const std::string& path) {
  return fmt::format("the file is larger than the limit of {} MiB", largest_size(path) >> 20U);
}

}  // namespace

std::optional<Diagnostic> check_text(const SourceFilePtr& source) {
  const std::string& text = source->text;
  if (text.size() > largest_size(source->path)) return Diagnostic{source, {}, size_message(source->path), {}};
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

Result<SourceFilePtr> read_source(const std::string& path, const std::atomic<bool>* cancelled) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return about_file(path, "cannot be read: it is a directory");
  const Descriptor in = open_input(path);
  if (!in.is_open()) return about_file(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  auto file = std::make_shared<SourceFile>();
  file->path = path;
  // Reads the file in pieces, because the size of a device or a pipe is not known.
  std::array<char, 8192> piece{};
  while (file->text.size() <= largest_size(path)) {
    if (!wait_for_input(in.number(), cancelled)) return about_file(path, "cannot be read: interrupted");
    const ssize_t length = read(in.number(), piece.data(), piece.size());
    if (length == 0) break;
    if (length > 0) {
      file->text.append(piece.data(), static_cast<std::size_t>(length));
    } else if (errno != EINTR && errno != EAGAIN) {
      return about_file(path, fmt::format("cannot be read: {}", std::strerror(errno)));
    }
  }
  if (std::optional<Diagnostic> error = check_text(file)) return *std::move(error);
  return SourceFilePtr(std::move(file));
}

}  // namespace ambit::parser
