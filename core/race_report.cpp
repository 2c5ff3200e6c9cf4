#include "core/race_report.h"

#include <array>

namespace ambit {

std::string_view to_string(RaceKind kind) {
  constexpr std::array<std::string_view, kRaceKinds> kNames = {
      "no synchronisation",      "missing fence",   "fence scope too narrow",
      "atomic scope too narrow", "not atomic",      "no common lock",
      "lock scope too narrow",   "barrier missing", "intra-warp"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view to_string(RaceLevel level) {
  constexpr std::array<std::string_view, 3> kNames = {"warp", "block", "device"};
  return kNames[static_cast<std::size_t>(level)];
}

RaceLevel race_level(const ThreadPlace& a, const ThreadPlace& b) {
  if (!same_instance(a, b, Scope::Block)) return RaceLevel::Device;
  return a.warp == b.warp ? RaceLevel::Warp : RaceLevel::Block;
}

bool is_same_race(const RaceReport& a, const RaceReport& b) {
  const auto is_same = [](const RaceAccess& x, const RaceAccess& y) {
    return x.site == y.site && x.thread == y.thread;
  };
  return a.location == b.location && ((is_same(a.first, b.first) && is_same(a.second, b.second)) ||
                                      (is_same(a.first, b.second) && is_same(a.second, b.first)));
}

}  // namespace ambit
