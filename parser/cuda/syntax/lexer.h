#pragma once

#include <cstdint>

#include "base/source.h"
#include "parser/cuda/syntax/token.h"
#include "parser/text/reporter.h"

namespace ambit::parser::cuda {

/// Returns the preprocessing tokens of a C++ text. Comments are white space, except for comments that begin with
/// `ambit:`. The text of an `ambit:` comment becomes tokens with is_annotation. Unknown characters become
/// TokenKind::Other, because host code may contain them. The first line has the number `first_line`. Errors: a comment
/// or raw string is not closed; a name contains '$' (DeviceCode generates names with '$' for type parameters of generic
/// functions).
Tokens read_tokens(std::string_view text, std::uint32_t first_line, Reporter& reporter);

}  // namespace ambit::parser::cuda
