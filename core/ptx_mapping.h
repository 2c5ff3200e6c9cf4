#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/program.h"

namespace ambit {

/// PTX's word for a scope: "cta", "cluster", "gpu", "sys".
std::string_view ptx_scope(Scope scope);
/// PTX's word for an order: "weak", "relaxed", "acquire", "release", "acq_rel", "sc".
std::string_view ptx_order(Order order);

/// A type behind the dot: "s32"; of 16 bytes, for which PTX has no numbers, "b128".
std::string ptx_type(ScalarType type);

/// How an access is written in PTX under the documented CUDA ABI (definitions 2.1).
struct PtxStrength {
  std::string fence;      ///< the instruction before it: "fence.sc.gpu" for a seq_cst access; empty: none
  std::string modifiers;  ///< ".relaxed.gpu", ".weak", ".volatile"
};

enum class PtxAccessKind : std::uint8_t { Load, Store, Rmw };

/// Nothing for an atomic operation at thread scope, which has no documented translation.
std::optional<PtxStrength> ptx_strength(const MemoryAccess& access, PtxAccessKind kind);

/// "fence.acq_rel.gpu"; empty at thread scope, where a fence is for the compiler only.
std::string ptx_fence(const Fence& fence);

/// What fence.proxy.async has behind it: ".shared::cta"; nothing for all spaces.
std::string_view ptx_fence_space(FenceSpace space);
/// "fence.proxy.async.global", "fence.mbarrier_init.release.cluster" ...; without operands.
std::string ptx_proxy_fence(const ProxyFence& fence);

}  // namespace ambit
