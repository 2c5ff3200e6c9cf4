#include "apps/mcp/tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "api/exec/temporary_folder.h"
#include "apps/mcp/documents.h"
#include "apps/mcp/tool_command.h"
#include "base/child_process.h"
#include "base/trimmed.h"

namespace ambit::mcp {
namespace {

using rpc::RequestError;
namespace fs = std::filesystem;

constexpr const char* kSearch = "search_docs";
constexpr std::size_t kMostSections = 20;
constexpr std::size_t kSections = 5;
/// Limits on a tool call: its running time and the size of its answer.
constexpr std::chrono::minutes kLongestCall{60};
constexpr std::size_t kLongestAnswer = std::size_t{64} << 20;

const CommandTool* find_tool(const std::string& name) {
  const auto found = std::ranges::find_if(command_tools(), [&](const CommandTool& tool) { return name == tool.name; });
  return found == command_tools().end() ? nullptr : &*found;
}

Json text_result(std::string text, bool is_error) {
  return {{"content", Json::array({{{"type", "text"}, {"text", std::move(text)}}})}, {"isError", is_error}};
}

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Returns a command line that runs this program, in `folder` if given, and writes its errors to the file `errors`.
std::vector<std::string> shell_words(const std::vector<std::string>& words, const fs::path& errors,
                                     const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> all = {"/bin/sh",
                                  "-c",
                                  R"(cd "$1" && shift && exec 2>"$1" && shift && exec "$@")",
                                  "sh",
                                  folder.empty() ? "." : folder.string(),
                                  errors.string(),
                                  fs::read_symlink("/proc/self/exe", error).string()};
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

Json ended_early(const ChildResult& child) {
  using End = ChildResult::End;
  const char* why = child.end == End::TimedOut  ? "the call did not end in time"
                    : child.end == End::TooLong ? "the answer is too long"
                    : child.end == End::Crashed ? "the command ended by a signal"
                                                : "the command could not be started";
  return text_result(why, true);
}

Json run_command(const ToolCommand& command, const std::atomic<bool>& cancelled) {
  const api::TemporaryFolder folder;
  if (folder.path().empty()) return text_result("no temporary folder could be made: set TMPDIR", true);
  const fs::path errors = folder.path() / "errors.txt";
  const fs::path work = folder.path() / "work";
  const bool has_text = !command.file.empty();
  if (has_text) {
    fs::create_directory(work);
    std::ofstream(work / command.file, std::ios::binary) << command.text;
  }
  const ChildLimits limits{.time = kLongestCall,
                           .memory = std::numeric_limits<std::uint64_t>::max(),
                           .output = kLongestAnswer,
                           .can_write_files = true};
  const ChildResult child = run_child(shell_words(command.words, errors, has_text ? work : fs::path()), "", limits,
                                      {.cancelled = &cancelled});
  if (child.end != ChildResult::End::Exited) return ended_early(child);
  if (!command.has_document) {
    const bool has_answer = !trimmed(child.out).empty();
    return text_result(has_answer ? child.out : contents(errors), !has_answer);
  }
  auto document = nlohmann::ordered_json::parse(child.out, nullptr, false);
  if (document.is_discarded() || !document.is_object()) return text_result(contents(errors) + child.out, true);
  Json result = text_result(document.dump(-1, ' ', false, Json::error_handler_t::replace), false);
  result["structuredContent"] = Json(document);
  return result;
}

void check_search(const Json& arguments) {
  const auto refuse = [](const char* message) { throw RequestError{rpc::kInvalidParams, message}; };
  if (!arguments.is_object() || !arguments.contains("query") || !arguments["query"].is_string()) {
    refuse("expected the argument 'query', a string");
  }
  for (const auto& [name, value] : arguments.items()) {
    if (name != "query" && name != "limit") refuse("the tool search_docs has the arguments 'query' and 'limit'");
  }
  if (!arguments.contains("limit")) return;
  const Json& limit = arguments["limit"];
  if (!limit.is_number_integer() || limit < 1 || limit > kMostSections) refuse("'limit' is not a number from 1 to 20");
}

Json search(const Json& arguments) {
  const std::vector<FoundSection> found =
      search_documents(arguments["query"].get<std::string>(), arguments.value("limit", kSections));
  Json sections = Json::array();
  std::string text = found.empty() ? "no section has these words" : "";
  for (const FoundSection& section : found) {
    sections.push_back({{"path", section.path}, {"heading", section.heading}, {"text", section.text}});
    text += fmt::format("## {} (docs/{})\n\n{}\n\n", section.heading, section.path, section.text);
  }
  Json result = text_result(std::move(text), false);
  result["structuredContent"] = {{"sections", std::move(sections)}};
  return result;
}

Json search_description() {
  const Json properties = {
      {"query", {{"type", "string"}, {"description", "Words to find, such as: acquire pattern fence scope"}}},
      {"limit",
       {{"type", "integer"},
        {"minimum", 1},
        {"maximum", kMostSections},
        {"description", "Number of sections. Default: 5"}}}};
  return {
      {"name", kSearch},
      {"title", "Search the documents"},
      {"description",
       "Searches Ambit's documents (models, the litmus language, CUDA sources, detectors, commands) and returns the "
       "best sections."},
      {"inputSchema",
       {{"type", "object"}, {"properties", properties}, {"required", {"query"}}, {"additionalProperties", false}}},
      {"annotations", {{"readOnlyHint", true}}}};
}

}  // namespace

Json tool_list() {
  Json list = Json::array();
  for (const CommandTool& tool : command_tools()) {
    const bool is_exec = std::string_view(tool.name) == "exec";  // exec runs a program, whose host code may do anything
    list.push_back({{"name", tool.name},
                    {"title", tool.title},
                    {"description", tool.description},
                    {"inputSchema", schema_of(tool)},
                    {"annotations", {{"readOnlyHint", !is_exec}}}});
  }
  list.push_back(search_description());
  return list;
}

void check_call(const std::string& name, const Json& arguments) {
  if (name == kSearch) return check_search(arguments);
  const CommandTool* tool = find_tool(name);
  if (tool == nullptr) throw RequestError{rpc::kInvalidParams, fmt::format("unknown tool: {}", name)};
  command_of(*tool, arguments);
}

Json call_tool(const std::string& name, const Json& arguments, const std::atomic<bool>& cancelled) {
  check_call(name, arguments);
  if (name == kSearch) return search(arguments);
  return run_command(command_of(*find_tool(name), arguments), cancelled);
}

}  // namespace ambit::mcp
