#include "report/results/program_races.h"

#include <algorithm>

namespace ambit::report {
namespace {

/// The same two accesses, whatever detector found them and whatever it says of them.
bool is_same_pair(const ProgramRace& a, ProgramRace b) {
  b.detector = a.detector;
  b.kind = a.kind;
  return is_same_program_race(a, b);
}

}  // namespace

std::vector<std::string> ProgramRacePair::detectors() const {
  std::vector<std::string> names;
  for (const ProgramRace& race : races) {
    if (std::ranges::find(names, race.detector) == names.end()) names.push_back(race.detector);
  }
  return names;
}

std::vector<ProgramRacePair> race_pairs(const ProgramReport& report) {
  std::vector<ProgramRacePair> pairs;
  for (const ProgramRace& race : report.races) {
    const auto known = std::ranges::find_if(
        pairs, [&](const ProgramRacePair& pair) { return is_same_pair(pair.races.front(), race); });
    if (known == pairs.end()) {
      pairs.push_back({{race}});
    } else {
      known->races.push_back(race);
    }
  }
  return pairs;
}

}  // namespace ambit::report
