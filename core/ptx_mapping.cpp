#include "core/ptx_mapping.h"

#include <fmt/format.h>

#include "core/wide_value.h"

namespace ambit {

std::string_view ptx_scope(Scope scope) {
  switch (scope) {
    case Scope::Thread: return "thread";
    case Scope::Block: return "cta";
    case Scope::Cluster: return "cluster";
    case Scope::Device: return "gpu";
    case Scope::System: return "sys";
  }
  return "?";
}

std::optional<Scope> scope_from_ptx(std::string_view word) {
  for (const Scope scope : {Scope::Block, Scope::Cluster, Scope::Device, Scope::System}) {
    if (word == ptx_scope(scope)) return scope;
  }
  return std::nullopt;
}

std::string_view ptx_order(Order order) { return order == Order::SeqCst ? "sc" : to_string(order); }

std::string ptx_type(ScalarType type) {
  return fmt::format("{}{}", is_wide(type) ? 'b' : type.is_signed ? 's' : 'u', type.bits);
}

std::optional<PtxStrength> ptx_strength(const MemoryAccess& access, PtxAccessKind kind) {
  if (access.is_volatile) return PtxStrength{"", ".volatile"};
  if (access.order == Order::Weak) return PtxStrength{"", ".weak"};
  if (access.scope == Scope::Thread) return std::nullopt;
  PtxStrength strength;
  Order order = access.order;
  if (order == Order::SeqCst) {
    strength.fence = fmt::format("fence.sc.{}", ptx_scope(access.scope));
    order = kind == PtxAccessKind::Store ? Order::Relaxed : Order::Acquire;
  }
  strength.modifiers = fmt::format(".{}.{}", ptx_order(order), ptx_scope(access.scope));
  return strength;
}

std::string ptx_fence(const Fence& fence) {
  if (fence.is_shared_only) {
    const bool releases = fence.order == Order::Release;
    return fmt::format("fence.{}.sync_restrict::shared::{}.cluster", ptx_order(fence.order),
                       releases ? "cta" : "cluster");
  }
  if (fence.scope == Scope::Thread) return {};
  return fmt::format("fence.{}.{}", ptx_order(fence.order), ptx_scope(fence.scope));
}

std::string_view ptx_fence_space(FenceSpace space) {
  switch (space) {
    case FenceSpace::All: return "";
    case FenceSpace::Global: return ".global";
    case FenceSpace::SharedBlock: return ".shared::cta";
    case FenceSpace::SharedCluster: return ".shared::cluster";
  }
  return "";
}

std::string ptx_proxy_fence(const ProxyFence& fence) {
  using Direction = ProxyFence::Direction;
  if (fence.is_mbarrier_init) return "fence.mbarrier_init.release.cluster";
  if (fence.is_alias) return "fence.proxy.alias";
  if (fence.proxy == Proxy::Tensormap) {
    return fmt::format("fence.proxy.tensormap::generic.{}.{}",
                       fence.direction == Direction::Release ? "release" : "acquire", ptx_scope(fence.scope));
  }
  if (fence.direction == Direction::Release) {
    return "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster";
  }
  if (fence.direction == Direction::Acquire) {
    return "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster";
  }
  return "fence.proxy." + std::string(to_string(fence.proxy)) + std::string(ptx_fence_space(fence.space));
}

}  // namespace ambit
