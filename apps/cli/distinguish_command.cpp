#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <span>
#include <string_view>

#include "api/files.h"
#include "api/study/distinction.h"
#include "api/study/distinction_on_tests.h"
#include "api/study/subjects.h"
#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/terminal.h"
#include "base/plural.h"

namespace ambit::cli {
namespace {

struct DistinguishCommand {
  api::DistinctionRequest request;
  bool matrix = false;
  std::string folder;
  std::string page;
};

/// Describes which programs Ambit tried.
std::string bound_text(const api::Distinction& result) {
  const synthesis::Bounds& bounds = result.bounds;
  std::string text = fmt::format("Tried {}: at most {}, {}, {} and {}",
                                 plural(result.programs, result.is_random ? "random program" : "program"),
                                 plural(bounds.threads, "thread"), plural(bounds.blocks, "block"),
                                 plural(bounds.variables, "variable"), plural(bounds.locks, "lock"));
  const std::string_view stopped = !result.is_stopped ? "" : interrupt_flag() ? " (interrupted" : " (stopped by time";
  if (result.is_random) return text + std::string(stopped) + (result.is_stopped ? ")\n" : "\n");
  text += "; each family of statements up to the size below" + std::string(stopped);
  if (result.is_stopped && !interrupt_flag()) text += fmt::format(": raise --timeout for all up to {}", bounds.events);
  text += result.is_stopped ? ")\n" : "\n";
  for (const std::string& family : result.families) text += "  " + family + "\n";
  return text;
}

int print_pair(const api::Distinction& result) {
  if (result.differences.empty()) {
    std::cout << fmt::format("{}  {} and {}\n{}", result.is_stopped ? "NO DIFFERENCE FOUND YET" : "NO DIFFERENCE",
                             result.subjects[0], result.subjects[1], bound_text(result));
    return result.is_stopped ? kUnknown : kOk;
  }
  for (const api::Difference& one : result.differences) {
    const char* const smallest = one.is_smallest ? "no smaller program shows that" : "smaller programs may show that";
    std::cout << fmt::format("DIFFER  {} shows {}, {} does not\n{}; {}\n\n{}", one.first, one.shown, one.second,
                             plural(one.statements, "statement"), smallest, result.tests[one.test].text)
              << fitted(api::explanation_of(result, one, interrupt_flag())) << "\n";
  }
  return kOk;
}

int write_matrix(const DistinguishCommand& command, const api::Distinction& result) {
  namespace fs = std::filesystem;
  for (const api::DistinctionTest& test : result.tests) {
    if (const auto error = api::write_file((fs::path(command.folder) / (test.name + ".litmus")).string(), test.text)) {
      return bad_input({*error});
    }
  }
  const fs::path beside = command.page.empty() ? fs::path(".") : fs::absolute(command.page).parent_path();
  const fs::path tests = fs::absolute(command.folder).lexically_relative(fs::absolute(beside));
  const std::string page = api::map_page(result, tests.generic_string());
  if (command.page.empty()) {
    std::cout << page;
  } else if (const auto error = api::write_file(command.page, page)) {
    return bad_input({*error});
  }
  std::cerr << fmt::format("{} differences, {} tests; {} questions without a difference\n{}", result.differences.size(),
                           result.tests.size(), result.open.size(), bound_text(result));
  return interrupt_flag() ? kUnknown : kOk;
}

constexpr std::size_t kListed = 10;

/// Lists the differences in one direction, ordered by the size of their tests.
std::string listed(const api::TestDistinction& result, std::span<const api::TestDifference> differences) {
  const api::TestDifference& smallest = differences.front();
  std::string text = fmt::format("DIFFER  {} shows {}, {} does not\n{} of {}, the smallest: {} ({})\n", smallest.first,
                                 smallest.shown, smallest.second, differences.size(), plural(result.tests, "test"),
                                 smallest.file, plural(smallest.statements, "statement"));
  for (const api::TestDifference& one : differences.subspan(1, std::min(differences.size(), kListed) - 1)) {
    text += fmt::format("  {}: {}\n", one.test, one.shown);
  }
  if (differences.size() > kListed) text += fmt::format("  and {} more\n", differences.size() - kListed);
  return text + fitted(api::explanation_of(smallest, interrupt_flag()));
}

int print_tests(const api::TestDistinction& result) {
  std::string text;
  const std::span<const api::TestDifference> all(result.differences);
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin;
    while (end < all.size() && all[end].first == all[begin].first && all[end].aspect == all[begin].aspect) ++end;
    text += listed(result, all.subspan(begin, end - begin));
    begin = end;
  }
  if (all.empty()) {
    text = fmt::format("NO DIFFERENCE  {} and {}\nCompared {}\n", result.subjects[0], result.subjects[1],
                       plural(result.tests, "test"));
  }
  if (!result.open.empty()) text += fmt::format("{} without an answer\n", plural(result.open.size(), "test"));
  for (std::size_t i = 0; i < std::min(result.open.size(), kListed); ++i) text += "  " + result.open[i] + "\n";
  if (result.is_stopped) {
    text += fmt::format("stopped before all tests were compared ({})\n",
                        interrupt_flag() ? "interrupted" : "raise --timeout");
  }
  std::cout << text;
  return result.is_stopped || (all.empty() && !result.open.empty()) ? kUnknown : kOk;
}

int run_on_tests(const DistinguishCommand& command) {
  if (command.matrix) throw UsageError("--matrix", "logs and labels have answers about their own tests only");
  if (command.request.subjects.size() != 2) throw UsageError("name two subjects");
  const auto result = api::distinguish_on_tests(command.request, interrupt_flag());
  if (!result.ok()) return interrupt_flag() ? kUnknown : bad_input(result.errors());
  return print_tests(result.value());
}

int run_distinguish(DistinguishCommand& command) {
  if (std::ranges::any_of(command.request.subjects, [](const auto& name) { return api::is_about_tests(name); })) {
    return run_on_tests(command);
  }
  if (!command.request.tests.empty()) throw UsageError("--tests", "only a campaign's log (log:FILE) has tests");
  if (command.matrix && command.request.subjects.empty()) command.request.subjects = api::all_subjects();
  if (!command.matrix && command.request.subjects.size() != 2)
    throw UsageError("name two models or detectors, or --matrix");
  if (command.matrix) command.request.seeds = api::test_names_in(command.folder);
  const auto result = api::distinguish(command.request, interrupt_flag());
  if (!result.ok()) return bad_input(result.errors());
  return command.matrix ? write_matrix(command, result.value()) : print_pair(result.value());
}

}  // namespace

Action declare_distinguish(Command command) {
  const auto options = std::make_shared<DistinguishCommand>();
  api::DistinctionRequest& request = options->request;
  command.argument("SUBJECTS", request.subjects,
                   "Models with options (hrf-relaxed(incl=nest)), detectors (detector:gwcp, detector:exec:PROGRAM), "
                   "the log of a campaign (log:FILE), the labels of a suite (label:FOLDER)");
  request.external = external_rules();
  command.option("--tests", request.tests, "The tests of a campaign's log, if the paths in the log are wrong")
      .value_name("PATH")
      .one_value_each();
  const auto set_direction = [&request](const std::string& word) {
    request.direction = word == "more"   ? api::Direction::More
                        : word == "less" ? api::Direction::Less
                                         : api::Direction::Any;
  };
  command
      .choice("--direction", {"any", "more", "less"}, set_direction,
              "more: the first shows a behaviour that the second does not; less: the reverse")
      .show_default("any");
  const auto set_about = [&request](const std::string& word) {
    for (const study::Aspect aspect : study::kAspects) {
      if (to_string(aspect) == word) request.about = aspect;
    }
  };
  command.choice("--about", {"race", "outcome", "race-free-outcome", "run"}, set_about,
                 "Search only for differences of this kind (docs/reference/distinguish.md)");
  add_bounds_options(command, request.bounds, request.alphabet);
  command.find_option("--alphabet").show_default("several families");
  const Option random =
      command.option("--random", request.random, "Try only N random programs").value_name("N").positive();
  command.option("--seed", request.seed, "Seed of the random programs").value_name("N").show_default().needs(random);
  add_timeout_option(command, request.timeout_seconds, "Stop after this time");
  const Option matrix =
      command.flag("--matrix", options->matrix, "All pairs of the subjects, or of all shipped models and detectors");
  command
      .option("-o", options->folder,
              "--matrix: write the tests to this folder, and first try the programs that it already contains")
      .value_name("DIR")
      .check(folder_can_be_made)
      .needs(matrix);
  command.option("--page", options->page, "--matrix: write the tables to this file").value_name("FILE").needs(matrix);
  return [options] {
    catch_interrupts();
    if (options->matrix && options->folder.empty()) throw UsageError("--matrix", "name a folder for the tests with -o");
    // This check must come last: the page may be in the folder for the tests, which exists only at this point.
    const std::string problem = options->page.empty() ? "" : file_can_be_written(options->page);
    if (!problem.empty()) throw UsageError("--page", problem);
    return run_distinguish(*options);
  };
}

}  // namespace ambit::cli
