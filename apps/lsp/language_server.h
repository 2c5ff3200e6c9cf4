#pragma once

#include <iosfwd>

namespace ambit::lsp {

/// Serves one editor over two streams by the Language Server Protocol 3.17 until `exit` or the end of the stream.
/// Provides errors while typing, hovers, completion, an outline, the verdict of each expectation as a code lens, and
/// its cheapest fix as a code action. Returns the exit status: 0 after `shutdown` and `exit`, else 1 (LSP 3.17,
/// "exit"). If the stream ends without `exit` or contains anything except messages, writes a message to `errors`.
int serve(std::istream& in, std::ostream& out, std::ostream& errors);

}  // namespace ambit::lsp
