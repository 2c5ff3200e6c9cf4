#pragma once

#include <string>
#include <vector>

#include "apps/rpc/json_rpc.h"

namespace ambit::mcp {

/// A command of this program that answers a call of a tool.
struct ToolCommand {
  std::vector<std::string> words;  ///< the words after the program's name
  std::string file;                ///< name of the file to make before the command runs; empty if there is no text
  std::string text;                ///< contents of this file
  bool has_document = true;        ///< the command prints a JSON document, not text
};

/// An argument of a tool.
struct ToolArgument {
  enum class Kind : std::uint8_t { Text, Texts, Number, Whole, Flag } kind = Kind::Text;
  const char* name = nullptr;
  const char* option = nullptr;  ///< the option that the argument becomes: "--launch"; null for arguments of the input
  const char* description = nullptr;
};

/// A tool that is a command of this program.
struct CommandTool {
  const char* name = nullptr;
  const char* title = nullptr;
  const char* description = nullptr;
  std::vector<ToolArgument> arguments;
  std::vector<std::string> fixed;  ///< options of every call: "--json"
};

/// Returns the tools in the order of the list.
const std::vector<CommandTool>& command_tools();

/// Returns the schema of a tool's arguments (JSON Schema).
rpc::Json schema_of(const CommandTool& tool);

/// Returns the command of a call. Throws RequestError if the arguments do not fit the schema.
ToolCommand command_of(const CommandTool& tool, const rpc::Json& arguments);

}  // namespace ambit::mcp
