#include "api/exec/run_count.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace ambit::api {
namespace {

/// The cost of runs is measured in warp instructions. The default detectors process kInstructionsOfSecond instructions
/// in about a second. The start of a program costs as much as kInstructionsOfStart instructions.
constexpr std::uint64_t kInstructionsOfSecond = 5'000'000;
constexpr std::uint64_t kInstructionsOfStart = 250'000;
/// In seconds of processor time. If the first run takes this long, the program does not run again, even if its kernels
/// execute few instructions.
constexpr long kLongRun = 5;

/// Returns the processor time, in seconds, of the child processes that have ended.
long seconds_of_children() {
  rusage usage = {};
  getrusage(RUSAGE_CHILDREN, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec;
}

/// Returns whether the standard input is a pipe or a file. Only one run can read the data of a pipe or a file.
bool has_input() {
  struct stat status = {};
  return fstat(STDIN_FILENO, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISREG(status.st_mode));
}

}  // namespace

RunCount::RunCount(const ProgramRequest& request)
    : request_(request), fixed_(request.runs.has_value()), begin_seconds_(seconds_of_children()) {}

const char* RunCount::why_stop(const ProgramOutcome& outcome) const {
  if (request_.watch.detectors.empty()) return "no detector is selected";
  if (request_.watch.schedule.kind == virtual_gpu::ScheduleKind::RoundRobin) return "all runs are the same";
  if (!request_.watch.record_file.empty()) return "the first run is recorded";
  if (outcome.report.launches == 0) return "no kernel was launched";
  if (outcome.signal != 0 || outcome.has_timed_out || outcome.report.has_cut_launch())
    return "the last run did not end";
  if (outcome.report.runs == 1 && seconds_of_children() - begin_seconds_ >= kLongRun)
    return "the program takes too long";
  if (request_.reads_input && has_input()) return "the program's input can be read once only";
  const std::uint64_t cost = outcome.report.warp_instructions + outcome.report.runs * kInstructionsOfStart;
  return cost >= kInstructionsOfSecond ? "the runs have cost about a second" : nullptr;
}

bool RunCount::may_try_remedies(const ProgramOutcome& outcome) const {
  if (!request_.watch.record_file.empty() || outcome.report.runs == 0) return false;
  if (outcome.signal != 0 || outcome.has_timed_out || outcome.report.has_cut_launch()) return false;
  if (request_.reads_input && has_input()) return false;
  const auto runs = static_cast<long>(outcome.report.runs);
  return outcome.report.warp_instructions / outcome.report.runs <= kInstructionsOfSecond &&
         seconds_of_children() - begin_seconds_ < kLongRun * runs;
}

bool RunCount::wants_another(ProgramOutcome& outcome) {
  if (fixed_) return outcome.report.runs < *request_.runs;
  const char* why = why_stop(outcome);
  if (why != nullptr) outcome.why_no_more_runs = why;
  return why == nullptr;
}

}  // namespace ambit::api
