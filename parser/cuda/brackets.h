#pragma once

#include "parser/cuda/token.h"
#include "parser/text/reporter.h"

namespace ambit::parser::cuda {

/// Closes the round and square brackets that a statement leaves open at its `;`, each with an error, so that the text
/// after it can be read. Returns false, with an error, if brackets do not match in another way, if a statement lacks
/// more than eight, or if a declaration outside of functions leaves one open, which would make its name unknown; then
/// `tokens` is unchanged.
bool mend_brackets(Tokens& tokens, Reporter& reporter);

}  // namespace ambit::parser::cuda
