#include "core/wide_value.h"

#include <fmt/format.h>

namespace ambit {

std::string torn_text(Value value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return fmt::format("torn({}|{})", bits & 0xffff, bits >> 16U & 0xffff);
}

}  // namespace ambit
