#include "report/results/detections.h"

#include <algorithm>

namespace ambit::report {

std::optional<bool> race_verdict(const Detections& found) {
  if (found.racy > 0) return true;
  if (found.judged() == 0 || found.without_verdict > 0) return std::nullopt;
  return false;
}

RaceFrequency race_frequency(const Detections& found) {
  const std::optional<bool> race = race_verdict(found);
  if (!race) return RaceFrequency::Unknown;
  if (!*race) return RaceFrequency::NoRun;
  return found.racy == found.judged() ? RaceFrequency::EveryRun : RaceFrequency::SomeRuns;
}

void keep_most_frequent(Detections& found, std::size_t most) {
  std::stable_sort(found.races.begin(), found.races.end(),
                   [](const auto& one, const auto& other) { return one.runs > other.runs; });
  for (std::size_t i = most; i < found.races.size(); ++i) found.uncounted += found.races[i].runs;
  if (found.races.size() > most)
    found.races.erase(found.races.begin() + static_cast<std::ptrdiff_t>(most), found.races.end());
}

void add(Detections& into, const Detections& from) {
  into.runs += from.runs;
  into.left_out += from.left_out;
  into.without_verdict += from.without_verdict;
  into.racy += from.racy;
  into.uncounted += from.uncounted;
  into.seconds += from.seconds;
  if (from.not_run.empty()) into.not_run.clear();
  for (const Detections::Race& race : from.races) {
    const auto known = std::find_if(into.races.begin(), into.races.end(), [&](const Detections::Race& other) {
      return other.first == race.first && other.second == race.second && other.kind == race.kind;
    });
    if (known == into.races.end()) {
      into.races.push_back(race);
    } else {
      known->runs += race.runs;
    }
  }
}

}  // namespace ambit::report
