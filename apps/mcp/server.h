#pragma once

#include <iosfwd>

namespace ambit::mcp {

/// Length of the longest message in bytes. The server answers a longer message with an error.
inline constexpr std::size_t kLongestMessage = std::size_t{16} << 20;

/// Serves one client by the Model Context Protocol (revisions 2025-06-18 and 2024-11-05) until the end of `in`. Each
/// message is one line. Several tool calls can run at the same time; `notifications/cancelled` ends a call within half
/// a second. Returns the exit status, which is 0.
int serve(std::istream& in, std::ostream& out);

}  // namespace ambit::mcp
