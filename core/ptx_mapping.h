#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/program.h"

namespace ambit {

/// Returns PTX's word for a scope: "cta", "cluster", "gpu", "sys".
std::string_view ptx_scope(Scope scope);
/// Returns PTX's word for an order: "weak", "relaxed", "acquire", "release", "acq_rel", "sc".
std::string_view ptx_order(Order order);

/// Returns the type in an instruction, without its dot: "s32". Returns "b128" for 16 bytes, because PTX has no number
/// type of that size.
std::string ptx_type(ScalarType type);

/// The form of an access in PTX under the documented CUDA ABI (definitions 2.1).
struct PtxStrength {
  std::string fence;  ///< the instruction before the access: "fence.sc.gpu" for a seq_cst access; empty if the access
                      ///< needs no fence
  std::string modifiers;  ///< ".relaxed.gpu", ".weak", ".volatile"
};

enum class PtxAccessKind : std::uint8_t { Load, Store, Rmw };

/// Returns the form of an access; nothing for an atomic operation at thread scope, which has no documented translation.
std::optional<PtxStrength> ptx_strength(const MemoryAccess& access, PtxAccessKind kind);

/// Returns the PTX fence, such as "fence.acq_rel.gpu"; empty at thread scope, where a fence affects only the compiler.
std::string ptx_fence(const Fence& fence);

/// Returns the suffix of fence.proxy.async: ".shared::cta"; empty for all spaces.
std::string_view ptx_fence_space(FenceSpace space);
/// Returns "fence.proxy.async.global", "fence.mbarrier_init.release.cluster" ..., without operands.
std::string ptx_proxy_fence(const ProxyFence& fence);

}  // namespace ambit
