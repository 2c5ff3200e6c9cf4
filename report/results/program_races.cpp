#include "report/results/program_races.h"

#include <algorithm>
#include <string_view>

namespace ambit::report {
namespace {

/// Returns whether two races are between the same two accesses. Their detectors and kinds may differ.
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

ProgramRaceClass ProgramRacePair::race_class() const {
  const ProgramRaceClass first = races.front().race_class;
  const bool is_one = std::ranges::all_of(races, [&](const ProgramRace& one) { return one.race_class == first; });
  return is_one ? first : ProgramRaceClass::Ordinary;
}

std::string_view heading_of(ProgramRaceClass race_class) {
  switch (race_class) {
    case ProgramRaceClass::Ordinary: return "race";
    case ProgramRaceClass::SameValue: return "race of equal values";
    case ProgramRaceClass::Invalidation: return "race with an invalidation";
  }
  return "race";
}

std::string_view meaning_of(ProgramRaceClass race_class) {
  switch (race_class) {
    case ProgramRaceClass::Ordinary: return "";
    case ProgramRaceClass::SameValue:
      return "all writes of the launch stored one value in this memory, so their order changes nothing. In C++ the "
             "race is "
             "still undefined behavior";
    case ProgramRaceClass::Invalidation:
      return "all lanes of the warp met at an exchange, such as match.sync, before mbarrier.inval. By the rules of PTX "
             "an "
             "exchange does not order memory";
  }
  return "";
}

std::string_view claim_of_remedy(const ProgramRace& race) {
  return race.needs_trial ? "may order them, not tried:" : "would order them:";
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
  std::ranges::stable_sort(pairs, {}, &ProgramRacePair::race_class);
  return pairs;
}

}  // namespace ambit::report
