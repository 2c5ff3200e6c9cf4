#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "apps/manual/completion.h"

/// The generated script has one function per command. The function describes the command's options and arguments for
/// zsh's `_arguments`.
namespace ambit::manual {
namespace {

/// Escapes text for single quotes: adds a backslash before each of the `special` characters.
std::string escaped(const std::string& text, const std::string& special) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (special.find(c) != std::string::npos) out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

/// Returns the action that completes a value: "(auto smt explicit)", "_files".
std::string action(const Parameter& parameter) {
  const std::string choices = fmt::format("{}", fmt::join(parameter.choices, " "));
  const bool are_files = parameter.paths == Paths::Files;
  if (parameter.is_list && !choices.empty()) {
    return fmt::format("{{_values -s , value {}{}}}", choices, are_files ? " || _files" : "");
  }
  if (!choices.empty() && are_files) return fmt::format("{{compadd - {}; _files}}", choices);
  if (!choices.empty()) return fmt::format("({})", choices);
  return are_files ? "_files" : parameter.paths == Paths::Folders ? "_files -/" : "";
}

/// Returns the part of an `_arguments` specification that describes a value: ":VALUE:action".
std::string value(const Parameter& parameter) {
  return fmt::format(":{}:{}", escaped(parameter.value, ":\\"), action(parameter));
}

/// Returns the specification of an option for `_arguments`: "'(-q --quiet)'{-q,--quiet}'[Print less]'".
std::string specification(const Parameter& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) {
    const char* attached = option.is_flag() ? "" : name.starts_with("--") ? "=" : "+";
    names.push_back(name + attached);
  }
  const std::string described =
      fmt::format("[{}]{}", escaped(option.description, "[]:\\"), option.is_flag() ? "" : value(option));
  const std::string excluded = option.is_repeated ? "*" : fmt::format("({})", fmt::join(option.names, " "));
  if (names.size() == 1) return fmt::format("'{}{}{}'", excluded, names.front(), described);
  return fmt::format("'{}'{{{}}}'{}'", excluded, fmt::join(names, ","), described);
}

std::string function_name(const std::string& path) { return path.empty() ? "_ambit" : "_ambit_" + path; }

/// Returns the functions for a command and its subcommands. `path`: the words that name the command: "trace_convert".
std::string functions(const Command& command, const std::string& path) {
  std::string out;
  std::string described;
  for (const Command& one : command.commands) {
    out += functions(one, path.empty() ? one.name : path + "_" + one.name);
    described += fmt::format("    '{}:{}'\n", one.name, escaped(one.description, ":\\"));
  }
  out += fmt::format("\n{}() {{\n", function_name(path));
  if (!command.commands.empty()) {
    out += fmt::format("  local curcontext=\"$curcontext\" state line\n  local -a commands=(\n{}  )\n", described);
  }
  out += fmt::format("  _arguments {}", command.commands.empty() ? "-s -S" : "-C");
  for (const Parameter& option : command.options) out += " \\\n    " + specification(option);
  for (std::size_t i = 0; i < command.arguments.size(); ++i) {
    const Parameter& argument = command.arguments[i];
    const std::string index = argument.is_repeated ? "*" : fmt::format("{}", i + 1);
    out += fmt::format(" \\\n    '{}{}'", index, value(argument));
  }
  if (command.commands.empty()) return out + "\n}\n";
  return out + fmt::format(
                   " \\\n    '1: :->command' '*:: :->argument'\n"
                   "  case $state in\n    command) _describe command commands ;;\n"
                   "    argument) (( $+functions[{0}_$line[1]] )) && {0}_$line[1] ;;\n  esac\n}}\n",
                   function_name(path));
}

}  // namespace

std::string zsh_completion(const Command& program) {
  return "#compdef ambit\n# Completion of ambit in zsh. Made from the declarations that --help shows.\n" +
         functions(program, "") + "\n_ambit \"$@\"\n";
}

}  // namespace ambit::manual
