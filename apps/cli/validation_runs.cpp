#include "apps/cli/validation_runs.h"

#include <string>

namespace ambit::cli {

void ValidationRuns::choose() {
  if (sampled == 0) return;
  options.runs = sampled;
  if (options.schedule == sim::ScheduleKind::Exhaustive) options.schedule = sim::ScheduleKind::Pct;
}

void declare_validation_runs(Command command, ValidationRuns& runs) {
  const Option sampled =
      command.option("--runs", runs.sampled, "Number of runs of each test, instead of every schedule").positive();
  command
      .choice(
          "--schedule", {"pct", "random", "rr"},
          [&runs](const std::string& name) { runs.options.schedule = *sim::schedule_from_string(name); },
          "The kind of schedule for the runs")
      .show_default("pct")
      .needs(sampled);
  command.option("--seed", runs.options.seed, "Seed of random choices").show_default().needs(sampled);
  command
      .choice(
          "--memory", {"sc", "gpu"},
          [&runs](const std::string& name) { runs.options.memory = *sim::memory_from_string(name); },
          "sc: one memory; gpu: store buffers and caches")
      .show_default("sc");
  command
      .option("--timeout", runs.timeout,
              "Seconds for the runs of one test, for the verdict of each model on it, and for a detector program's "
              "answer about one run")
      .value_name("SECONDS")
      .range(1, 1000000)
      .show_default();
  command.option("-j,--jobs", runs.jobs, "Number of tests that run at the same time; the output does not depend on it")
      .range(1, 1024)
      .show_default();
}

}  // namespace ambit::cli
