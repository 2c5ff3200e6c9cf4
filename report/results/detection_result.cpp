#include "report/results/detection_result.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "report/results/words.h"

namespace ambit::report {
namespace {

void count(DetectionTotals::Counts& counts, std::optional<bool> race) {
  ++(!race ? counts.unknown : *race ? counts.racy : counts.clean);
}

}  // namespace

void DetectionTotals::add(const DetectionResult& result, std::optional<bool> race) {
  count(inputs_, race);
  for (const DetectorFindings& findings : result.detectors) {
    auto known = std::ranges::find(detectors_, findings.detector, &std::pair<std::string, Counts>::first);
    if (known == detectors_.end()) known = detectors_.insert(known, {findings.detector, {}});
    count(known->second, findings.is_unknown() ? std::nullopt : std::optional(!findings.races.empty()));
  }
}

bool is_same_pair(const RaceReport& a, const RaceReport& b, const TraceTables& tables) {
  if (a.location == kNoName || b.location == kNoName) return false;
  for (const RaceReport* race : {&a, &b}) {
    if (race->first.site == kNoName || race->second.site == kNoName) return false;
  }
  const auto sites = [](const RaceReport& race) { return std::minmax(race.first.site, race.second.site); };
  return sites(a) == sites(b) && tables.locations()[a.location].object == tables.locations()[b.location].object;
}

std::size_t add_race(DetectorFindings& findings, RaceReport race, const TraceTables& tables) {
  const std::size_t index = findings.races.size();
  auto pair = std::ranges::find_if(findings.pairs, [&](const ReportedPair& one) {
    return is_same_pair(findings.races[one.races.front()], race, tables);
  });
  if (pair == findings.pairs.end()) pair = findings.pairs.insert(pair, ReportedPair{});
  pair->races.push_back(index);
  findings.races.push_back(std::move(race));
  return static_cast<std::size_t>(pair - findings.pairs.begin());
}

std::string cells_of(std::span<const RaceReport> races, const TraceTables& tables) {
  std::set<std::tuple<std::uint32_t, std::uint64_t, std::string>> cells;  // sorted by object and offset
  bool has_more = false;
  const auto add = [&](std::uint32_t number) {
    const TraceLocation& location = tables.locations()[number];
    cells.emplace(location.object, location.offset, location.name);
  };
  for (const RaceReport& race : races) {
    if (race.location != kNoName) add(race.location);
    std::ranges::for_each(race.more_locations, add);
    has_more = has_more || race.has_unnamed_locations;
  }
  std::vector<std::string> names;
  for (const auto& [object, offset, name] : cells) names.push_back(name);
  return names.empty() ? "memory" : first_names(names, has_more);
}

std::size_t count_thread_pairs(std::span<const RaceReport> races) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const RaceReport& race : races) pairs.emplace(std::minmax(race.first.thread, race.second.thread));
  return pairs.size();
}

void keep_sentences(std::span<const RaceReport> races, std::vector<std::string>& sentences) {
  for (const RaceReport& race : races) {
    if (sentences.size() >= kKeptSentences) return;
    if (std::find(sentences.begin(), sentences.end(), race.sentence) == sentences.end()) {
      sentences.push_back(race.sentence);
    }
  }
}

}  // namespace ambit::report
