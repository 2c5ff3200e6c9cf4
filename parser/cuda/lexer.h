#pragma once

#include <cstdint>

#include "core/source.h"
#include "parser/cuda/token.h"
#include "parser/text/reporter.h"

namespace ambit::parser::cuda {

/// Returns the preprocessing tokens of a C++ text. Comments are white space, except for comments that begin with
/// `ambit:`, whose text becomes tokens too (is_annotation). Other text becomes TokenKind::Other, which host code may
/// contain. Lines are numbered from `first_line` on. Errors: unclosed comments and raw strings; names with '$', which
/// DeviceCode gives to type parameters of generic functions.
Tokens read_tokens(std::string_view text, std::uint32_t first_line, Reporter& reporter);

}  // namespace ambit::parser::cuda
