#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/program.h"

namespace ambit {

/// Returns PTX's word for a scope: "cta", "cluster", "gpu", "sys".
std::string_view ptx_scope(Scope scope);
/// Returns the scope with this word in PTX: "cta", "cluster", "gpu" or "sys"; nothing for other words.
std::optional<Scope> scope_from_ptx(std::string_view word);
/// Returns PTX's word for an order: "weak", "relaxed", "acquire", "release", "acq_rel", "sc".
std::string_view ptx_order(Order order);

/// Returns the type suffix of an instruction without the dot: "s32". Returns "b128" for 16 bytes, because PTX has no
/// number type of that size.
std::string ptx_type(ScalarType type);

/// The translation of an access to PTX in the documented CUDA ABI (definitions 2.1).
struct PtxStrength {
  std::string fence;      ///< the fence before a seq_cst access: "fence.sc.gpu"; empty for other accesses
  std::string modifiers;  ///< ".relaxed.gpu", ".weak", ".volatile"
};

enum class PtxAccessKind : std::uint8_t { Load, Store, Rmw };

/// Returns the translation of an access. Returns nothing for an atomic operation at thread scope, because the ABI does
/// not document this case.
std::optional<PtxStrength> ptx_strength(const MemoryAccess& access, PtxAccessKind kind);

/// Returns the PTX fence, such as "fence.acq_rel.gpu"; empty at thread scope, where a fence affects only the compiler.
std::string ptx_fence(const Fence& fence);

/// Returns the suffix of fence.proxy.async: ".shared::cta"; empty for all spaces.
std::string_view ptx_fence_space(FenceSpace space);
/// Returns the fence without operands: "fence.proxy.async.global", "fence.mbarrier_init.release.cluster" ...
std::string ptx_proxy_fence(const ProxyFence& fence);

}  // namespace ambit
