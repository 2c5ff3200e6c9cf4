#include <iostream>
#include <memory>

#include "api/explanation.h"
#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/remarks.h"
#include "apps/cli/terminal.h"

namespace ambit::cli {
namespace {

struct ExplainCommand {
  api::ExplainRequest request;
  bool full = false;
  bool json = false;
};

int run_explain(const ExplainCommand& command) {
  const auto question = api::read_question(command.request, interrupt_flag());
  if (!question.ok()) return bad_input(question.errors());
  print_remarks(*question.value().program);
  verdict::Checker checker;
  Context context;
  api::set_limits(context, command.request.checking, catch_interrupts());
  const auto explanation =
      api::explain_question(question.value(), checker, api::engine_options(command.request.checking),
                            {.all = command.full || command.json}, context);
  if (!explanation.ok()) return bad_input(explanation.errors());
  const report::Style style = output_style();
  std::cout << (command.json ? explanation.value().json(AMBIT_VERSION)
                             : fitted(explanation.value().text(style, {.full = command.full})));
  return explanation.value().possibility() == events::Possibility::Unknown ? kUnknown : kOk;
}

}  // namespace

Action declare_explain(Command command) {
  const auto options = std::make_shared<ExplainCommand>();
  add_question_options(command, options->request);
  command.flag("--full", options->full, "Print every path, pair and step");
  command.flag("--json", options->json, "Print one JSON document (docs/cli.md)");
  return [options] { return run_explain(*options); };
}

}  // namespace ambit::cli
