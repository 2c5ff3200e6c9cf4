#include "core/stm.h"

#include <array>
#include <cstddef>

namespace ambit {
namespace {

constexpr std::array<std::string_view, 4> kStms = {"estm", "pstm", "istm", "istm-as-published"};

}  // namespace

std::string_view to_string(Stm stm) { return kStms[static_cast<std::size_t>(stm)]; }

std::optional<Stm> stm_from_string(std::string_view name) {
  for (std::size_t i = 0; i < kStms.size(); ++i) {
    if (kStms[i] == name) return static_cast<Stm>(i);
  }
  return std::nullopt;
}

}  // namespace ambit
