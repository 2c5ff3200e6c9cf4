#pragma once

#include <string>

#include "api/tool_validation.h"
#include "apps/cli/command_line.h"

namespace ambit::cli {

/// Declares --tool, --shard and --log of `validate`. `request` must outlive the command.
void add_tool_options(Command command, api::ToolRequest& request);

/// Throws UsageError if an option does not apply to tools, or for --log or --shard without --tool.
void check_tool_options(Command command);

/// `ambit validate SUITE --tool NAME`; returns the exit status.
int run_tool(api::ToolRequest request, bool json, bool quiet);

}  // namespace ambit::cli
