#include "apps/cli/validate_tool.h"

#include <iostream>
#include <optional>

#include "apps/cli/commands.h"
#include "apps/cli/hardware_options.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/progress.h"
#include "report/logs/tool_log.h"
#include "report/text/tool_table.h"

namespace ambit::cli {
namespace {

constexpr const char* kTools = "OTHER TOOLS";

}  // namespace

void add_tool_options(Command command, api::ToolRequest& request) {
  command
      .option("--tool", request.tool,
              "Compile the program of each test and score what this tool reports: racecheck, synccheck, or a file that "
              "describes the tool (docs/guide/tools.md)")
      .value_name("NAME|FILE.json")
      .group(kTools);
  command
      .option("--log", request.log,
              "Append each answer to this file; if the file exists, continue after its last "
              "answer")
      .value_name("FILE")
      .group(kTools);
  add_shard_option(command, request.shard, request.shards).group(kTools);
}

void check_tool_options(Command command) {
  const bool has_tool = command.find_option("--tool").is_given();
  for (const Option& option : command.options()) {
    if (option.is_argument() || !option.is_given() || option.name() == "--tool") continue;
    const std::string name = option.name();
    const bool is_of_tools = name == "--log" || name == "--shard";
    const bool is_of_both =
        name == "--runs" || name == "--timeout" || name == "--jobs" || name == "--json" || name == "--quiet";
    if (is_of_tools && !has_tool) throw UsageError(name, "requires --tool");
    if (has_tool && !is_of_tools && !is_of_both) throw UsageError(name, "cannot be combined with --tool");
  }
}

int run_tool(api::ToolRequest request, bool json, bool quiet) {
  std::optional<Progress> progress;
  request.waiting = [&](std::size_t done, std::size_t all, const std::string& next) {
    if (!progress) progress.emplace(Progress::mode_of(quiet), all);
    progress->show(done, next);
  };
  const auto table = api::validate_with_tool(request, catch_interrupts());
  if (progress) progress->clear();
  if (!table.ok()) {
    std::cerr << render(table.errors());
    return kBadInput;
  }
  std::cout << (json ? report::tool_json(table.value(), AMBIT_VERSION) : report::tool_text(table.value()))
            << std::flush;
  const bool is_whole = table.value().not_run == 0 && report::scores_of(table.value()).failed == 0;
  return is_whole ? kOk : kUnknown;
}

}  // namespace ambit::cli
