#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ambit {

/// The software transactional memories of `kernels/stm` (docs/reference/transactions/memories.md).
enum class Stm : std::uint8_t { Estm, Pstm, Istm, IstmAsPublished };

/// Returns "estm", "pstm", "istm" or "istm-as-published".
std::string_view to_string(Stm stm);
std::optional<Stm> stm_from_string(std::string_view name);

}  // namespace ambit
