#include "apps/mcp/tool_command.h"

#include <fmt/format.h>

#include <algorithm>

namespace ambit::mcp {
namespace {

using rpc::Json;
using rpc::RequestError;
using Kind = ToolArgument::Kind;

constexpr ToolArgument kFile{
    Kind::Text, "file", nullptr,
    "Path of a test (.litmus, .test) or kernel (.cu, .ptx). Either `file` or `text` is needed"};
constexpr ToolArgument kFolder{Kind::Text, "folder", "--suite", "Path of the folder of tasks. Needed"};
constexpr ToolArgument kText{Kind::Text, "text", nullptr, "The source itself, instead of a file"};
constexpr ToolArgument kName{Kind::Text, "name", nullptr,
                             "File name of the text; its extension selects the language. Default: kernel.cu"};
constexpr ToolArgument kModels{Kind::Texts, "models", "--model",
                               "Memory models, such as ptx, cuda-cpp, sc. Default: the default models of the test"};
constexpr ToolArgument kModel{Kind::Text, "model", "--model", "Memory model, such as ptx or cuda-cpp"};
constexpr ToolArgument kLaunch{Kind::Text, "launch", "--launch",
                               "Kernels: the launch, such as kernel<<<2, 64>>>(int data[64] = 1, 5). Default: the "
                               "launch in a comment `// ambit: launch ...;` or in the host code"};
constexpr ToolArgument kTimeout{Kind::Number, "timeout", "--timeout", "Seconds. Default: 60"};
constexpr ToolArgument kUnroll{Kind::Whole, "unroll", "--unroll", "Iterations of each loop that are checked"};
constexpr ToolArgument kTest{Kind::Text, "test", "--test", "Name of the test, if the file holds several"};
constexpr ToolArgument kOutcome{Kind::Text, "outcome", "--outcome", "An outcome, such as P1:r0 == 1 && x == 2"};
constexpr ToolArgument kRace{Kind::Flag, "race", "--race", "Ask about the race, not about the test's condition"};

const char* type_of(Kind kind) {
  switch (kind) {
    case Kind::Text: return "string";
    case Kind::Texts: return "array";
    case Kind::Number: return "number";
    case Kind::Whole: return "integer";
    case Kind::Flag: return "boolean";
  }
  return "";
}

bool fits(const Json& value, Kind kind) {
  switch (kind) {
    case Kind::Text: return value.is_string();
    case Kind::Texts:
      return value.is_array() && std::ranges::all_of(value, [](const Json& one) { return one.is_string(); });
    case Kind::Number: return value.is_number() && value.get<double>() > 0;
    case Kind::Whole: return value.is_number_integer() && value.get<std::int64_t>() >= 0;
    case Kind::Flag: return value.is_boolean();
  }
  return false;
}

[[noreturn]] void refuse(std::string message) { throw RequestError{rpc::kInvalidParams, std::move(message)}; }

void check_arguments(const CommandTool& tool, const Json& arguments) {
  if (!arguments.is_object()) refuse("expected an object of arguments");
  for (const auto& [name, value] : arguments.items()) {
    const auto known = std::ranges::find_if(tool.arguments, [&](const ToolArgument& one) { return name == one.name; });
    if (known == tool.arguments.end()) refuse(fmt::format("the tool {} has no argument '{}'", tool.name, name));
    if (!fits(value, known->kind)) {
      refuse(fmt::format("the argument '{}' is not valid: expected {}{}", name, type_of(known->kind),
                         known->kind == Kind::Texts ? " of strings" : ""));
    }
  }
}

std::string number_text(const Json& value) {
  return value.is_number_integer() ? fmt::format("{}", value.get<std::int64_t>())
                                   : fmt::format("{:.3f}", value.get<double>());
}

void add_option(const ToolArgument& argument, const Json& value, std::vector<std::string>& words) {
  switch (argument.kind) {
    case Kind::Text: words.push_back(fmt::format("{}={}", argument.option, value.get<std::string>())); return;
    case Kind::Texts:
      for (const Json& one : value) words.push_back(fmt::format("{}={}", argument.option, one.get<std::string>()));
      return;
    case Kind::Number:
    case Kind::Whole: words.push_back(fmt::format("{}={}", argument.option, number_text(value))); return;
    case Kind::Flag:
      if (value.get<bool>()) words.emplace_back(argument.option);
  }
}

/// Returns the file name of a text without folders.
std::string file_name(const Json& arguments) {
  std::string name = arguments.value("name", std::string("kernel.cu"));
  name = name.substr(name.find_last_of('/') + 1);
  const bool is_good = !name.empty() && !name.starts_with('-') && !name.starts_with('.') &&
                       name.find('\0') == std::string::npos && name.size() <= 200;
  if (!is_good) refuse("the argument 'name' is not a file name");
  return name;
}

/// Returns whether the tool's input is a folder of tasks, not a file or a text.
bool takes_folder(const CommandTool& tool) {
  return std::ranges::find(tool.arguments, std::string_view(kFolder.name), &ToolArgument::name) != tool.arguments.end();
}

}  // namespace

const std::vector<CommandTool>& command_tools() {
  static const std::vector<CommandTool> tools = {
      {"judge",
       "Judge kernels and tests",
       "Judges a GPU kernel or litmus test: race, no race, divergence, out of bounds, undefined or unknown, with the "
       "reason, both places, a confirmed patch and a command that replays the fault. Start here. The answer is one "
       "JSON document (docs/reference/judge.schema.json).",
       {kFile, kText, kName, kModels, kLaunch, kUnroll, kTimeout},
       {}},
      {"judge_suite",
       "Score generated kernels",
       "Scores the kernels of a folder of tasks against the references of the tasks: compiles each kernel, compares "
       "its "
       "results with those of the reference on random inputs, and judges races and faults. The answer is one JSON "
       "document (docs/reference/judge-suite.schema.json).",
       {kFolder, kModels, {Kind::Number, "timeout", "--timeout", "Seconds for the whole call. Default: no limit"}},
       {"--json", "--quiet"},
       "judge"},
      {"check",
       "Check tests under memory models",
       "Checks tests under memory models: all races, faults and the condition's answer as one JSON document.",
       {kFile, kText, kName, kModels, kLaunch, kUnroll, kTimeout},
       {"--json"}},
      {"explain",
       "Explain a verdict",
       "Explains in plain English why a test races, or why a model allows or forbids an outcome.",
       {kFile, kText, kName, kModel, kOutcome, kRace, kTest, kLaunch, kUnroll, kTimeout},
       {}},
      {"fix",
       "Find a patch",
       "Finds the cheapest changes of fences, scopes, orders and barriers that remove a race or forbid an outcome. "
       "Each proposal is a unified diff that the engines have confirmed.",
       {kFile, kText, kName, kModel, kOutcome, kRace, kTest, kLaunch, kTimeout},
       {"--json"}},
      {"exec",
       "Run on a virtual GPU",
       "Runs a CUDA program, or with `launch` one kernel of a .cu or .ptx file, on a virtual GPU under race detectors.",
       {kFile,
        kText,
        kName,
        kLaunch,
        {Kind::Whole, "runs", "--runs", "Number of runs. Default: until the runs have cost about a second"},
        {Kind::Whole, "seed", "--seed", "Seed of the first run's schedule"},
        {Kind::Text, "schedule", "--schedule", "random, pct or rr"},
        kTimeout,
        {Kind::Texts, "arguments", nullptr, "Arguments of the program"}},
       {"--json"}},
  };
  return tools;
}

Json schema_of(const CommandTool& tool) {
  Json properties = Json::object();
  for (const ToolArgument& argument : tool.arguments) {
    Json& one = properties[argument.name];
    one = {{"type", type_of(argument.kind)}, {"description", argument.description}};
    if (argument.kind == Kind::Texts) one["items"] = {{"type", "string"}};
    if (argument.kind == Kind::Number) one["exclusiveMinimum"] = 0;
    if (argument.kind == Kind::Whole) one["minimum"] = 0;
  }
  Json schema = {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  if (takes_folder(tool)) schema["required"] = {kFolder.name};
  return schema;
}

ToolCommand command_of(const CommandTool& tool, const Json& arguments) {
  check_arguments(tool, arguments);
  const bool has_folder = takes_folder(tool);
  if (has_folder && !arguments.contains(kFolder.name)) refuse("expected the argument 'folder'");
  if (!has_folder && arguments.contains("file") == arguments.contains("text")) {
    refuse("expected either 'file' or 'text'");
  }
  ToolCommand command;
  command.words.emplace_back(tool.command != nullptr ? tool.command : tool.name);
  command.words.insert(command.words.end(), tool.fixed.begin(), tool.fixed.end());
  for (const ToolArgument& argument : tool.arguments) {
    if (argument.option != nullptr && arguments.contains(argument.name)) {
      add_option(argument, arguments[argument.name], command.words);
    }
  }
  command.has_document = std::string_view(tool.name) != "explain";
  if (has_folder) return command;
  if (arguments.contains("text")) {
    command.file = file_name(arguments);
    command.text = arguments["text"];
  }
  const std::string file = command.file.empty() ? arguments["file"].get<std::string>() : command.file;
  if (file.empty() || file.starts_with('-')) refuse("the argument 'file' is not a path");
  command.words.push_back(file);
  if (arguments.contains("arguments")) {
    for (const Json& word : arguments["arguments"]) command.words.push_back(word);
  }
  return command;
}

}  // namespace ambit::mcp
