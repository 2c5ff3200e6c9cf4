#pragma once

#include <iosfwd>

namespace ambit::lsp {

/// Serves one editor over two streams with the Language Server Protocol 3.17 until `exit` or the end of the stream.
/// Provides errors while the user types, hovers, completion and an outline. Each expectation gets its verdict as a code
/// lens, and the cheapest fix as a code action. Returns the exit status: 0 after `shutdown` and `exit`, otherwise 1
/// (LSP 3.17, "exit"). If the stream ends without `exit`, or contains data that is not a message, writes an error to
/// `errors`.
int serve(std::istream& in, std::ostream& out, std::ostream& errors);

}  // namespace ambit::lsp
