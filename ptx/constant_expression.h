#pragma once

#include <cstdint>

#include "ptx/token_stream.h"

namespace ambit::ptx {

/// The value of an integer constant expression (ISA 9.0, section 4.5). The expression cannot be a floating-point
/// constant; callers read floating-point constants themselves.
struct Constant {
  std::uint64_t value = 0;
  bool is_unsigned = false;
};
/// Reads a constant expression that has any operators of C except ?:.
Constant read_constant(TokenStream& tokens);
/// Reads the optional offset after a symbol: `+ constant` or `- constant`. The default is 0.
std::int64_t read_offset(TokenStream& tokens);

}  // namespace ambit::ptx
