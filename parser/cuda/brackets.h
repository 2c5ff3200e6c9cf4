#pragma once

#include "parser/cuda/token.h"
#include "parser/text/reporter.h"

namespace ambit::parser::cuda {

/// Adds each missing `)` and `]` of a statement before its `;`, and reports an error for each, so that the rest of the
/// text can be read. Returns false after an error that it cannot mend: brackets mismatch in another way; a statement
/// lacks more than eight; or a declaration outside of functions has an unclosed bracket, so that its name would be
/// unknown. Then `tokens` is unchanged.
bool mend_brackets(Tokens& tokens, Reporter& reporter);

}  // namespace ambit::parser::cuda
