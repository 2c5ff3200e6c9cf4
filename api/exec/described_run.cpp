#include "api/exec/described_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

namespace ambit::api {
namespace {

using virtual_gpu::ScheduleKind;

std::string runs_text(const ProgramRequest& request, std::uint64_t runs) {
  const ScheduleKind kind = request.watch.schedule.kind;
  const std::string name = kind == ScheduleKind::RoundRobin ? "round robin"
                           : kind == ScheduleKind::Pct      ? "pct"
                                                            : "random";
  const std::uint64_t first = request.watch.schedule.seed;
  if (runs <= 1) return fmt::format("{} schedule, seed {}", name, first);
  return fmt::format("{} schedules, seeds {} to {}", name, first, first + runs - 1);
}

/// Names the kinds of executions that were not tried.
std::string not_tried(const ProgramRequest& request, const ProgramOutcome& outcome) {
  std::vector<std::string> all;
  if (request.watch.schedule.kind == ScheduleKind::RoundRobin) {
    all.emplace_back("random schedules (--schedule random, pct)");
  } else {
    const std::string why = outcome.why_no_more_runs.empty() ? "" : ": " + outcome.why_no_more_runs;
    all.push_back(fmt::format("more runs with other seeds (--runs, --seed{})", why));
    all.push_back(request.watch.schedule.kind == ScheduleKind::Pct ? "random schedules (--schedule random)"
                                                                   : "schedules by priorities (--schedule pct)");
  }
  if (request.watch.memory == virtual_gpu::MemoryMode::SequentiallyConsistent) {
    all.emplace_back("stale loads (--memory gpu)");
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace

report::ProgramRun described_run(const ProgramRequest& request, const ProgramOutcome& outcome) {
  report::ProgramRun run;
  run.program = request.command.front();
  for (const auto& one : request.watch.detectors) run.detectors.push_back(one.name);
  run.runs_are = runs_text(request, outcome.report.runs);
  run.not_tried = not_tried(request, outcome);
  run.suppressed = outcome.suppressed;
  run.status = outcome.status;
  run.signal = outcome.signal;
  run.has_timed_out = outcome.has_timed_out;
  return run;
}

}  // namespace ambit::api
