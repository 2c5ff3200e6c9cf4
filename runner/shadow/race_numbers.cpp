#include "runner/shadow/race_numbers.h"

#include <algorithm>
#include <tuple>

namespace ambit::shadow {

std::string reason_of(const std::string& sentence) {
  const std::size_t end = sentence.find("): ");
  return end == std::string::npos ? sentence : sentence.substr(end + 3);
}

void report_races(const std::vector<RaceReport>& races, std::uint32_t detector, RaceSink& sink,
                  const NumbersOfLaunch& numbers) {
  const auto raw = [&](const RaceAccess& access) {
    RawAccess made;
    made.is_write = access.is_write;
    made.is_atomic = access.is_atomic;
    if (access.site != kNoName) made.site = numbers.site_of(access.site);
    if (access.thread != kNoName) std::tie(made.block, made.thread) = numbers.place_of(access.thread);
    return made;
  };
  for (const RaceReport& race : races) {
    RawRace made;
    made.kind = race.kind;
    made.needs_acquire = race.needs_acquire;
    made.first = raw(race.first);
    made.second = raw(race.second);
    if (race.location != kNoName) std::tie(made.space, made.address) = numbers.address_of(race.location);
    // The sentence names locations as "#123".
    std::string why = reason_of(race.sentence);
    for (std::size_t at = why.find('#'); at != std::string::npos; at = why.find('#', at + 1)) {
      const std::size_t end = std::min(why.find_first_not_of("0123456789", at + 1), why.size());
      const auto [space, address] =
          numbers.address_of(static_cast<std::uint32_t>(std::stoul(why.substr(at + 1, end - at - 1))));
      why.replace(at, end - at, sink.memory_name(space, address));
    }
    sink.race(detector, made, race.count, why);
  }
}

}  // namespace ambit::shadow
