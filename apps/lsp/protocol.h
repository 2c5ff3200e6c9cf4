#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace ambit::lsp {

/// Size of the largest accepted message in bytes. A longer message ends the connection.
inline constexpr std::size_t kMaxMessage = std::size_t{16} << 20;

/// Reads the next message of a stream in the base protocol of the Language Server Protocol 3.17. A message has header
/// lines with a Content-Length, an empty line, and the content. Returns nothing at the end of the stream. Also returns
/// nothing for a malformed header or a length over kMaxMessage, because it cannot find the next message.
std::optional<std::string> read_message(std::istream& in);

/// Writes one message and flushes the stream.
void write_message(std::ostream& out, std::string_view content);

}  // namespace ambit::lsp
