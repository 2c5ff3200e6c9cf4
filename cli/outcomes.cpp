#include "cli/outcomes.h"

#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/test_runner.h"
#include "report/json.h"
#include "report/outcomes.h"

namespace ambit::cli {
namespace {

struct OutcomesCommand {
  CheckingOptions checking;
  std::string file;
  bool json = false;
};

bool is_unknown(const report::ModelResult& result) { return result.verdict && result.verdict->unknown.has_value(); }

int run_outcomes(const OutcomesCommand& command) {
  ModelStore store;
  const Result<std::vector<RulesPtr>> models = store.load_all(command.checking.models);
  if (!models.ok()) {
    std::cerr << render(models.errors());
    return kBadInput;
  }
  const std::atomic<bool>& interrupted = catch_interrupts();
  TestRunner runner(command.checking, OutcomesQuestion::Only, models.value(), store, interrupted);
  const report::TestResult test = runner.run(command.file);
  std::cerr << test.error;
  if (command.json) {
    std::cout << report::json_document(AMBIT_VERSION, {report::test_json(test, {})});
  } else if (test.program && !test.results.empty()) {
    report::Style style;
    style.color = wants_color();
    std::cout << report::outcomes_table(test, style);
  }
  if (test.is_internal_error) return kInternalError;
  if (!test.error.empty()) return kBadInput;
  return std::any_of(test.results.begin(), test.results.end(), is_unknown) || !test.was_run ? kUnknown : kOk;
}

}  // namespace

void add_outcomes(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("outcomes", "List every outcome that a model allows");
  const auto options = std::make_shared<OutcomesCommand>();
  command->add_option("FILE", options->file, "A test (.litmus), or - for the standard input")
      ->required()
      ->option_text("FILE");
  add_checking_options(*command, options->checking);
  command->add_flag("--json", options->json, "Print one JSON document (docs/cli.md)");
  command->callback([options, &exit_code] { exit_code = run_outcomes(*options); });
}

}  // namespace ambit::cli
