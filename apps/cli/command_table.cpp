#include "apps/cli/command_table.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "apps/cli/commands.h"
#include "apps/cli/help_formatter.h"

namespace ambit::cli {
namespace {

struct Command {
  const char* name;
  const char* description;
  Action (*declare)(CLI::App& command);
};

/// In the order of `ambit --help`.
constexpr std::array kCommands = {
    Command{"check", "Check litmus tests under memory models", declare_check},
    Command{"outcomes", "List every outcome that a model allows", declare_outcomes},
    Command{"run", "Run tests and count their outcomes", declare_run},
    Command{"explain", "Say why an outcome is allowed or forbidden, or why a test races", declare_explain},
    Command{"graph", "Draw the execution that shows an outcome, a race or their absence; or a trace", declare_graph},
    Command{"compare", "Compare the outcomes in logs of models and machines", declare_compare},
    Command{"map", "Print the PTX litmus test to which a CUDA test compiles", declare_map},
    Command{"emit", "Print a test as the CUDA program that runs it on a GPU", declare_emit},
    Command{"devices", "List the GPUs that tests can be run on, and what is missing", declare_devices},
    Command{"crossval", "Set models, detectors and a GPU side by side", declare_crossval},
    Command{"merge", "Put the logs of a campaign's shards together", declare_merge},
    Command{"models", "List the memory models, or print one", declare_models},
    Command{"detect", "Run race detectors on traces, or on the runs of tests", declare_detect},
    Command{"validate", "Compare race detectors with labels, models and the oracle", declare_validate},
    Command{"trace", "Check traces, and convert them between text and binary", declare_trace},
    Command{"help", "List all commands, or the options of one", declare_help},
    Command{"lsp", "Serve an editor over the standard streams (Language Server Protocol)", declare_lsp},
    Command{"serve", "Serve the playground: a page to write tests on and try them", declare_serve},
    Command{"serve-worker", "Answers one request of the playground", declare_serve_worker},
};

/// What is wrong with a number; empty: nothing.
std::string number_error(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) return text + " is too large";
  const bool is_decimal = error == std::errc() && end == text.data() + text.size();
  const bool has_leading_zero = text.size() > 1 && text.front() == '0';
  return is_decimal && !has_leading_zero ? "" : "expected a decimal number, found '" + text + "'";
}

/// Makes every option that takes an unsigned number accept decimal numbers in range only: CLI11 would read "-1" as the
/// largest number, "010" as eight, and a number that is too large as the largest.
void check_numbers(CLI::App& command) {
  constexpr std::string_view kUnsigned = "UINT";  // how CLI11 names the type in --help
  for (CLI::Option* option : command.get_options()) {
    if (option->get_type_name().starts_with(kUnsigned)) option->check(CLI::Validator(number_error, ""));
  }
}

}  // namespace

void declare_program(CLI::App& app, int& exit_code) {
  app.name("ambit");
  app.description("Ambit: what a scoped GPU program can do under a memory model, and whether it races");
  app.set_version_flag("--version", fmt::format("ambit {}", AMBIT_VERSION));
  app.require_subcommand(1);
  app.formatter(std::make_shared<HelpFormatter>());
  for (const Command& one : kCommands) {
    CLI::App* command = app.add_subcommand(one.name, one.description);
    command->callback([action = one.declare(*command), &exit_code] { exit_code = action(); });
    check_numbers(*command);
  }
}

}  // namespace ambit::cli
