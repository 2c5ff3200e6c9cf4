#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "apps/manual/completion.h"

/// The generated script has one line for each option and value. A line applies only if the command line contains the
/// line's command.
namespace ambit::manual {
namespace {

constexpr const char* kFunctions = R"(
# Whether the command line names the command in the arguments, and no subcommand of this command.
function __ambit_at
    set -l given
    for word in (commandline -opc)[2..-1]
        string match -q -- '-*' $word; and continue
        contains -- "$given $word" $__ambit_commands; or continue
        set given "$given $word"
    end
    test "$given" = "$argv[1]"
end

# The values in the arguments, behind those that the word already holds: "sc,ptx".
function __ambit_list
    set -l before (commandline -ct | string replace -r '^--[^=]*=' '' | string match -r '^.*,')
    printf "$before%s\n" $argv
end
)";

std::string single_quoted(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return "'" + out + "'";
}

/// Returns the part of a line that describes how to complete a value: " -x -a 'auto smt explicit'", " -r -F".
std::string values(const Parameter& parameter) {
  std::string choices = fmt::format("{}", fmt::join(parameter.choices, " "));
  if (parameter.is_list && !choices.empty()) choices = fmt::format("(__ambit_list {})", choices);
  std::string out = choices.empty() ? "" : " -a " + single_quoted(choices);
  if (parameter.paths == Paths::Folders) return out + " -x -a '(__fish_complete_directories)'";
  return out + (parameter.paths == Paths::Files ? " -r -F" : " -x");
}

/// Returns the lines for a command and its subcommands. `path`: the words that name the command: "", " check", " trace
/// convert".
std::string lines(const Command& command, const std::string& path) {
  const std::string begin = fmt::format("complete -c ambit -n '__ambit_at \"{}\"'", path);
  std::string out;
  for (const Command& one : command.commands) {
    out += fmt::format("{} -f -a {} -d {}\n", begin, one.name, single_quoted(one.description));
  }
  for (const Parameter& argument : command.arguments) {
    const bool are_files = argument.paths != Paths::None;
    if (!argument.choices.empty())
      out += fmt::format("{} -a {}\n", begin, single_quoted(fmt::format("{}", fmt::join(argument.choices, " "))));
    out += fmt::format("{} {}\n", begin, are_files ? "-F" : "-f");
  }
  for (const Parameter& option : command.options) {
    out += begin;
    for (const std::string& name : option.names) {
      out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    if (!option.is_flag()) out += values(option);
    out += fmt::format(" -d {}\n", single_quoted(option.description));
  }
  for (const Command& one : command.commands) out += lines(one, path + " " + one.name);
  return out;
}

/// Returns the paths of a command and of its subcommands: " check", " trace", " trace convert".
std::string paths(const Command& command, const std::string& path) {
  std::string out;
  for (const Command& one : command.commands) {
    const std::string inner = path + " " + one.name;
    out += " " + single_quoted(inner) + paths(one, inner);
  }
  return out;
}

}  // namespace

std::string fish_completion(const Command& program) {
  return "# Completion of ambit in fish. Made from the declarations that --help shows.\n" +
         fmt::format("set -g __ambit_commands{}\n", paths(program, "")) + kFunctions + "\ncomplete -c ambit -f\n" +
         lines(program, "");
}

}  // namespace ambit::manual
