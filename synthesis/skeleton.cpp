#include "synthesis/skeleton.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ambit::synthesis {
namespace {

struct ScopeWord {
  Scope scope;
  std::string_view word;
};
constexpr std::array<ScopeWord, 4> kScopes = {
    {{Scope::Block, "cta"}, {Scope::Cluster, "cluster"}, {Scope::Device, "gpu"}, {Scope::System, "sys"}}};
struct OrderWord {
  Order order;
  std::string_view word;
};
constexpr std::array<OrderWord, 5> kOrders = {{{Order::Relaxed, "rlx"},
                                               {Order::Acquire, "acq"},
                                               {Order::Release, "rel"},
                                               {Order::AcqRel, "ar"},
                                               {Order::SeqCst, "sc"}}};
constexpr std::string_view kKinds = "RWUFLNB";

std::string act_name(const Act& act) {
  std::string name(1, kKinds[static_cast<std::size_t>(act.kind)]);
  if (act.is_access()) name += kVariables[act.cell];
  if (act.is_lock()) name += kLocks[act.cell];
  if (act.access == Act::Access::Volatile) name += ".vol";
  if (act.access == Act::Access::Atomic || act.kind == Act::Kind::Fence) {
    for (const OrderWord& entry : kOrders) {
      if (entry.order == act.order) name += "." + std::string(entry.word);
    }
  }
  if (act.access == Act::Access::Atomic || act.kind == Act::Kind::Fence || act.is_lock()) {
    for (const ScopeWord& entry : kScopes) {
      if (entry.scope == act.scope) name += "." + std::string(entry.word);
    }
  }
  if (act.is_guarded) name += ".if";
  return name;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::optional<Act> act_named(std::string_view name) {
  Act act;
  constexpr std::string_view kGuarded = ".if";
  if (name.ends_with(kGuarded)) {
    act.is_guarded = true;
    name.remove_suffix(kGuarded.size());
  }
  const std::size_t kind = name.empty() ? std::string_view::npos : kKinds.find(name[0]);
  if (kind == std::string_view::npos) return std::nullopt;
  act.kind = static_cast<Act::Kind>(kind);
  name.remove_prefix(1);
  if (act.is_access() || act.is_lock()) {
    const std::size_t cell =
        name.empty() ? std::string_view::npos : (act.is_lock() ? kLocks : kVariables).find(name[0]);
    if (cell == std::string_view::npos) return std::nullopt;
    act.cell = static_cast<std::uint8_t>(cell);
    name.remove_prefix(1);
  }
  std::vector<std::string_view> words = split(name, '.');
  words.erase(words.begin());
  for (const std::string_view word : words) {
    bool known = word == "vol";
    if (known) act.access = Act::Access::Volatile;
    for (const OrderWord& entry : kOrders) {
      if (entry.word != word) continue;
      act.order = entry.order;
      if (act.is_access()) act.access = Act::Access::Atomic;
      known = true;
    }
    for (const ScopeWord& entry : kScopes) {
      if (entry.word != word) continue;
      act.scope = entry.scope;
      known = true;
    }
    if (!known) return std::nullopt;
  }
  return act_name(act).empty() ? std::nullopt : std::optional(act);
}

std::size_t cells_of(const Skeleton& skeleton, bool locks) {
  std::size_t count = 0;
  for (const SkeletonThread& thread : skeleton.threads) {
    for (const Act& act : thread.acts) {
      if (locks ? act.is_lock() : act.is_access()) count = std::max<std::size_t>(count, act.cell + 1U);
    }
  }
  return count;
}

}  // namespace

std::size_t Skeleton::size() const {
  std::size_t count = 0;
  for (const SkeletonThread& thread : threads) count += thread.acts.size();
  return count;
}
std::size_t Skeleton::variables() const { return cells_of(*this, false); }
std::size_t Skeleton::locks() const { return cells_of(*this, true); }

std::string name_of(const Skeleton& skeleton) {
  std::string name;
  std::string places;
  for (const SkeletonThread& thread : skeleton.threads) {
    if (!name.empty()) name += "_";
    for (std::size_t i = 0; i < thread.acts.size(); ++i) name += (i == 0 ? "" : "+") + act_name(thread.acts[i]);
    if (!places.empty()) places += ",";
    if (thread.gpu != 0) places += std::to_string(thread.gpu) + ".";
    places += std::to_string(thread.block);
  }
  return name + "@" + places;
}

std::optional<Skeleton> skeleton_named(std::string_view name) {
  const std::size_t at = name.rfind('@');
  if (at == std::string_view::npos) return std::nullopt;
  const std::vector<std::string_view> words = split(name.substr(0, at), '_');
  const std::vector<std::string_view> places = split(name.substr(at + 1), ',');
  if (words.size() != places.size()) return std::nullopt;
  Skeleton skeleton;
  for (std::size_t i = 0; i < words.size(); ++i) {
    SkeletonThread thread;
    for (const std::string_view word : split(words[i], '+')) {
      const auto act = act_named(word);
      if (!act) return std::nullopt;
      thread.acts.push_back(*act);
    }
    const std::vector<std::string_view> numbers = split(places[i], '.');
    for (const std::string_view number : numbers) {
      if (number.size() != 1 || number[0] < '0' || number[0] > '9') return std::nullopt;
    }
    if (numbers.size() == 2) thread.gpu = static_cast<std::uint8_t>(numbers[0][0] - '0');
    thread.block = static_cast<std::uint8_t>(numbers.back()[0] - '0');
    skeleton.threads.push_back(std::move(thread));
  }
  return name_of(skeleton) == name ? std::optional(skeleton) : std::nullopt;
}

}  // namespace ambit::synthesis
