#pragma once

#include <atomic>
#include <string>

#include "apps/rpc/json_rpc.h"

namespace ambit::mcp {

using rpc::Json;

/// Returns the descriptions of all tools with the schemas of their arguments: the list of `tools/list`.
Json tool_list();

/// Calls a tool and returns the result of `tools/call`. Most tools are commands of this program and run in a child
/// process. `cancelled` ends the process within half a second; the result then has no meaning. Throws RequestError if
/// there is no such tool, or if the arguments do not fit its schema.
Json call_tool(const std::string& name, const Json& arguments, const std::atomic<bool>& cancelled);

/// Throws the same errors as call_tool(), but does not call the tool.
void check_call(const std::string& name, const Json& arguments);

}  // namespace ambit::mcp
