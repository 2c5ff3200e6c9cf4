#pragma once

#include <cstdint>

#include "ptx/token_stream.h"

namespace ambit::ptx {

/// An integer that constants make (ISA 9.0, section 4.5). Floating-point constants are read by the callers.
struct Constant {
  std::uint64_t value = 0;
  bool is_unsigned = false;
};
/// Reads a constant expression with the operators of C, without ?:.
Constant read_constant(TokenStream& tokens);
/// Reads what follows a symbol: nothing, `+ constant` or `- constant`.
std::int64_t read_offset(TokenStream& tokens);

}  // namespace ambit::ptx
