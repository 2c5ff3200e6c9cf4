#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string_view>

#include "api/check/explanation.h"
#include "api/edit/repair.h"
#include "apps/cli/commands.h"
#include "apps/cli/explained.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/next_steps.h"
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

/// Returns a short text about the cheapest fix, with the command that prints the whole fix; empty if the search does
/// not find a fix quickly.
std::string fix_text(Command explain, const ExplainCommand& command, const api::ExplainQuestion& question) {
  constexpr double kSeconds = 2;
  api::RepairRequest request{command.request};
  const bool is_negated = !question.about_race && question.program->condition.quantifier == Quantifier::Forall;
  if (request.question.file == "-" || is_negated) return "";
  request.question.race = question.about_race;
  if (request.question.checking.models.empty()) {
    request.question.checking.models = {verdict::model_name(*question.rules)};
  }
  request.question.checking.timeout_seconds = std::min(request.question.checking.timeout_seconds, kSeconds);
  if (!question.about_race && !request.question.outcome) request.question.outcome = question.text;
  if (!question.launch.empty()) request.question.checking.launch = question.launch;
  const auto report = api::fix_test(request, interrupt_flag());
  if (!report.ok() || !report.value().is_cheapest) return "";
  const auto& fix = report.value().proposals.front();
  const std::string_view kept = fix.keeps_outcomes ? ", and no outcome that the test lacks under sc" : "";
  std::string text = fmt::format("\nThe cheapest fix: {}{}\n", report.value().goal, kept);
  for (const std::string& change : fix.changes) text += fmt::format("  {}\n", change);
  return text + fmt::format("repair: {}\n", fix_step(explain, request.question.file, question));
}

int run_explain(Command explain, const ExplainCommand& command) {
  auto question = api::read_question(command.request, interrupt_flag());
  if (!question.ok()) return bad_input(question.errors());
  const auto explanation = explained(command.request, question.value(), {.all = command.full || command.json});
  if (!explanation.ok()) return bad_input(explanation.errors());
  print_remarks(*question.value().program);
  const report::Style style = output_style();
  const bool is_possible = explanation.value().possibility() == events::Possibility::Possible;
  std::cout << (command.json ? explanation.value().json(AMBIT_VERSION)
                             : fitted(explanation.value().text(style, {.full = command.full})));
  if (is_possible && !command.json) std::cout << fitted(fix_text(explain, command, question.value()));
  return ended(explanation.value().possibility() == events::Possibility::Unknown ? kUnknown : kOk);
}

}  // namespace

Action declare_explain(Command command) {
  const auto options = std::make_shared<ExplainCommand>();
  add_question_options(command, options->request);
  command.flag("--full", options->full, "Print every path, pair and step");
  command.flag("--json", options->json, "Print one JSON document (docs/reference/cli/explain.md)");
  return [command, options] { return run_explain(command, *options); };
}

}  // namespace ambit::cli
