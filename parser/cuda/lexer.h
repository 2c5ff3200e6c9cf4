#pragma once

#include <cstdint>

#include "core/source.h"
#include "parser/cuda/token.h"
#include "parser/text/reporter.h"

namespace ambit::parser::cuda {

/// Returns the preprocessing tokens of a C++ text. Comments are white space, except for comments that begin with
/// `ambit:`, whose text becomes tokens, too (is_annotation). Other text becomes TokenKind::Other, which host code may
/// contain. The first line has the number `first_line`. Errors: a comment or raw string is not closed; a name contains
/// '$' (DeviceCode gives such names to type parameters of generic functions).
Tokens read_tokens(std::string_view text, std::uint32_t first_line, Reporter& reporter);

}  // namespace ambit::parser::cuda
