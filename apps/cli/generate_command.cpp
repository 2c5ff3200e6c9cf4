#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "api/files.h"
#include "api/study/generation.h"
#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"

namespace ambit::cli {
namespace {

struct GenerateCommand {
  api::GenerationRequest request;
  std::vector<std::string> cycle;
  std::string folder;
  bool count = false;
  bool yes = false;
};

constexpr double kSecondsToWrite = 1e-4;  // seconds to write one file
constexpr std::uint64_t kNamesOfAnOverview = 20;

int refused(const std::string& why) {
  std::cerr << "error: this would take " << why << "; add --yes to start it, or use smaller bounds or --shard\n";
  return kBadInput;
}

int count(const GenerateCommand& command) {
  const auto number = api::count_programs(command.request, interrupt_flag());
  if (!number.ok()) return bad_input(number.errors());
  if (interrupt_flag()) {
    std::cout << "at least " << number.value() << "\n";
    return kUnknown;
  }
  std::cout << number.value() << "\n";
  return kOk;
}

/// Implements `ambit generate` without arguments: prints some names, the number of programs, and how to continue.
int overview(const GenerateCommand& command) {
  std::uint64_t names = 0;
  const auto made = api::generate_tests(command.request, interrupt_flag(), [&](const api::GeneratedTest& test) {
    if (++names <= kNamesOfAnOverview) std::cout << test.name << "\n";
    return true;
  });
  if (!made.ok()) return bad_input(made.errors());
  std::cout << fmt::format(
      "... {} programs within the default bounds. --size {} (the default) prints all names, -o DIR writes the tests, "
      "--name NAME prints one, a cycle such as `PodWW Rfe PodRR Fre` makes a test (docs/reference/generate.md)\n",
      made.value(), command.request.bounds.events);
  return interrupt_flag() ? kUnknown : kOk;
}

int run_generate(GenerateCommand& command) {
  for (const std::string& word : command.cycle)
    command.request.cycle += (command.request.cycle.empty() ? "" : " ") + word;
  const bool is_exhaustive =
      command.request.cycle.empty() && command.request.name.empty() && command.request.random == 0;
  if (is_exhaustive && !command.yes) {
    const auto seconds =
        api::estimated_seconds(command.request.bounds, command.request.alphabet, command.count ? 0 : kSecondsToWrite);
    if (!seconds.ok()) return bad_input(seconds.errors());
    const auto shards = static_cast<double>(command.count ? 1 : command.request.shard.count);
    if (const auto why = api::takes_over_a_day(seconds.value() / shards)) return refused(*why);
  }
  if (command.count && is_exhaustive) return count(command);
  std::optional<Diagnostic> error;
  const bool prints_text = command.folder.empty() && !is_exhaustive;
  const auto made = api::generate_tests(command.request, interrupt_flag(), [&](const api::GeneratedTest& test) {
    if (!command.folder.empty()) {
      error = api::write_file((std::filesystem::path(command.folder) / (test.name + ".litmus")).string(), test.text);
    } else if (!command.count) {
      std::cout << (prints_text ? test.text : test.name + "\n");
    }
    return !error;
  });
  if (!made.ok()) return bad_input(made.errors());
  if (error) return bad_input({*error});
  if (command.count || !command.folder.empty()) std::cout << made.value() << (command.count ? "\n" : " tests\n");
  return interrupt_flag() ? kUnknown : kOk;
}

}  // namespace

Action declare_generate(Command command) {
  const auto options = std::make_shared<GenerateCommand>();
  api::GenerationRequest& request = options->request;
  command.argument("CYCLE", options->cycle, "A cycle of relations: PodWW Rfe PodRR Fre (docs/reference/generate.md)");
  command.option("--access", request.access, "Kind of access for events of the cycle that do not specify it")
      .value_name("ACCESS")
      .show_default();
  command.option("--name", request.name, "Make only the program with this name").value_name("NAME");
  command.option("--random", request.random, "Make N random programs within the bounds").value_name("N").positive();
  command.option("--seed", request.seed, "Seed of the random programs").value_name("N").show_default();
  add_bounds_options(command, request.bounds, request.alphabet);
  command.flag("--all", request.bounds.all, "Also make programs with redundant parts (docs/reference/generate.md)");
  command.flag("--count", options->count, "Print only the number of programs");
  add_shard_option(command, request.shard);
  command.flag("--yes", options->yes, "Start even if the command will take more than a day");
  command.option("-o", options->folder, "Write each test to a file in this folder")
      .value_name("DIR")
      .check(folder_can_be_made);
  command
      .option(
          "-m,--model",
          [&request](const std::vector<std::string>& arguments) {
            for (const std::string& argument : arguments) {
              for (std::string& model : split_models(argument)) request.checking.models.push_back(std::move(model));
            }
          },
          "Models whose verdicts become `expect` lines")
      .value_name("MODEL[,MODEL]")
      .one_value_each();
  return [command, options] {
    catch_interrupts();
    const std::vector<Option> declared = command.options();
    const bool is_bare = std::ranges::none_of(declared, [](const Option& option) { return option.is_given(); });
    return is_bare ? overview(*options) : run_generate(*options);
  };
}

}  // namespace ambit::cli
