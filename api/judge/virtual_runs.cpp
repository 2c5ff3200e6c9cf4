#include "api/judge/virtual_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "api/exec/program_run.h"
#include "api/exec/ptx_launch.h"
#include "api/source_lines.h"
#include "base/deadline_flag.h"
#include "base/plural.h"
#include "base/trimmed.h"

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

/// Fills the judgement with the first race that is not harmless. Returns whether there is such a race.
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

bool add_finding(const ProgramReport& found, const VirtualLaunch& launch, SourceLines& lines, Judged& judged) {
  for (const ProgramFinding& finding : found.findings) {
    const auto verdict = verdict_of(finding);
    if (!verdict) continue;
    judged.verdict = *verdict;
    judged.places = {place_of(finding.site, finding.thread, launch, lines)};
    judged.reason = fmt::format("{}: {} ({})", finding.kind, finding.message.empty() ? finding.where : finding.message,
                                file_and_line(judged.places.front()));
    judged.replay = report::JudgedReplay{{"ambit", "exec", "--launch", launch.launch, launch.file}};
    return true;
  }
  return false;
}

ProgramRequest request_of(std::chrono::milliseconds time) {
  ProgramRequest request;
  request.watch.detectors = program_detectors("barracuda,gwcp", {}).value();
  request.watch.schedule.kind = virtual_gpu::ScheduleKind::Random;
  request.timeout_seconds = std::chrono::duration<double>(time).count();
  request.reads_input = false;
  request.moves_output = true;
  return request;
}

/// Describes runs without a fault, and why there were no more runs.
std::string description_of(const ProgramOutcome& outcome, std::uint64_t runs) {
  const ProgramReport& found = outcome.report;
  if (!found.crashes.empty()) return "internal error: " + found.crashes.front();
  if (!found.errors.empty()) return found.errors.front();
  if (runs == 0) return "the launch did not end in time on the virtual GPU";
  return fmt::format("{} on the virtual GPU found no race and no other fault", plural(runs, "run"));
}

}  // namespace

VirtualRuns run_virtually(const VirtualLaunch& launch, std::chrono::milliseconds time,
                          const std::atomic<bool>& interrupted) {
  VirtualRuns result;
  const DeadlineFlag stop(interrupted, time);
  const auto outcome = run_module(request_of(time), launch.ptx, launch.launch, stop.flag());
  if (!outcome.ok()) {
    result.description = fmt::format("the launch cannot run on the virtual GPU: {}", outcome.errors().front().message);
    return result;
  }
  const ProgramReport& found = outcome.value().report;
  const bool is_cut = outcome.value().has_timed_out || found.has_cut_launch() || stop.reason().has_value();
  result.runs = found.runs - (is_cut && found.runs > 0 ? 1 : 0);
  SourceLines lines;
  lines.add(launch.source);
  result.has_fault = add_race(found, launch, lines, result.fault) || add_finding(found, launch, lines, result.fault);
  if (result.has_fault) {
    result.fault.tool = report::JudgingTool::Exec;
    result.fault.coverage = report::Coverage{report::Coverage::Kind::Sampled, std::max<std::uint64_t>(found.runs, 1)};
    result.fault.assumptions.emplace_back(
        "memory is sequentially consistent in these runs, and the detectors decide which accesses race");
  }
  result.description = description_of(outcome.value(), result.runs);
  return result;
}

}  // namespace ambit::api
