#pragma once

#include <iosfwd>

namespace ambit::mcp {

/// Bytes of the longest message. The answer to a longer message is an error.
inline constexpr std::size_t kLongestMessage = std::size_t{16} << 20;

/// Serves one client by the Model Context Protocol (revisions 2025-06-18 and 2024-11-05) until the end of `in`. Each
/// message is one line. Calls of tools run at the same time; `notifications/cancelled` ends a call within half a
/// second. Returns the exit status, which is 0.
int serve(std::istream& in, std::ostream& out);

}  // namespace ambit::mcp
