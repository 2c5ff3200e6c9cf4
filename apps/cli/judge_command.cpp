#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "api/check/file_checker.h"
#include "api/judge/judge.h"
#include "api/judge/suite_judge.h"
#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/terminal.h"
#include "report/json/json.h"
#include "report/json/kernel_scores_json.h"
#include "report/text/kernel_scores_text.h"

namespace ambit::cli {
namespace {

struct JudgeCommand {
  api::JudgeRequest request;
  std::string suite;  ///< the folder of a suite; empty without --suite
  unsigned jobs = api::default_jobs();
  bool json = false;
  bool quiet = false;
};

int run_judge(const api::JudgeRequest& request) {
  const auto report = api::judge_files(request, catch_interrupts());
  if (!report.ok()) return bad_input(report.errors());
  const int status = api::exit_status(report.value());
  std::cout << report::judge_json(report.value(), status, AMBIT_VERSION) << std::flush;
  return ended(status);
}

int run_suite(const JudgeCommand& command, bool has_timeout) {
  api::SuiteRequest request{.folder = command.suite, .checking = command.request.checking, .jobs = command.jobs};
  if (has_timeout) request.timeout_seconds = command.request.checking.timeout_seconds;
  std::optional<Progress> progress;
  request.progress = [&](std::size_t done, std::size_t all, const std::string& current) {
    if (!progress) progress.emplace(Progress::mode_of(command.quiet), all);
    progress->show(done, current);
  };
  const auto scores = api::judge_suite(request, catch_interrupts());
  progress.reset();
  if (!scores.ok()) return bad_input(scores.errors());
  const int status = api::exit_status(scores.value());
  std::cout << (command.json ? report::kernel_scores_json(scores.value(), status, AMBIT_VERSION)
                             : fitted(report::kernel_scores_text(scores.value(), output_style())))
            << std::flush;
  return ended(status);
}

void declare_suite(Command command, const std::shared_ptr<JudgeCommand>& options) {
  const Option suite = command
                           .option("--suite", options->suite,
                                   "Score the kernels of a folder of tasks against the references of the tasks "
                                   "(docs/reference/judge-suite.md), and print a table")
                           .value_name("DIR")
                           .excludes(command.find_option("--launch"));
  command.flag("--json", options->json, "With --suite: print one JSON document instead of the table").needs(suite);
  command.option("-j,--jobs", options->jobs, "With --suite: number of kernels to judge at the same time")
      .value_name("N")
      .range(1, 1024)
      .show_default("one per core, at most 8")
      .needs(suite);
  command.flag("-q,--quiet", options->quiet, "With --suite: print no progress").needs(suite);
}

}  // namespace

Action declare_judge(Command command) {
  const auto options = std::make_shared<JudgeCommand>();
  command.argument("PATH", options->request.paths, "Tests (.litmus, .test), kernels (.cu, .ptx), folders, or -");
  add_checking_options(command, options->request.checking);
  command.find_option("--timeout")
      .describe(
          "Time limit in seconds for the whole command. With --suite, the default is "
          "no limit");
  declare_suite(command, options);
  return [command, options] {
    options->request.checking.deepen = !command.find_option("--unroll").is_given();
    const bool has_paths = !options->request.paths.empty();
    if (options->suite.empty() && has_paths) return run_judge(options->request);
    if (options->suite.empty()) throw UsageError("PATH or --suite is required");
    if (has_paths) throw UsageError("--suite", "takes one folder, and no further PATH");
    return run_suite(*options, command.find_option("--timeout").is_given());
  };
}

}  // namespace ambit::cli
