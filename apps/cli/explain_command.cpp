#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/exit_code.h"
#include "apps/cli/progress.h"
#include "apps/cli/question.h"
#include "report/json/explain_json.h"
#include "report/text/explain_text.h"

namespace ambit::cli {
namespace {

struct ExplainCommand {
  Question question;
  bool full = false;
  bool json = false;
};

int status_of(events::Possibility possibility) { return possibility == events::Possibility::Unknown ? kUnknown : kOk; }

int explain_outcome(const ExplainCommand& command, const AskedQuestion& asked, const report::Style& style) {
  verdict::Checker checker;
  Context context;
  set_limits(command.question, context);
  const auto explanation =
      explain::explain_outcome(checker, asked.program, asked.rules, check_options(command.question), context);
  if (!explanation.ok()) {
    std::cerr << render(explanation.errors());
    return kBadInput;
  }
  std::cout << (command.json
                    ? report::outcome_explanation_json(explanation.value(), asked.text, AMBIT_VERSION)
                    : report::outcome_explanation_text(explanation.value(), asked.text, style, {command.full}));
  return status_of(explanation.value().possibility);
}

int explain_race(const ExplainCommand& command, const AskedQuestion& asked, const report::Style& style) {
  verdict::Checker checker;
  Context context;
  set_limits(command.question, context);
  const auto explanation = explain::explain_race(checker, asked.program, asked.rules, check_options(command.question),
                                                 {command.full || command.json}, context);
  if (!explanation.ok()) {
    std::cerr << render(explanation.errors());
    return kBadInput;
  }
  std::cout << (command.json ? report::race_explanation_json(explanation.value(), AMBIT_VERSION)
                             : report::race_explanation_text(explanation.value(), style, {command.full}));
  return status_of(explanation.value().possibility);
}

int run_explain(const ExplainCommand& command) {
  const Result<AskedQuestion> asked = read_question(command.question);
  if (!asked.ok()) {
    std::cerr << render(asked.errors());
    return kBadInput;
  }
  report::Style style;
  style.color = wants_color();
  return asked.value().about_race ? explain_race(command, asked.value(), style)
                                  : explain_outcome(command, asked.value(), style);
}

}  // namespace

Action declare_explain(CLI::App& command) {
  const auto options = std::make_shared<ExplainCommand>();
  add_question_options(command, options->question);
  command.add_flag("--full", options->full, "Every path, pair and step, however long");
  command.add_flag("--json", options->json, "Print one JSON document (docs/cli.md)");
  return [options] { return run_explain(*options); };
}

}  // namespace ambit::cli
