#pragma once

#include <string>

#include "api/study/tool_validation.h"
#include "apps/cli/command_line.h"

namespace ambit::cli {

/// Declares --tool, --shard and --log of `validate`. `request` must outlive the command.
void add_tool_options(Command command, api::ToolRequest& request);

/// Throws UsageError if an option does not apply to tools, or if --log or --shard is given without --tool.
void check_tool_options(Command command);

/// Runs `ambit validate SUITE --tool NAME`, and returns the exit status.
int run_tool(api::ToolRequest request, bool json, bool quiet);

}  // namespace ambit::cli
