#include "api/judge/run_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace ambit::api {
namespace {

using report::Judged;
using report::JudgedPlace;
using report::JudgedVerdict;

/// The verdict for a finding of the virtual GPU (virtual_gpu::FindingKind); nothing if the finding is only a warning.
std::optional<JudgedVerdict> verdict_of(const ProgramFinding& finding) {
  if (finding.is_cut) return std::nullopt;
  if (finding.kind == "barrier divergence") return JudgedVerdict::Divergence;
  if (!finding.is_error) return std::nullopt;
  for (const std::string_view kind : {"out of bounds", "use after free", "read-only memory", "no device address"}) {
    if (finding.kind == kind) return JudgedVerdict::OutOfBounds;
  }
  if (finding.kind == "assertion") return JudgedVerdict::AssertionFailed;
  return finding.kind == "deadlock" ? JudgedVerdict::Deadlock : JudgedVerdict::Undefined;
}

JudgedPlace place_of(const ProgramSite& site, const std::string& thread, const VirtualLaunch& launch,
                     SourceLines& lines) {
  JudgedPlace place;
  place.thread = thread;
  place.operation = site.instruction;
  if (site.places.empty()) {
    place.file = launch.ptx->path;
    place.line = site.ptx_line;
    place.text = trimmed_line(*launch.ptx, site.ptx_line);
    return place;
  }
  const ProgramPlace& user = site.places[site.user_place];
  place.file = user.file;
  place.line = user.line;
  place.column = user.column;
  place.text = lines.line(site.text());
  return place;
}

std::string file_and_line(const JudgedPlace& place) { return fmt::format("{}:{}", place.file, place.line); }

}  // namespace

bool add_race(const ProgramReport& found, const VirtualLaunch& launch, SourceLines& lines, Judged& judged) {
  const auto is_ordinary = [](const ProgramRace& race) { return race.race_class == ProgramRaceClass::Ordinary; };
  const auto race = std::ranges::find_if(found.races, is_ordinary);
  if (race == found.races.end()) return false;
  judged.verdict = JudgedVerdict::Race;
  judged.races = static_cast<std::size_t>(std::ranges::count_if(found.races, is_ordinary));
  judged.location = race->memory;
  judged.places = {place_of(race->first.site, race->first.thread, launch, lines),
                   place_of(race->second.site, race->second.thread, launch, lines)};
  judged.reason = fmt::format("{} reports a race on {} between {} ({}) and {} ({}): {}", race->detector, race->memory,
                              judged.places[0].thread, file_and_line(judged.places[0]), judged.places[1].thread,
                              file_and_line(judged.places[1]), race->why.empty() ? to_string(race->kind) : race->why);
  if (!race->remedy.empty()) {
    judged.assumptions.push_back(fmt::format("{}: {}",
                                             race->needs_trial ? "this change may order the accesses; it was not tried"
                                                               : "this change orders the accesses in the same run",
                                             race->remedy));
  }
  judged.replay = report::JudgedReplay{{"ambit", "exec", "--launch", launch.launch, "--seed",
                                        fmt::format("{}", race->seed), "--runs", "1", launch.file}};
  return true;
}

bool add_finding(const ProgramFinding& finding, const VirtualLaunch& launch, SourceLines& lines, Judged& judged) {
  const auto verdict = verdict_of(finding);
  if (!verdict) return false;
  judged.verdict = *verdict;
  judged.places = {place_of(finding.site, finding.thread, launch, lines)};
  judged.reason = fmt::format("{}: {} ({})", finding.kind, finding.message.empty() ? finding.where : finding.message,
                              file_and_line(judged.places.front()));
  judged.replay = report::JudgedReplay{{"ambit", "exec", "--launch", launch.launch, launch.file}};
  return true;
}

}  // namespace ambit::api
