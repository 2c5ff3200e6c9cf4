#pragma once

#include <cstdint>
#include <optional>

#include "parser/cuda/token.h"

namespace ambit::parser::cuda {

/// A scalar type of C++.
struct HostType {
  std::int64_t bytes = 4;
  bool is_signed = true;
  bool is_bool = false;
  bool is_integer = true;
};

/// The scalar or pointer type of C++ that these words name; nothing when it is none.
std::optional<HostType> host_type(const Tokens& words);

}  // namespace ambit::parser::cuda
