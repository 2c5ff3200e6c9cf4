#include <iostream>
#include <memory>

#include "api/judge/judge.h"
#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "report/json/json.h"

namespace ambit::cli {
namespace {

int run_judge(const api::JudgeRequest& request) {
  const auto report = api::judge_files(request, catch_interrupts());
  if (!report.ok()) return bad_input(report.errors());
  const int status = api::exit_status(report.value());
  std::cout << report::judge_json(report.value(), status, AMBIT_VERSION) << std::flush;
  return ended(status);
}

}  // namespace

Action declare_judge(Command command) {
  const auto request = std::make_shared<api::JudgeRequest>();
  command.argument("PATH", request->paths, "Tests (.litmus, .test), kernels (.cu, .ptx), folders, or -").required();
  add_checking_options(command, request->checking);
  command.find_option("--timeout").describe("Seconds for the whole command");
  return [command, request] {
    request->checking.deepen = !command.find_option("--unroll").is_given();
    return run_judge(*request);
  };
}

}  // namespace ambit::cli
