#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/logs/findings.h"

namespace ambit::report {
namespace {

FindingPlace place_of(const ProgramSite& site, std::string message, const SourceLine& source_line) {
  const ProgramPlace& place = site.places[site.user_place];
  return {place.file, {place.line, place.column, 0}, source_line(site.text()), std::move(message)};
}

std::string rule_of(ProgramRaceClass race_class) {
  switch (race_class) {
    case ProgramRaceClass::Ordinary: return "data-race";
    case ProgramRaceClass::SameValue: return "same-value-race";
    case ProgramRaceClass::Invalidation: return "invalidation-race";
  }
  return "data-race";
}

std::string words_of(const ProgramAccess& access) {
  return fmt::format(
      "{} {}", access.thread.empty() ? "another thread" : access.thread,
      access.is_atomic ? (access.is_write ? "updates" : "atomically reads") : (access.is_write ? "writes" : "reads"));
}

}  // namespace

std::vector<Finding> findings_of(const ProgramReport& report, const SourceLine& source_line) {
  std::vector<Finding> all;
  for (const ProgramRacePair& pair : race_pairs(report)) {
    const ProgramRace& race = pair.races.front();
    if (race.first.site.places.empty() || race.second.site.places.empty()) continue;
    Finding finding;
    const ProgramRaceClass of = pair.race_class();
    const bool is_ordinary = of == ProgramRaceClass::Ordinary;
    finding.rule = rule_of(of);
    finding.level = is_ordinary ? Finding::Level::Error : Finding::Level::Warning;
    finding.places = {place_of(race.first.site, words_of(race.first), source_line),
                      place_of(race.second.site, words_of(race.second), source_line)};
    finding.message = fmt::format("{} on {}: {} ({}); {}{}{}", heading_of(of), race.memory, to_string(race.kind),
                                  fmt::join(pair.detectors(), ", "), race.why, is_ordinary ? "" : "; ", meaning_of(of));
    finding.details = race.remedy.empty() ? "" : fmt::format("{} {}", claim_of_remedy(race), race.remedy);
    finding.subject = race.kernel;
    all.push_back(std::move(finding));
  }
  for (const ProgramFinding& one : report.findings) {
    if (one.site.places.empty()) continue;
    Finding finding;
    finding.rule = one.kind;
    std::ranges::replace(finding.rule, ' ', '-');
    finding.level = one.is_error ? Finding::Level::Error : Finding::Level::Warning;
    finding.places = {place_of(one.site, one.thread, source_line)};
    finding.message = fmt::format("{}: {}", one.kind, one.message);
    finding.details = one.where;
    finding.subject = one.kernel;
    all.push_back(std::move(finding));
  }
  return all;
}

}  // namespace ambit::report
