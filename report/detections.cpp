#include "report/detections.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/words.h"

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

std::string sentence(const Detections::Race& race, const Style& style) {
  return fmt::format("{}, {}: {}, in {}", race.first, race.second, style.bad(race.kind), plural(race.runs, "run"));
}

std::string detections_text(const Detections& found, const Style& style) {
  std::string text = fmt::format("{}: ", style.strong(found.detector));
  if (!found.not_run.empty()) return text + style.doubtful("not run: " + found.not_run) + "\n";
  text += found.races.empty() && found.uncounted == 0
              ? fmt::format("no race in {}\n", plural(found.judged(), "run"))
              : fmt::format("races in {} of {} ({})\n", found.racy, plural(found.judged(), "run"),
                            share(found.racy, found.judged()));
  for (const Detections::Race& race : found.races) text += "  " + sentence(race, style) + "\n";
  if (found.uncounted > 0) text += fmt::format("  and {} more\n", plural(found.uncounted, "report"));
  if (found.without_verdict > 0) {
    text += style.doubtful(fmt::format("  {} without a verdict", plural(found.without_verdict, "run"))) + "\n";
  }
  return text;
}

}  // namespace ambit::report
