#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "api/study/exhaustion.h"
#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/terminal.h"

namespace ambit::cli {
namespace {

struct ExhaustCommand {
  api::ExhaustionRequest request;
  std::vector<std::string> logs;
  bool merge = false;
  bool yes = false;
  bool quiet = false;
};

// Seconds that all detectors and models need for one program (measured in docs/lab/performance.md).
constexpr double kSecondsEach = 2e-3;

int merge(const ExhaustCommand& command) {
  const auto census = api::merge_exhaustions(command.logs);
  if (!census.ok()) return bad_input(census.errors());
  std::cout << api::census_text(census.value());
  return kOk;
}

int run_exhaust(ExhaustCommand& command) {
  if (command.merge) return merge(command);
  command.request.subjects = command.logs;
  if (!command.yes && command.request.seconds == 0) {
    const auto seconds = api::estimated_seconds(command.request.bounds, command.request.alphabet, kSecondsEach);
    if (!seconds.ok()) return bad_input(seconds.errors());
    const auto why = api::takes_over_a_day(seconds.value() / static_cast<double>(command.request.shard.count));
    if (why) {
      std::cerr << "error: this would take " << *why
                << "; add --yes to start it, or use smaller bounds, --shard or --time\n";
      return kBadInput;
    }
  }
  const bool shows = !command.quiet && is_terminal(2);
  const auto census = api::exhaust(command.request, interrupt_flag(), [&](const study::Census& now) {
    if (shows) std::cerr << fmt::format("\r{} programs, {} schedules", now.programs, now.runs) << std::flush;
  });
  if (shows) std::cerr << "\n";
  if (!census.ok()) return bad_input(census.errors());
  std::cout << api::census_text(census.value());
  if (census.value().is_complete) return kOk;
  std::cout << fmt::format("\nNot complete: stopped after program {} of the enumeration\n", census.value().position);
  return kUnknown;
}

}  // namespace

Action declare_exhaust(Command command) {
  const auto options = std::make_shared<ExhaustCommand>();
  api::ExhaustionRequest& request = options->request;
  command.argument("SUBJECTS|LOGS", options->logs,
                   "Models and detectors (detector:gwcp); default: all. With --merge: the logs of all shards");
  add_bounds_options(command, request.bounds, request.alphabet);
  command.flag("--all", request.bounds.all, "Also try programs with redundant parts (docs/reference/generate.md)");
  add_shard_option(command, request.shard);
  command.option("--log", request.log, "Keep the counts in this file, and continue from its counts").value_name("FILE");
  command.option("--time", request.seconds, "Stop after this time; 0: no limit").value_name("SECONDS").show_default();
  command.flag("--merge", options->merge, "Add up the counts in the logs of all shards");
  command.flag("--yes", options->yes, "Start even if the command will take more than a day");
  command.flag("-q,--quiet", options->quiet, "No progress");
  return [options] {
    catch_interrupts();
    return run_exhaust(*options);
  };
}

}  // namespace ambit::cli
