#include "core/program_report.h"

#include <fmt/format.h>

#include <algorithm>

namespace ambit {
namespace {

bool is_same_side(const ProgramAccess& a, const ProgramAccess& b) {
  return a.is_write == b.is_write && a.is_atomic == b.is_atomic && a.site.key() == b.site.key();
}

void add_texts(std::vector<std::string>& into, const std::vector<std::string>& from) {
  for (const std::string& text : from) {
    if (std::ranges::find(into, text) == into.end()) into.push_back(text);
  }
}

}  // namespace

std::string ProgramSite::text() const {
  if (!places.empty()) return fmt::format("{}:{}", places[user_place].file, places[user_place].line);
  if (ptx_line == 0) return function;
  return fmt::format("{}, line {} of the PTX", function, ptx_line);
}

std::string ProgramSite::key() const {
  if (places.empty()) return text();
  std::string key;
  for (const ProgramPlace& place : places) key += fmt::format("{}:{};", place.file, place.line);
  return key;
}

bool has_same_sites(const ProgramRace& a, const ProgramRace& b) {
  return (is_same_side(a.first, b.first) && is_same_side(a.second, b.second)) ||
         (is_same_side(a.first, b.second) && is_same_side(a.second, b.first));
}

bool is_same_program_race(const ProgramRace& a, const ProgramRace& b) {
  return a.detector == b.detector && a.kind == b.kind && has_same_sites(a, b);
}

std::string_view to_string(ProgramRaceClass race_class) {
  switch (race_class) {
    case ProgramRaceClass::Ordinary: return "ordinary";
    case ProgramRaceClass::SameValue: return "same value";
    case ProgramRaceClass::Invalidation: return "invalidation";
  }
  return "";
}

bool ProgramReport::has_ordinary_race() const {
  return std::ranges::any_of(races,
                             [](const ProgramRace& race) { return race.race_class == ProgramRaceClass::Ordinary; });
}

bool ProgramReport::has_cut_launch() const { return std::ranges::any_of(findings, &ProgramFinding::is_cut); }

void ProgramReport::shorten_paths(const std::string& folder) {
  const auto shorten = [prefix = folder + "/"](ProgramSite& site) {
    for (ProgramPlace& place : site.places) {
      if (place.file.starts_with(prefix)) place.file.erase(0, prefix.size());
    }
  };
  for (ProgramRace& race : races) {
    shorten(race.first.site);
    shorten(race.second.site);
  }
  for (ProgramFinding& finding : findings) {
    shorten(finding.site);
    // Each path in `where` begins after two spaces.
    const std::string before_path = "  " + folder + "/";
    for (std::size_t at = 0; (at = finding.where.find(before_path, at)) != std::string::npos; at += 2) {
      finding.where.erase(at + 2, before_path.size() - 2);
    }
  }
}

void ProgramRace::take_pair_of(const ProgramRace& wider) {
  ProgramRace made = wider;
  made.race_class = race_class;
  made.count = count;
  made.runs = runs;
  *this = std::move(made);
}

void ProgramReport::set_seed(std::uint64_t seed) {
  for (ProgramRace& race : races) race.seed = seed;
}

void ProgramReport::merge(const ProgramReport& run) {
  for (const ProgramRace& race : run.races) {
    const auto known = std::ranges::find_if(races, [&](const auto& one) { return is_same_program_race(one, race); });
    if (known == races.end()) {
      races.push_back(race);
    } else {
      known->count += race.count;
      known->runs += race.runs;
      if (race.level > known->level) known->take_pair_of(race);
      if (known->race_class != race.race_class) known->race_class = ProgramRaceClass::Ordinary;
    }
  }
  for (const ProgramFinding& finding : run.findings) {
    const auto known = std::ranges::find_if(findings, [&](const ProgramFinding& one) {
      return one.kind == finding.kind && one.kernel == finding.kernel && one.site.key() == finding.site.key();
    });
    if (known == findings.end()) {
      findings.push_back(finding);
    } else {
      known->count += finding.count;
    }
  }
  add_texts(remarks, run.remarks);
  add_texts(errors, run.errors);
  add_texts(crashes, run.crashes);
  launches += run.launches;
  warp_instructions += run.warp_instructions;
  kernel_seconds += run.kernel_seconds;
  runs += run.runs;
  has_begun = has_begun || run.has_begun;
  is_complete = is_complete && run.is_complete;
}

}  // namespace ambit
