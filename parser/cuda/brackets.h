#pragma once

#include "parser/cuda/token.h"
#include "parser/text/reporter.h"

namespace ambit::parser::cuda {

/// Closes the round and square brackets that a statement leaves open at its `;`, each with an error, so that the text
/// behind it is read as if they were there. False, with an error, where brackets do not match in another way, a
/// statement lacks more than eight, or a declaration outside of functions leaves one open, so that its name would be
/// unknown; `tokens` is then as it was.
bool mend_brackets(Tokens& tokens, Reporter& reporter);

}  // namespace ambit::parser::cuda
