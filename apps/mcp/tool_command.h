#pragma once

#include <string>
#include <vector>

#include "apps/rpc/json_rpc.h"

namespace ambit::mcp {

/// A command of this program that answers a tool call.
struct ToolCommand {
  std::vector<std::string> words;  ///< the words after the program's name
  std::string file;                ///< name of the file to make before the command runs; empty if there is no text
  std::string text;                ///< contents of that file
  bool has_document = true;        ///< whether the command prints a JSON document (otherwise text)
};

/// An argument of a tool.
struct ToolArgument {
  enum class Kind : std::uint8_t { Text, Texts, Number, Whole, Flag } kind = Kind::Text;
  const char* name = nullptr;
  const char* option = nullptr;  ///< the option that takes the value: "--launch"; null for the input (file or text)
  const char* description = nullptr;
};

/// A tool that runs a command of this program.
struct CommandTool {
  const char* name = nullptr;
  const char* title = nullptr;
  const char* description = nullptr;
  std::vector<ToolArgument> arguments;
  std::vector<std::string> fixed;  ///< options that every call passes: "--json"
  const char* command = nullptr;   ///< name of the command; null if the tool has the name of its command
};

/// Returns the tools in the order of `tools/list`.
const std::vector<CommandTool>& command_tools();

/// Returns the schema of a tool's arguments (JSON Schema).
rpc::Json schema_of(const CommandTool& tool);

/// Returns the command that answers a call. Throws RequestError if the arguments do not fit the schema.
ToolCommand command_of(const CommandTool& tool, const rpc::Json& arguments);

}  // namespace ambit::mcp
