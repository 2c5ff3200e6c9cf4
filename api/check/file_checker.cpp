#include "api/check/file_checker.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <malloc.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "api/check/explanation.h"
#include "api/files.h"
#include "base/parallel_for.h"
#include "model/verdict/bound.h"
#include "model/verdict/races.h"

namespace ambit::api {
namespace {

std::string internal_error_text(const std::exception& error) {
  return fmt::format(
      "internal error: {}\nThis is a bug in Ambit: please report it with the test, the command line and this "
      "message.\n",
      error.what());
}

/// Returns whether any question about the test has no answer because memory ran out.
bool ran_out_of_memory(const report::TestResult& test) {
  return std::ranges::any_of(test.results, [](const report::ModelResult& result) {
    return (result.verdict && result.verdict->unknown == UnknownReason::Memory) ||
           (result.termination && result.termination->unknown == UnknownReason::Memory);
  });
}

/// Describes the parts of a verdict that a model's option can change: frequency, races, other flags, undefined
/// uses.
std::string in_words(const verdict::Verdict& verdict) {
  std::vector<std::string> parts;
  if (verdict.frequency) parts.emplace_back(to_string(*verdict.frequency));
  parts.push_back(verdict::race_text(verdict));
  for (std::size_t i = 0; i < verdict.rules->flags.size() && i < verdict.answers.flags.size(); ++i) {
    const rules::Flag& flag = verdict.rules->flags[i];
    if (!flag.is_race() && verdict.answers.flags[i].possibility == events::Possibility::Possible) {
      parts.push_back(flag.name);
    }
  }
  if (verdict::incident_possibility(verdict, events::Incident::Kind::Misuse) == events::Possibility::Possible) {
    parts.emplace_back("undefined");
  }
  if (verdict.unknown) parts.emplace_back("unknown");
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// Name of the statistics counter for queries that could not be written to the dump directory.
constexpr const char* kNotWritten = "smt.queries_not_written";

/// Converts a test's or model's name into the name of a folder.
std::string as_file_name(std::string name) {
  const bool only_dots = name.find_first_not_of('.') == std::string::npos;  // ".." would name another folder
  if (only_dots) std::replace(name.begin(), name.end(), '.', '_');
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '+' && c != '-' && c != '_' && c != '.'; }, '_');
  return name;
}

/// Converts a file's path into a relative path of folders.
std::filesystem::path below(const std::string& file) {
  std::filesystem::path result;
  for (const std::filesystem::path& part : std::filesystem::path(file).lexically_normal().relative_path()) {
    result /= as_file_name(part.string());
  }
  return result;
}

/// Makes the folder for the queries about one test and model, and returns its path.
std::string dump_folder(const std::string& folder, const report::TestResult& test, const std::string& model) {
  const std::filesystem::path path =
      std::filesystem::path(folder) / below(test.file) / as_file_name(test.program->name) / as_file_name(model);
  std::error_code ignored;  // if the folder cannot be made, kNotWritten counts the queries
  std::filesystem::create_directories(path, ignored);
  return path.string();
}

}  // namespace

std::vector<report::TestResult> FileChecker::check(const std::string& file, Activity& activity) {
  report::TestResult test;
  test.file = file == "-" ? "<stdin>" : file;
  try {
    test.was_run = !request_.interrupted.load(std::memory_order_relaxed);
    if (!test.was_run) return {test};
    const auto programs = read_tests(file, request_.options, request_.interrupted);
    if (!programs.ok()) {
      // An interrupt ends the wait for a pipe with an error.
      test.was_run = !request_.interrupted.load(std::memory_order_relaxed);
      if (test.was_run) test.error = render(programs.errors());
      return {test};
    }
    std::vector<report::TestResult> tests(programs.value().size(), test);
    for (std::size_t i = 0; i < tests.size(); ++i) {
      tests[i].program = programs.value()[i];
      tests[i].has_siblings = tests.size() > 1;
      check_program(tests[i], activity);
    }
    return tests;
  } catch (const std::exception& error) {
    test.error = internal_error_text(error);
    test.is_internal_error = true;
  }
  return {test};
}

void FileChecker::check_program(report::TestResult& test, Activity& activity) {
  test.was_run = !request_.interrupted.load(std::memory_order_relaxed);
  if (!test.was_run) return;
  const auto extended = request_.expectations.add(test.program, request_.store);
  if (!extended.ok()) {
    test.error = render(extended.errors());
    return;
  }
  test.program = extended.value().program;
  inquiries_.models = extended.value().models;
  const auto inquiries = inquiries_of(*test.program, inquiries_, request_.store);
  if (!inquiries.ok()) {
    test.error = render(inquiries.errors());
    return;
  }
  for (const Inquiry& inquiry : inquiries.value()) test.results.push_back(answer(inquiry, test, activity));
}

report::ModelResult FileChecker::answer(const Inquiry& inquiry, report::TestResult& test, Activity& activity) {
  report::ModelResult result;
  result.model = inquiry.name();
  Context context;
  try {
    context.set_activity(&activity);
    activity.start(result.model);
    set_limits(context, request_.options, request_.interrupted);
    if (!request_.options.dump_directory.empty()) {
      context.dump_directory = dump_folder(request_.options.dump_directory, test, result.model);
    }
    result =
        answer_inquiry(inquiry, test.program, inquiries_.outcomes, engine_options(request_.options), checker_, context);
    if (request_.fails_on_fault && result.verdict) verdict::expect_no_fault(*result.verdict, result.judgement);
    const bool has_race = result.verdict && result.verdict->race == events::Possibility::Possible;
    if (request_.checks_readings && result.verdict) {
      result.readings = other_readings(inquiry, test, *result.verdict, activity);
    }
    if (request_.explains_races && has_race) explain_races(inquiry, test, activity, result);
  } catch (const std::exception& error) {
    result.error = internal_error_text(error);
    test.is_internal_error = true;
  }
  const auto not_written = result.statistics.values.find(kNotWritten);
  if (not_written != result.statistics.values.end()) {
    test.error +=
        path_error(context.dump_directory, fmt::format("cannot write {:.0f} of the queries", not_written->second))
            .render();
  }
  if (!result.error.empty()) {
    result.judgement = {verdict::Status::Error, {}};
    if (test.error.find(result.error) == std::string::npos) test.error += result.error;
  }
  return result;
}

std::vector<report::ModelResult::Reading> FileChecker::other_readings(const Inquiry& inquiry,
                                                                      const report::TestResult& test,
                                                                      const verdict::Verdict& verdict,
                                                                      Activity& activity) {
  std::vector<report::ModelResult::Reading> readings;
  const std::string as_checked = in_words(verdict);
  for (const rules::ModelOption& option : inquiry.rules->options) {
    for (const std::string& value : option.values) {
      if (value == option.chosen || request_.interrupted.load(std::memory_order_relaxed)) continue;
      std::map<std::string, std::string> chosen;
      for (const rules::ModelOption& other : inquiry.rules->options) chosen[other.name] = other.chosen;
      chosen[option.name] = value;
      auto rules = request_.store.load(inquiry.rules->name, chosen);
      if (!rules.ok()) continue;  // this model does not come from a file
      Context context;
      context.set_activity(&activity);
      set_limits(context, request_.options, request_.interrupted);
      const report::ModelResult result =
          answer_inquiry({.rules = std::move(rules).value()}, test.program, OutcomesQuestion::Never,
                         engine_options(request_.options), checker_, context);
      const std::string said = result.verdict ? in_words(*result.verdict) : std::string("unknown");
      if (said != as_checked) readings.push_back({option.name, value, said});
    }
  }
  return readings;
}

void FileChecker::explain_races(const Inquiry& inquiry, const report::TestResult& test, Activity& activity,
                                report::ModelResult& result) {
  constexpr double kMostSeconds = 10;
  CheckingOptions options = request_.options;
  options.timeout_seconds = std::min(options.timeout_seconds, kMostSeconds);
  Context context;
  set_limits(context, options, request_.interrupted);
  context.set_activity(&activity);
  const auto explained =
      explain_question({test.program, inquiry.rules, true}, checker_, engine_options(options), {}, context);
  if (!explained.ok()) return;
  result.explanation = explained.value().text({}, {});
  result.explained = explained.value().accesses();
}

unsigned default_jobs() { return std::clamp(std::thread::hardware_concurrency(), 1U, 8U); }

void check_files(const std::vector<std::string>& files, unsigned jobs, const CheckRequest& request,
                 const CheckCallbacks& callbacks) {
  std::vector<std::vector<report::TestResult>> results(files.size());
  std::shared_mutex running;  // a thread that checks a file alone holds the exclusive lock
  std::deque<Activity> activities(files.size());
  // An interrupted process leaks the checkers: freeing gigabytes of small objects would take too long.
  const auto drop_checker = [&request](FileChecker* checker) {
    if (!request.interrupted.load(std::memory_order_relaxed)) delete checker;
  };
  const auto make_worker = [&] {
    return [&, checker = std::shared_ptr<FileChecker>(new FileChecker(request), drop_checker)](std::size_t i) {
      {
        const std::shared_lock beside_others(running);
        results[i] = checker->check(files[i], activities[i]);
      }
      if (jobs == 1 || std::ranges::none_of(results[i], ran_out_of_memory)) return;
      // The memory limit applies to the whole process, so other threads may have used up the memory.
      const std::unique_lock alone(running);
      results[i] = {};
      malloc_trim(0);
      results[i] = checker->check(files[i], activities[i]);
    };
  };
  const auto finished = [&](std::size_t i) {
    for (const report::TestResult& test : results[i]) callbacks.checked(test);
    results[i] = {};
  };
  const auto waiting = [&](std::size_t i, std::size_t done) {
    callbacks.waiting(done, files[i], activities[i].words());
  };
  parallel_for(files.size(), make_worker, {.threads = jobs, .finished = finished, .waiting = waiting});
}

}  // namespace ambit::api
