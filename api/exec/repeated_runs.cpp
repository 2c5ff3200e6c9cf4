#include "api/exec/repeated_runs.h"

#include <optional>
#include <utility>

#include "api/exec/remedy_trials.h"
#include "api/exec/run_count.h"

namespace ambit::api {

Result<ProgramOutcome> run_repeatedly(const ProgramRequest& request, const DoRun& do_run,
                                      const std::atomic<bool>& interrupted) {
  ProgramOutcome outcome;
  RunCount count(request);
  for (std::uint64_t i = 0; (i == 0 || count.wants_another(outcome)) && !interrupted.load(); ++i) {
    const SingleRun run = {.seed = request.watch.schedule.seed + i, .is_extra = i > 0 && count.is_chosen()};
    auto report = do_run(run, outcome);
    if (!report.ok()) return report.errors();
    report.value().set_seed(run.seed);
    if (i == 0) {
      outcome.report = std::move(report.value());
    } else {
      outcome.report.merge(report.value());
    }
  }
  if (!count.may_try_remedies(outcome)) return outcome;
  const auto strengthened = [&](std::uint64_t seed, shadow::Strengthening how) -> std::optional<ProgramReport> {
    ProgramOutcome ignored;
    auto report = do_run({seed, how, true}, ignored);
    return report.ok() && report.value().is_complete ? std::optional(std::move(report.value())) : std::nullopt;
  };
  try_remedies(outcome.report, strengthened, interrupted);
  return outcome;
}

}  // namespace ambit::api
