#include "api/operation_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace ambit::api {
namespace {

std::string location_text(const Program& program, const MemoryAccess& access) {
  if (!access.address.is_constant()) return "an address computed at run time";
  const auto name = program.name_at(access.address.constant);
  return name ? fmt::format("`{}`", *name) : "no location: the address is out of bounds";
}

/// "block 1", "warp 0 of block 1" ...: the threads within a scope.
std::string reach_text(const Program& program, const Thread& thread, Scope scope) {
  if (scope == Scope::Thread) return "reaches no other thread";
  std::vector<std::string> others;
  for (const Thread& other : program.threads) {
    if (&other != &thread && same_instance(thread.place, other.place, scope)) others.push_back(other.name);
  }
  if (others.empty()) return "reaches no other thread of this test";
  constexpr std::size_t kMost = 8;
  const std::size_t left_out = others.size() > kMost ? others.size() - kMost : 0;
  others.resize(others.size() - left_out);
  return fmt::format("reaches {}{}", fmt::join(others, ", "), left_out ? fmt::format(" and {} more", left_out) : "");
}

std::string access_text(const Program& program, const Thread& thread, const MemoryAccess& access, const char* what) {
  const std::string location = location_text(program, access);
  if (access.is_volatile) return fmt::format("volatile {} {}: strong under PTX, ordinary elsewhere", what, location);
  if (access.order == Order::Weak) return fmt::format("plain {} {}: synchronises with nobody", what, location);
  return fmt::format("{} {} {} at {} scope: {}", to_string(access.order), what, location, to_string(access.scope),
                     reach_text(program, thread, access.scope));
}

std::string barrier_text(const Barrier& barrier) {
  switch (barrier.kind) {
    case BarrierKind::Warp: return "barrier of the warp's lanes";
    case BarrierKind::Cluster: return "barrier of the cluster";
    case BarrierKind::Grid: return "barrier of all threads of the gpu";
    case BarrierKind::Block: break;
  }
  return fmt::format("barrier {} of the block{}", barrier.id, barrier.arrive_only ? ": arrives and does not wait" : "");
}

}  // namespace

std::string operation_text(const Program& program, const Thread& thread, const Instruction& instruction) {
  const auto& operation = instruction.operation;
  if (const auto* load = std::get_if<Load>(&operation)) return access_text(program, thread, load->access, "read of");
  if (const auto* store = std::get_if<Store>(&operation)) {
    return access_text(program, thread, store->access, "write of");
  }
  if (const auto* rmw = std::get_if<Rmw>(&operation)) {
    const std::string text = access_text(program, thread, rmw->access, "read-modify-write of");
    return rmw->is_reduction ? text + "; its result is not used, so under PTX it never acquires" : text;
  }
  if (const auto* fence = std::get_if<Fence>(&operation)) {
    return fmt::format("{} fence at {} scope: {}", to_string(fence->order), to_string(fence->scope),
                       reach_text(program, thread, fence->scope));
  }
  if (const auto* fence = std::get_if<ProxyFence>(&operation)) {
    return fence->is_alias ? "proxy fence between aliases" : fmt::format("proxy fence: {}", to_string(fence->proxy));
  }
  if (const auto* barrier = std::get_if<Barrier>(&operation)) return barrier_text(*barrier);
  return {};
}

}  // namespace ambit::api
