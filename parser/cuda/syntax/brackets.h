#pragma once

#include "parser/cuda/syntax/token.h"
#include "parser/text/reporter.h"

namespace ambit::parser::cuda {

/// Adds each missing `)` and `]` of a statement before its `;`, so that the rest of the text can be read. Reports an
/// error for each missing bracket. Returns false and leaves `tokens` unchanged if brackets mismatch in another way, if
/// a statement lacks more than eight brackets, or if a declaration outside of functions has an unclosed bracket. In the
/// last case, the declared name would be unknown.
bool mend_brackets(Tokens& tokens, Reporter& reporter);

}  // namespace ambit::parser::cuda
