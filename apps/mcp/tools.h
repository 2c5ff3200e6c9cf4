#pragma once

#include <atomic>
#include <string>

#include "apps/rpc/json_rpc.h"

namespace ambit::mcp {

using rpc::Json;

/// Returns the answer to `tools/list`: descriptions of all tools, with the schemas of their arguments.
Json tool_list();

/// Calls a tool and returns the result of `tools/call`. Most tools are commands of this program and run in a child
/// process. `cancelled` ends the process within half a second; the caller must then ignore the result. Throws
/// RequestError if the tool does not exist or if the arguments do not fit its schema.
Json call_tool(const std::string& name, const Json& arguments, const std::atomic<bool>& cancelled);

/// Throws the same errors as call_tool(), but does not call the tool.
void check_call(const std::string& name, const Json& arguments);

}  // namespace ambit::mcp
