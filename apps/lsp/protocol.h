#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace ambit::lsp {

/// Largest message taken; a longer one ends the connection.
inline constexpr std::size_t kMaxMessage = std::size_t{16} << 20;

/// The next message of a stream in the base protocol of the Language Server Protocol 3.17: header lines with a
/// Content-Length, an empty line, the content. Nothing at the end of the stream, and where no header can be made out or
/// the length is over kMaxMessage: there is no way to find the next message then.
std::optional<std::string> read_message(std::istream& in);

/// Writes one message and flushes.
void write_message(std::ostream& out, std::string_view content);

}  // namespace ambit::lsp
