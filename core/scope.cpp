#include "core/scope.h"

#include <array>

namespace ambit {
namespace {

constexpr std::array<std::string_view, 5> kScopeNames = {"thread", "block", "cluster", "device", "system"};
constexpr std::array<std::string_view, 6> kOrderNames = {"weak", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};

template <typename Enum, std::size_t N>
std::optional<Enum> find_name(const std::array<std::string_view, N>& names, std::string_view name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_string(Scope scope) { return kScopeNames[static_cast<std::size_t>(scope)]; }
std::string_view to_string(Order order) { return kOrderNames[static_cast<std::size_t>(order)]; }

std::optional<Scope> scope_from_string(std::string_view name) { return find_name<Scope>(kScopeNames, name); }
std::optional<Order> order_from_string(std::string_view name) { return find_name<Order>(kOrderNames, name); }

bool same_instance(const ThreadPlace& a, const ThreadPlace& b, Scope scope) {
  switch (scope) {
    case Scope::Thread: return a == b;
    case Scope::Block: return a.gpu == b.gpu && a.block == b.block;
    case Scope::Cluster: return a.gpu == b.gpu && a.cluster == b.cluster;
    case Scope::Device: return a.gpu == b.gpu;
    case Scope::System: return true;
  }
  return false;
}

}  // namespace ambit
