#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "api/check/explanation.h"
#include "api/edit/repair.h"
#include "apps/cli/commands.h"
#include "apps/cli/explained.h"
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

/// Returns a short text about the cheapest fix; empty if the search does not find it quickly. `ambit fix` prints the
/// whole fix.
std::string fix_text(const ExplainCommand& command, const api::ExplainQuestion& question) {
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
  const auto report = api::fix_test(request, interrupt_flag());
  if (!report.ok() || !report.value().is_cheapest) return "";
  std::string text = fmt::format("\nThe cheapest fix (ambit fix prints it as a patch): {}\n", report.value().goal);
  for (const std::string& change : report.value().proposals.front().changes) text += fmt::format("  {}\n", change);
  return text;
}

int run_explain(const ExplainCommand& command) {
  const auto question = api::read_question(command.request, interrupt_flag());
  if (!question.ok()) return bad_input(question.errors());
  print_remarks(*question.value().program);
  const auto explanation = explained(command.request, question.value(), {.all = command.full || command.json});
  if (!explanation.ok()) return bad_input(explanation.errors());
  const report::Style style = output_style();
  const bool is_possible = explanation.value().possibility() == events::Possibility::Possible;
  std::cout << (command.json ? explanation.value().json(AMBIT_VERSION)
                             : fitted(explanation.value().text(style, {.full = command.full})));
  if (is_possible && !command.json) std::cout << fitted(fix_text(command, question.value()));
  return ended(explanation.value().possibility() == events::Possibility::Unknown ? kUnknown : kOk);
}

}  // namespace

Action declare_explain(Command command) {
  const auto options = std::make_shared<ExplainCommand>();
  add_question_options(command, options->request);
  command.flag("--full", options->full, "Print every path, pair and step");
  command.flag("--json", options->json, "Print one JSON document (docs/reference/cli/explain.md)");
  return [options] { return run_explain(*options); };
}

}  // namespace ambit::cli
