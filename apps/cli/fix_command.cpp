#include <iostream>
#include <memory>

#include "api/edit/repair.h"
#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/terminal.h"
#include "report/json/json.h"
#include "report/text/repair_text.h"

namespace ambit::cli {
namespace {

using repair::RepairReport;

struct FixCommand {
  api::RepairRequest request;
  bool json = false;
};

int print(const Result<RepairReport>& report, bool json) {
  if (!report.ok()) return bad_input(report.errors());
  std::cout << (json ? report::repair_json(report.value(), AMBIT_VERSION)
                     : report::repair_text(report.value(), output_style()));
  switch (report.value().state) {
    case RepairReport::State::NothingToDo:
    case RepairReport::State::Found: return kOk;
    case RepairReport::State::None: return kFailed;
    case RepairReport::State::Unknown: break;
  }
  return kUnknown;
}

void add_common_options(Command command, FixCommand& options) {
  api::ExplainRequest& question = options.request.question;
  command.argument("FILE", question.file, "A test (.litmus, .test, .cu), or - for the standard input").required();
  command.option("--test", question.test, "The name of the test, if the file holds several").value_name("NAME");
  command.option("--costs", options.request.costs, "The cost of each kind of change (docs/reference/repair.md)")
      .value_name("FILE");
  add_property_options(command, question.checking);
  add_checking_options(command, question.checking, true);
  command.flag("--json", options.json, "Print one JSON document (docs/reference/repair.md)");
}

}  // namespace

Action declare_fix(Command command) {
  const auto options = std::make_shared<FixCommand>();
  api::ExplainRequest& question = options->request.question;
  add_common_options(command, *options);
  const Option outcome = command
                             .option(
                                 "--outcome", [&question](const std::string& text) { question.outcome = text; },
                                 "The outcome to forbid: 'P1:r0 == 1 && x == 2'. Default: races if there are "
                                 "any, otherwise the outcome of the test's own condition")
                             .value_name("OUTCOME");
  command.flag("--race", question.race, "Remove races only").excludes(outcome);
  command.option("-n,--fixes", options->request.proposals, "How many fixes to find, starting with the cheapest")
      .value_name("N")
      .positive()
      .show_default();
  return [options] {
    catch_interrupts();
    return print(api::fix_test(options->request, interrupt_flag()), options->json);
  };
}

Action declare_relax(Command command) {
  const auto options = std::make_shared<FixCommand>();
  add_common_options(command, *options);
  return [options] {
    catch_interrupts();
    return print(api::relax_test(options->request, interrupt_flag()), options->json);
  };
}

}  // namespace ambit::cli
