#include "runner/tools/tool_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <regex>
#include <sstream>
#include <system_error>

#include "base/child_process.h"

namespace ambit::tools {
namespace {

constexpr std::size_t kMostReports = 3;
constexpr std::size_t kMostOutput = std::size_t{64} << 20;

std::vector<std::regex> compiled(const std::vector<std::string>& expressions) {
  return {expressions.begin(), expressions.end()};
}

bool matches_any(const std::string& line, const std::vector<std::regex>& expressions) {
  return std::any_of(expressions.begin(), expressions.end(),
                     [&](const std::regex& one) { return std::regex_search(line, one); });
}

/// Returns the first line that contains text, or "".
std::string first_line(const std::string& output) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" \t\r") != std::string::npos) return line;
  }
  return {};
}

/// Returns the command with its placeholders replaced.
std::vector<std::string> filled(std::vector<std::string> command, const std::string& stem, const ToolOptions& options) {
  const std::vector<std::pair<std::string, std::string>> words = {
      {"{source}", stem + ".cu"}, {"{program}", stem}, {"{runs}", fmt::format("{}", options.runs)}};
  for (std::string& argument : command) {
    for (const auto& [word, value] : words) {
      for (std::size_t at = argument.find(word); at != std::string::npos; at = argument.find(word, at + value.size())) {
        argument.replace(at, word.size(), value);
      }
    }
  }
  return command;
}

/// The result of a command. The command has exited unless the kind is Failed.
struct Finished {
  ToolAnswer::Kind kind = ToolAnswer::Kind::NoRace;
  std::string why;
  int status = 0;
  std::string output;
};
Finished run_command(std::vector<std::string> command, const ToolOptions& options,
                     const std::atomic<bool>& interrupted) {
  using Kind = ToolAnswer::Kind;
  const std::string name = command.front();
  const auto program = name.find('/') == std::string::npos ? find_in_path(name) : std::optional(name);
  if (!program) return {Kind::Failed, fmt::format("'{}' is not installed", name), 0, {}};
  command.front() = *program;
  // There is no memory limit, because CUDA programs reserve more address space than the computer has memory.
  const ChildLimits limits{.time = options.timeout,
                           .memory = std::numeric_limits<std::uint64_t>::max(),
                           .output = kMostOutput,
                           .can_write_files = true};
  const Waiter waiter{.cancelled = &interrupted};
  ChildResult child = run_child(command, "", limits, waiter, Errors::Kept);
  using End = ChildResult::End;
  switch (child.end) {
    case End::Exited: return {Kind::NoRace, {}, child.status, std::move(child.out)};
    case End::TimedOut:
      return {Kind::Failed, fmt::format("'{}' did not end within {} s", name, options.timeout.count()), 0,
              std::move(child.out)};
    case End::TooLong: return {Kind::Failed, fmt::format("'{}' wrote more than 64 MiB", name), 0, std::move(child.out)};
    case End::Crashed: return {Kind::Failed, fmt::format("'{}' crashed", name), 0, std::move(child.out)};
    case End::Abandoned: return {Kind::Interrupted, {}, 0, {}};
    case End::NotStarted: break;
  }
  return {Kind::Failed, fmt::format("'{}' cannot be started", name), 0, {}};
}

}  // namespace

std::string missing_program(const Adapter& adapter) {
  for (const auto* command : {&adapter.compile, &adapter.run}) {
    if (command->empty() || command->front().find_first_of("/{") != std::string::npos) continue;
    if (!find_in_path(command->front())) return command->front();
  }
  return {};
}

ToolAnswer read_answer(const Adapter& adapter, const std::string& output, int status) {
  using Kind = ToolAnswer::Kind;
  const std::vector<std::regex> race = compiled(adapter.race);
  const std::vector<std::regex> ended = compiled(adapter.ended);
  ToolAnswer answer;
  bool has_ended = ended.empty();
  bool is_racy = false;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    has_ended = has_ended || matches_any(line, ended);
    if (!matches_any(line, race)) continue;
    is_racy = true;
    if (answer.reports.size() < kMostReports) answer.reports.push_back(line);
  }
  const bool is_known = std::find(adapter.statuses.begin(), adapter.statuses.end(), status) != adapter.statuses.end();
  if (is_racy) {
    answer.kind = Kind::Race;
  } else if (!is_known) {
    answer.why = fmt::format("exit status {}: {}", status, first_line(output));
  } else if (!has_ended) {
    answer.why = output.empty() ? "the tool printed nothing"
                                : fmt::format("no line says that the tool has ended: {}", first_line(output));
  } else {
    answer.kind = Kind::NoRace;
  }
  return answer;
}

ToolAnswer run_tool(const Adapter& adapter, const std::string& program, const std::string& stem,
                    const ToolOptions& options, const std::atomic<bool>& interrupted) {
  using Kind = ToolAnswer::Kind;
  const std::string source = stem + ".cu";
  const auto clean = [&](ToolAnswer answer) {
    std::error_code ignored;
    std::filesystem::remove(source, ignored);
    std::filesystem::remove(stem, ignored);
    return answer;
  };
  std::ofstream out(source);
  out << program;
  out.close();
  if (!out) return clean({Kind::Failed, fmt::format("{} cannot be written", source), {}});
  if (!adapter.compile.empty()) {
    const Finished compiler = run_command(filled(adapter.compile, stem, options), options, interrupted);
    if (compiler.kind == Kind::Interrupted) return clean({Kind::Interrupted, {}, {}});
    if (compiler.kind == Kind::Failed) return clean({Kind::NotCompiled, compiler.why, {}});
    if (compiler.status != 0) {
      return clean(
          {Kind::NotCompiled, fmt::format("exit status {}: {}", compiler.status, first_line(compiler.output)), {}});
    }
  }
  const Finished tool = run_command(filled(adapter.run, stem, options), options, interrupted);
  if (tool.kind == Kind::Interrupted) return clean({Kind::Interrupted, {}, {}});
  ToolAnswer answer = read_answer(adapter, tool.output, tool.status);
  // A tool that was stopped may still have reported a race.
  if (tool.kind == Kind::Failed && answer.kind != Kind::Race) answer = {Kind::Failed, tool.why, {}};
  return clean(std::move(answer));
}

}  // namespace ambit::tools
