#include <algorithm>
#include <iostream>
#include <memory>

#include "api/check/file_checker.h"
#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/remarks.h"
#include "apps/cli/terminal.h"
#include "report/json/json.h"
#include "report/logs/herd.h"
#include "report/text/result_texts.h"

namespace ambit::cli {
namespace {

struct OutcomesCommand {
  api::CheckingOptions checking;
  std::string file;
  OutputFormat format = OutputFormat::Text;
};

bool is_unknown(const report::ModelResult& result) { return result.verdict && result.verdict->unknown.has_value(); }

int exit_status_of(const std::vector<report::TestResult>& tests) {
  using Test = const report::TestResult&;
  const auto any = [&](auto holds) { return std::any_of(tests.begin(), tests.end(), holds); };
  if (any([](Test test) { return test.is_internal_error; })) return kInternalError;
  if (any([](Test test) { return !test.error.empty(); })) return kBadInput;
  const bool unknown =
      any([](Test test) { return !test.was_run || std::any_of(test.results.begin(), test.results.end(), is_unknown); });
  return unknown ? kUnknown : kOk;
}

int run_outcomes(const OutcomesCommand& command) {
  parser::ModelStore store;
  const Result<std::vector<parser::RulesPtr>> models = store.load_all(command.checking.models);
  if (!models.ok()) return bad_input(models.errors());
  const bool is_log = command.format == OutputFormat::Herd;
  const auto question = is_log ? api::OutcomesQuestion::Log : api::OutcomesQuestion::Only;
  const api::ExpectationAdder adder(models.value());
  api::FileChecker checker({command.checking, question, adder, store, catch_interrupts()});
  Activity activity;
  const std::vector<report::TestResult> tests = checker.check(command.file, activity);
  report::LogNames names;
  std::vector<std::string> json;
  for (const report::TestResult& test : tests) {
    std::cerr << test.error;
    if (test.program) print_remarks(*test.program);
    if (is_log) {
      const std::string name = names.name_of(test);
      for (const report::ModelResult& result : test.results) std::cout << report::herd_log(test, result, name, 0);
    } else if (command.format == OutputFormat::Json) {
      json.push_back(report::test_json(test, {}));
    } else if (test.program && !test.results.empty()) {
      const report::Style style = output_style();
      if (&test != &tests.front()) std::cout << "\n";
      std::cout << fitted(report::outcomes_table(test, style));
    }
  }
  if (command.format == OutputFormat::Json) std::cout << report::json_document(AMBIT_VERSION, json);
  return ended(exit_status_of(tests));
}

}  // namespace

Action declare_outcomes(Command command) {
  const auto options = std::make_shared<OutcomesCommand>();
  command.argument("FILE", options->file, "A test (.litmus, .test, .cu), or - for the standard input").required();
  add_checking_options(command, options->checking);
  add_stm_options(command, options->checking);
  add_dump_option(command, options->checking);
  add_format_options(command, options->format);
  return [options, command] {
    choose_deepening(command, options->checking);
    require_sense(options->format, options->checking);
    return run_outcomes(*options);
  };
}

}  // namespace ambit::cli
