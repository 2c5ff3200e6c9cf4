#include "cli/test_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <exception>
#include <filesystem>

#include "cli/files.h"
#include "parser/parse.h"

namespace ambit::cli {
namespace {

std::string internal_error_text(const std::exception& error) {
  return fmt::format(
      "internal error: {}\nThis is a bug in Ambit: please report it with the test, the command line and this "
      "message.\n",
      error.what());
}

std::string termination_name(const rules::Rules& rules, Scheduler scheduler) {
  return fmt::format("{} under {}", verdict::model_name(rules), to_string(scheduler));
}

/// A folder name made of a test's or model's name.
std::string as_file_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '+' && c != '-' && c != '_' && c != '.'; }, '_');
  return name;
}

}  // namespace

std::vector<report::TestResult> TestRunner::run(const std::string& file) {
  report::TestResult test;
  test.file = file == "-" ? "<stdin>" : file;
  try {
    if (cancelled_.load(std::memory_order_relaxed)) {
      test.was_run = false;
      return {test};
    }
    Result<SourceFilePtr> source = read_input(file);
    if (!source.ok()) {
      test.error = render(source.errors());
      return {test};
    }
    parser::ProgramOptions options;
    options.max_threads = options_.max_threads;
    options.uninitialized = options_.uninitialized;
    if (!options_.launch.empty()) options.launch = options_.launch;
    options.defines = options_.defines;
    const auto programs = parser::parse_programs(source.value(), options);
    if (!programs.ok()) {
      test.error = render(programs.errors());
      return {test};
    }
    std::vector<report::TestResult> tests(programs.value().size(), test);
    for (std::size_t i = 0; i < tests.size(); ++i) {
      tests[i].program = programs.value()[i];
      run_program(tests[i]);
    }
    return tests;
  } catch (const std::exception& error) {
    test.error = internal_error_text(error);
    test.is_internal_error = true;
  }
  return {test};
}

/// Outcomes and races are not asked about where a test is about termination alone.
Result<std::vector<parser::RulesPtr>> TestRunner::ordinary_models(const Program& program) const {
  const bool is_silent = program.expectations.empty() && !program.condition.proposition;
  if (options_.only_termination || (is_silent && !program.terminations.empty())) return std::vector<parser::RulesPtr>{};
  return models_.empty() ? store_.models_of(program) : models_;
}

Result<std::vector<parser::RulesPtr>> TestRunner::termination_models(const Program& program) const {
  if (outcomes_ == OutcomesQuestion::Only) return std::vector<parser::RulesPtr>{};
  Result<std::vector<parser::RulesPtr>> named = models_.empty() ? store_.termination_models_of(program) : models_;
  const bool names_none = named.ok() && named.value().empty();
  return names_none && options_.only_termination ? store_.default_models() : named;
}

/// Those asked for, else those that the test's expectations name for the model, else fair where the question is asked
/// at all.
std::vector<Scheduler> TestRunner::schedulers_of(const Program& program, const rules::Rules& rules) const {
  if (options_.only_termination && !options_.schedulers.empty()) return options_.schedulers;
  std::vector<Scheduler> schedulers;
  for (const TerminationExpectation& expectation : program.terminations) {
    const bool is_new = std::find(schedulers.begin(), schedulers.end(), expectation.scheduler) == schedulers.end();
    if (is_new && verdict::concerns(expectation, rules)) schedulers.push_back(expectation.scheduler);
  }
  if (schedulers.empty() && options_.only_termination) schedulers.push_back(Scheduler::Fair);
  return schedulers;
}

void TestRunner::run_program(report::TestResult& test) {
  test.was_run = !cancelled_.load(std::memory_order_relaxed);
  if (!test.was_run) return;
  const Result<std::vector<parser::RulesPtr>> named = ordinary_models(*test.program);
  const Result<std::vector<parser::RulesPtr>> waiting = termination_models(*test.program);
  if (!named.ok() || !waiting.ok()) {
    test.error = render(named.ok() ? waiting.errors() : named.errors());
    return;
  }
  for (const parser::RulesPtr& rules : named.value()) {
    if (const auto contradiction = verdict::find_contradiction(*test.program, *rules)) {
      test.error = contradiction->render();
      return;
    }
  }
  for (const parser::RulesPtr& rules : named.value()) {
    add_result(test, verdict::model_name(*rules), [&] { return run_model(test.program, rules); });
  }
  for (const parser::RulesPtr& rules : waiting.value()) {
    for (const Scheduler scheduler : schedulers_of(*test.program, *rules)) {
      add_result(test, termination_name(*rules, scheduler),
                 [&] { return run_termination(test.program, rules, scheduler); });
    }
  }
}

void TestRunner::add_result(report::TestResult& test, const std::string& model,
                            const std::function<report::ModelResult()>& run) {
  report::ModelResult result;
  try {
    result = run();
  } catch (const std::exception& error) {
    result.error = internal_error_text(error);
    test.is_internal_error = true;
  }
  result.model = model;
  if (!result.has_verdict()) {
    result.judgement = {verdict::Status::Error, {}};
    if (test.error.find(result.error) == std::string::npos) test.error += result.error;
  }
  test.results.push_back(std::move(result));
}

verdict::CheckOptions TestRunner::engine_options() const {
  verdict::CheckOptions options;
  options.engine = options_.engine;
  if (options.engine == verdict::Engine::Auto && !options_.dump_directory.empty())
    options.engine = verdict::Engine::Smt;
  options.unroll = options_.unroll;
  return options;
}

verdict::CheckOptions TestRunner::check_options(const Program& program, const rules::Rules& rules) const {
  verdict::CheckOptions options = engine_options();
  events::Questions& questions = options.questions;
  if (outcomes_ == OutcomesQuestion::Only) {
    questions = {false, false, false, true, false};
    return options;
  }
  questions.proposition = program.condition.proposition.has_value();
  questions.flags = !rules.flags.empty();
  questions.outcomes = outcomes_ == OutcomesQuestion::Log ||
                       (outcomes_ == OutcomesQuestion::WithoutCondition && !program.condition.proposition);
  options.count_where_enumerated = outcomes_ == OutcomesQuestion::Log;
  questions.count = std::any_of(
      program.expectations.begin(), program.expectations.end(),
      [&](const Expectation& expectation) { return expectation.executions && verdict::concerns(expectation, rules); });
  return options;
}

void TestRunner::prepare(Context& context, const Program& program, const std::string& model) const {
  constexpr double kLongest = 1e6;  // seconds: more would overflow the clock
  const double milliseconds = std::max(1.0, std::min(options_.timeout_seconds, kLongest) * 1000);
  context.set_timeout(std::chrono::milliseconds(static_cast<std::int64_t>(milliseconds)));
  context.set_memory_limit(options_.memory_bytes);
  context.set_cancellation(&cancelled_);
  if (options_.dump_directory.empty()) return;
  const std::filesystem::path folder =
      std::filesystem::path(options_.dump_directory) / as_file_name(program.name) / as_file_name(model);
  std::error_code error;
  std::filesystem::create_directories(folder, error);  // below --dump-smt, which was checked
  context.dump_directory = folder.string();
}

report::ModelResult TestRunner::run_model(const std::shared_ptr<const Program>& program,
                                          const parser::RulesPtr& rules) {
  report::ModelResult result;
  Context context;
  prepare(context, *program, verdict::model_name(*rules));
  const auto begin = std::chrono::steady_clock::now();
  Result<verdict::Verdict> checked = checker_.check(program, rules, check_options(*program, *rules), context);
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
  result.milliseconds = elapsed.count();
  result.statistics = std::move(context.statistics);
  if (!checked.ok()) {
    result.error = render(checked.errors());
    return result;
  }
  result.verdict = std::move(checked).value();
  if (outcomes_ != OutcomesQuestion::Only) {
    result.judgement = verdict::judge(*result.verdict);
  } else if (result.verdict->unknown) {
    result.judgement.status = verdict::Status::Unknown;
  }
  return result;
}

report::ModelResult TestRunner::run_termination(const std::shared_ptr<const Program>& program,
                                                const parser::RulesPtr& rules, Scheduler scheduler) {
  report::ModelResult result;
  Context context;
  prepare(context, *program, termination_name(*rules, scheduler));
  const auto begin = std::chrono::steady_clock::now();
  Result<verdict::TerminationVerdict> checked =
      verdict::check_termination(checker_, program, rules, scheduler, engine_options(), context);
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
  result.milliseconds = elapsed.count();
  result.statistics = std::move(context.statistics);
  if (!checked.ok()) {
    result.error = render(checked.errors());
    return result;
  }
  result.termination = std::move(checked).value();
  result.judgement = verdict::judge(*result.termination);
  return result;
}

}  // namespace ambit::cli
