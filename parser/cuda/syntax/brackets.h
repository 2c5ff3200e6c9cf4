#pragma once

#include "parser/cuda/syntax/token.h"
#include "parser/text/reporter.h"

namespace ambit::parser::cuda {

/// Adds each missing `)` and `]` of a statement before its `;`, so that the rest of the text can be read. Reports an
/// error for each missing bracket. Returns false and leaves `tokens` unchanged in three cases: brackets mismatch in
/// another way; a statement lacks more than eight brackets; a declaration outside of functions has an unclosed bracket.
/// If such a bracket were added, the declared name would be unknown.
bool mend_brackets(Tokens& tokens, Reporter& reporter);

}  // namespace ambit::parser::cuda
