#include <ambit/judge.h>

#include "api/edit/repair.h"
#include "api/exec/described_run.h"
#include "api/exec/program_run.h"
#include "api/exec/ptx_launch.h"
#include "api/judge/judge.h"
#include "api/source_lines.h"
#include "library/internals.h"
#include "report/json/json.h"

namespace AMBIT_NAMESPACE {
namespace {

virtual_gpu::ScheduleKind schedule_of(const ExecOptions& options) {
  switch (options.schedule) {
    case Schedule::Random: return virtual_gpu::ScheduleKind::Random;
    case Schedule::RoundRobin: return virtual_gpu::ScheduleKind::RoundRobin;
    case Schedule::Pct: return virtual_gpu::ScheduleKind::Pct;
    case Schedule::Exhaustive: break;
  }
  raise({error_without_place("a program cannot run with every schedule", "use the schedule random, rr or pct")});
}

api::ProgramRequest request_of(const std::string& file, const ExecOptions& options) {
  api::ProgramRequest request;
  request.command = {file};
  request.command.insert(request.command.end(), options.arguments.begin(), options.arguments.end());
  request.watch.detectors = taken(api::program_detectors(options.detectors, {}));
  request.watch.schedule.kind = schedule_of(options);
  request.watch.schedule.seed = options.seed;
  if (options.runs != 0) request.runs = options.runs;
  request.timeout_seconds = options.seconds;
  request.moves_output = true;
  request.reads_input = false;
  return request;
}

}  // namespace

std::string judge(const std::vector<std::string>& paths, const JudgeOptions& options) {
  return guarded([&] {
    const StopFlag stop(options.limits.stop);
    api::JudgeRequest request{paths};
    request.checking = checking_options({.limits = options.limits});
    request.checking.models = options.models;
    request.checking.launch = options.launch;
    request.checking.defines = options.defines;
    request.checking.deepen = true;
    const auto report = taken(api::judge_files(request, stop.flag()));
    return report::judge_json(report, api::exit_status(report), AMBIT_VERSION);
  });
}

std::string fix(const Test& test, const Model& model, const FixOptions& options) {
  return guarded([&] {
    const StopFlag stop(options.solving.limits.stop);
    api::RepairRequest request;
    request.question.checking = checking_options(options.solving);
    request.question.checking.launch = options.launch;
    request.question.checking.defines = options.defines;
    request.question.outcome = options.outcome;
    request.question.race = options.race;
    request.proposals = options.proposals;
    const auto report =
        taken(api::fix_program(Internals::program(test), Internals::rules(model), std::move(request), stop.flag()));
    return report::repair_json(report, AMBIT_VERSION);
  });
}

std::string exec(const std::string& file, const ExecOptions& options) {
  return guarded([&] {
    const StopFlag stop(options.stop);
    const api::ProgramRequest request = request_of(file, options);
    if (options.launch.empty() && file.ends_with(".ptx")) {
      raise({error_without_place("a PTX file needs a launch", "such as kernel<<<2, 64>>>(int data[64] = 1, 5)")});
    }
    const auto outcome = taken(options.launch.empty() ? api::run_program(request, stop.flag())
                                                      : api::run_ptx(request, options.launch, stop.flag()));
    api::SourceLines lines;
    const auto line = [&](std::string_view site) { return lines.line(site); };
    return report::program_json(outcome.report, api::described_run(request, outcome), line, AMBIT_VERSION);
  });
}

}  // namespace AMBIT_NAMESPACE
