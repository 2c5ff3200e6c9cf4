#include "apps/cli/test_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <exception>
#include <filesystem>

#include "api/files.h"
#include "apps/cli/interrupt.h"
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

/// Of a test about termination alone under a model that none of its expectations names.
report::ModelResult nothing_asked(const rules::Rules& rules) {
  report::ModelResult result;
  result.model = verdict::model_name(rules);
  result.judgement.reasons = {"the test asks nothing of this model; try --property termination"};
  return result;
}

/// The counter of queries that --dump-smt could not write.
constexpr const char* kNotWritten = "smt.queries_not_written";

/// A folder name made of a test's or model's name.
std::string as_file_name(std::string name) {
  const bool only_dots = name.find_first_not_of('.') == std::string::npos;  // "..": another folder
  if (only_dots) std::replace(name.begin(), name.end(), '.', '_');
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '+' && c != '-' && c != '_' && c != '.'; }, '_');
  return name;
}

/// A file's path as one of folders below another.
std::filesystem::path below(const std::string& file) {
  std::filesystem::path result;
  for (const std::filesystem::path& part : std::filesystem::path(file).lexically_normal().relative_path()) {
    result /= as_file_name(part.string());
  }
  return result;
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
    Result<SourceFilePtr> source = api::read_input(file, interrupt_flag());
    if (!source.ok()) {
      test.was_run = !cancelled_.load(std::memory_order_relaxed);
      if (test.was_run) test.error = render(source.errors());
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

/// Races and the like are not asked about where a test is about termination alone; its outcomes are, where they are
/// what is wanted.
Result<std::vector<parser::RulesPtr>> TestRunner::ordinary_models(const Program& program) const {
  const bool wants_outcomes = outcomes_ == OutcomesQuestion::Only || outcomes_ == OutcomesQuestion::Log;
  const bool is_silent = program.expectations.empty() && !program.condition.proposition && !wants_outcomes;
  if (options_.only_termination || (is_silent && !program.terminations.empty())) return std::vector<parser::RulesPtr>{};
  if (!models_.empty()) return models_;
  Result<std::vector<parser::RulesPtr>> named = store_.models_of(program);
  return named.ok() && named.value().empty() && wants_outcomes ? store_.termination_models_of(program) : named;
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
    if (is_new && termination::concerns(expectation, rules)) schedulers.push_back(expectation.scheduler);
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
    add_result(test, verdict::model_name(*rules), [&] { return run_model(test, rules); });
  }
  const auto is_named = [&](const parser::RulesPtr& rules) {
    return std::find(named.value().begin(), named.value().end(), rules) != named.value().end();
  };
  for (const parser::RulesPtr& rules : waiting.value()) {
    if (!is_named(rules) && schedulers_of(*test.program, *rules).empty()) test.results.push_back(nothing_asked(*rules));
    for (const Scheduler scheduler : schedulers_of(*test.program, *rules)) {
      add_result(test, termination_name(*rules, scheduler), [&] { return run_termination(test, rules, scheduler); });
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
    questions = {.proposition = false, .flags = false, .incidents = false, .outcomes = true};
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

void TestRunner::prepare(Context& context, const report::TestResult& test, const std::string& model) const {
  constexpr double kLongest = 1e6;  // seconds: more would overflow the clock
  const double milliseconds = std::max(1.0, std::min(options_.timeout_seconds, kLongest) * 1000);
  context.set_timeout(std::chrono::milliseconds(static_cast<std::int64_t>(milliseconds)));
  context.set_memory_limit(options_.memory_bytes);
  context.set_cancellation(&cancelled_);
  if (options_.dump_directory.empty()) return;
  const std::filesystem::path folder = std::filesystem::path(options_.dump_directory) / below(test.file) /
                                       as_file_name(test.program->name) / as_file_name(model);
  std::error_code ignored;  // where there is no folder no query is written, and that is noticed
  std::filesystem::create_directories(folder, ignored);
  context.dump_directory = folder.string();
}

void TestRunner::take_statistics(report::TestResult& test, report::ModelResult& result, Context& context) {
  const auto not_written = context.statistics.values.find(kNotWritten);
  if (not_written != context.statistics.values.end()) {
    test.error +=
        api::path_error(context.dump_directory, fmt::format("cannot write {:.0f} of the queries", not_written->second))
            .render();
  }
  result.statistics = std::move(context.statistics);
}

report::ModelResult TestRunner::run_model(report::TestResult& test, const parser::RulesPtr& rules) {
  const std::shared_ptr<const Program>& program = test.program;
  report::ModelResult result;
  Context context;
  prepare(context, test, verdict::model_name(*rules));
  const auto begin = std::chrono::steady_clock::now();
  Result<verdict::Verdict> checked = checker_.check(program, rules, check_options(*program, *rules), context);
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
  result.milliseconds = elapsed.count();
  take_statistics(test, result, context);
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

report::ModelResult TestRunner::run_termination(report::TestResult& test, const parser::RulesPtr& rules,
                                                Scheduler scheduler) {
  const std::shared_ptr<const Program>& program = test.program;
  report::ModelResult result;
  Context context;
  prepare(context, test, termination_name(*rules, scheduler));
  const auto begin = std::chrono::steady_clock::now();
  Result<termination::TerminationVerdict> checked =
      termination::check_termination(checker_, program, rules, scheduler, engine_options(), context);
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
  result.milliseconds = elapsed.count();
  take_statistics(test, result, context);
  if (!checked.ok()) {
    result.error = render(checked.errors());
    return result;
  }
  result.termination = std::move(checked).value();
  result.judgement = termination::judge(*result.termination);
  return result;
}

}  // namespace ambit::cli
