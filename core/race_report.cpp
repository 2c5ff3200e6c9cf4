#include "core/race_report.h"

#include <algorithm>
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

void add_location(RaceReport& race, std::uint32_t location) {
  if (race.has_unnamed_locations || location == race.location || location == kNoName) return;
  std::vector<std::uint32_t>& more = race.more_locations;
  if (std::ranges::find(more, location) != more.end()) return;
  if (more.size() < kMostMoreLocations) {
    more.push_back(location);
  } else {
    race.has_unnamed_locations = true;
  }
}

void add_locations(RaceReport& race, const RaceReport& other) {
  add_location(race, other.location);
  for (const std::uint32_t location : other.more_locations) add_location(race, location);
  race.has_unnamed_locations = race.has_unnamed_locations || other.has_unnamed_locations;
}

bool is_same_race(const RaceReport& a, const RaceReport& b) {
  const auto is_same = [](const RaceAccess& x, const RaceAccess& y) {
    return x.site == y.site && x.thread == y.thread;
  };
  return a.location == b.location && ((is_same(a.first, b.first) && is_same(a.second, b.second)) ||
                                      (is_same(a.first, b.second) && is_same(a.second, b.first)));
}

}  // namespace ambit
