#include "api/judge/virtual_runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/exec/program_run.h"
#include "api/exec/ptx_launch.h"
#include "base/deadline_flag.h"
#include "base/plural.h"

namespace ambit::api {
namespace {

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
  const auto is_fault = [&](const ProgramFinding& finding) {
    return add_finding(finding, launch, lines, result.fault);
  };
  result.has_fault = add_race(found, launch, lines, result.fault) || std::ranges::any_of(found.findings, is_fault);
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
