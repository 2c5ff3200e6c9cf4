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

/// A folder name made of a test's or model's name.
std::string as_file_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '+' && c != '-' && c != '_' && c != '.'; }, '_');
  return name;
}

}  // namespace

report::TestResult TestRunner::run(const std::string& file) {
  report::TestResult test;
  test.file = file == "-" ? "<stdin>" : file;
  if (cancelled_.load(std::memory_order_relaxed)) {
    test.was_run = false;
    return test;
  }
  try {
    Result<SourceFilePtr> source = read_input(file);
    if (!source.ok()) {
      test.error = render(source.errors());
      return test;
    }
    parser::ProgramOptions options;
    options.max_threads = options_.max_threads;
    options.uninitialized = options_.uninitialized;
    Result<std::shared_ptr<const Program>> program = parser::parse_program(source.value(), options);
    if (!program.ok()) {
      test.error = render(program.errors());
      return test;
    }
    test.program = program.value();
    run_program(test);
  } catch (const std::exception& error) {
    test.error = internal_error_text(error);
    test.is_internal_error = true;
  }
  return test;
}

void TestRunner::run_program(report::TestResult& test) {
  Result<std::vector<RulesPtr>> named = models_.empty() ? store_.models_of(*test.program) : models_;
  if (!named.ok()) {
    test.error = render(named.errors());
    return;
  }
  for (const RulesPtr& rules : named.value()) {
    if (const auto contradiction = verdict::find_contradiction(*test.program, *rules)) {
      test.error = contradiction->render();
      return;
    }
  }
  for (const RulesPtr& rules : named.value()) {
    report::ModelResult result;
    try {
      result = run_model(test.program, rules);
    } catch (const std::exception& error) {
      result.error = internal_error_text(error);
      test.is_internal_error = true;
    }
    if (!result.verdict) {
      result.model = verdict::model_name(*rules);
      result.judgement = {verdict::Status::Error, {}};
      if (test.error.find(result.error) == std::string::npos) test.error += result.error;
    }
    test.results.push_back(std::move(result));
  }
}

verdict::CheckOptions TestRunner::check_options(const Program& program, const rules::Rules& rules) const {
  verdict::CheckOptions options;
  options.engine = options_.engine;
  if (options.engine == verdict::Engine::Auto && !options_.dump_directory.empty())
    options.engine = verdict::Engine::Smt;
  options.unroll = options_.unroll;
  events::Questions& questions = options.questions;
  if (outcomes_ == OutcomesQuestion::Only) {
    questions = {false, false, false, true, false};
    return options;
  }
  questions.proposition = program.condition.proposition.has_value();
  questions.flags = !rules.flags.empty();
  questions.outcomes = outcomes_ == OutcomesQuestion::WithoutCondition && !program.condition.proposition;
  questions.count = std::any_of(
      program.expectations.begin(), program.expectations.end(),
      [&](const Expectation& expectation) { return expectation.executions && verdict::concerns(expectation, rules); });
  return options;
}

void TestRunner::prepare(Context& context, const Program& program, const rules::Rules& rules) const {
  constexpr double kLongest = 1e6;  // seconds: more would overflow the clock
  const double milliseconds = std::max(1.0, std::min(options_.timeout_seconds, kLongest) * 1000);
  context.set_timeout(std::chrono::milliseconds(static_cast<std::int64_t>(milliseconds)));
  context.set_memory_limit(options_.memory_bytes);
  context.set_cancellation(&cancelled_);
  if (options_.dump_directory.empty()) return;
  const std::filesystem::path folder = std::filesystem::path(options_.dump_directory) / as_file_name(program.name) /
                                       as_file_name(verdict::model_name(rules));
  std::error_code error;
  std::filesystem::create_directories(folder, error);  // below --dump-smt, which was checked
  context.dump_directory = folder.string();
}

report::ModelResult TestRunner::run_model(const std::shared_ptr<const Program>& program, const RulesPtr& rules) {
  report::ModelResult result;
  result.model = verdict::model_name(*rules);
  Context context;
  prepare(context, *program, *rules);
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

}  // namespace ambit::cli
