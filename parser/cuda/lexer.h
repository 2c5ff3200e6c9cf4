#pragma once

#include <cstdint>

#include "core/source.h"
#include "parser/cuda/token.h"
#include "parser/text/reporter.h"

namespace ambit::parser::cuda {

/// The preprocessing tokens of a C++ text. Comments are white space, except that the text of a comment that begins with
/// `ambit:` is read too (is_annotation). What is no token becomes TokenKind::Other: in host code it does not matter.
/// Lines are numbered from `first_line` on. Errors: comments and raw strings without an end.
Tokens read_tokens(std::string_view text, std::uint32_t first_line, Reporter& reporter);

}  // namespace ambit::parser::cuda
