#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "apps/manual/completion.h"

/// The generated script has three tables: the options of each command, the values of each option, and the arguments of
/// each command. Each table is a shell function with case patterns. The function `_ambit` reads the tables.
namespace ambit::manual {
namespace {

constexpr const char* kFunction = R"(
_ambit() {
  local cur=${COMP_WORDS[COMP_CWORD]} command= expects= prefix= argument=0 i word kind words list
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == "=" ]]; then continue; fi
    if [[ -n $expects ]]; then expects=; continue; fi
    if [[ $word == -?* ]]; then
      _ambit_option "$command" "$word"
      if [[ $kind != flag ]]; then expects=$word; fi
    elif _ambit_is_command "$command" "$word"; then
      command+=${command:+ }$word
    else
      argument=$((argument + 1))
    fi
  done
  if [[ $cur == "=" ]]; then cur=; fi
  if [[ -n $expects ]]; then
    _ambit_option "$command" "$expects"
  elif [[ $cur == -* ]]; then
    _ambit_options "$command"
  else
    _ambit_argument "$command" "$argument"
  fi
  if [[ -n $list ]]; then prefix=${cur%"${cur##*,}"}; fi
  COMPREPLY=($(compgen -W "$words" -P "$prefix" -- "${cur#"$prefix"}"))
  if [[ -n $list ]]; then compopt -o nospace 2>/dev/null; fi
  if [[ -n $prefix || $kind != files && $kind != folders ]]; then return; fi
  local what=-f path
  if [[ $kind == folders ]]; then what=-d; fi
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$what" -- "$cur")
  compopt -o filenames 2>/dev/null
}

complete -F _ambit ambit
)";

/// Returns shell assignments that describe a parameter: "kind=files list=1 words='a b'".
std::string assignments(const Parameter& parameter) {
  const char* kind = parameter.is_flag()                 ? "flag"
                     : parameter.paths == Paths::Files   ? "files"
                     : parameter.paths == Paths::Folders ? "folders"
                                                         : "value";
  return fmt::format("kind={} list={} words='{}'", kind, parameter.is_list ? "1" : "",
                     fmt::join(parameter.choices, " "));
}

struct Tables {
  std::string options;    ///< options of each command
  std::string values;     ///< values of each option
  std::string arguments;  ///< arguments of each command
  std::string commands;   ///< subcommands of each command
};

/// Adds a command to the tables. `path`: the words that name the command: "", "check", "trace convert".
void add(Tables& tables, const Command& command, const std::string& path) {
  std::vector<std::string> names;
  for (const Parameter& option : command.options) {
    std::string pattern;
    for (const std::string& name : option.names) {
      names.push_back(name);
      pattern += fmt::format("{}'{} {}'", pattern.empty() ? "" : " | ", path, name);
    }
    tables.values += fmt::format("    {}) {} ;;\n", pattern, assignments(option));
  }
  tables.options += fmt::format("    '{}') words='{}' ;;\n", path, fmt::join(names, " "));
  for (std::size_t i = 0; i < command.arguments.size(); ++i) {
    const Parameter& argument = command.arguments[i];
    const std::string index = argument.is_repeated ? "*" : fmt::format("{}", i);
    tables.arguments += fmt::format("    '{} '{}) {} ;;\n", path, index, assignments(argument));
  }
  std::vector<std::string> inner;
  for (const Command& one : command.commands) {
    inner.push_back(one.name);
    tables.commands += fmt::format("'{} {}' | ", path, one.name);
    add(tables, one, path.empty() ? one.name : path + " " + one.name);
  }
  if (!inner.empty()) tables.arguments += fmt::format("    '{} '*) words='{}' ;;\n", path, fmt::join(inner, " "));
}

/// Returns a shell function that looks up its arguments in a table of case patterns.
std::string lookup(const char* name, const char* key, const std::string& table) {
  return fmt::format("\n{}() {{\n  kind= list= words=\n  case {} in\n{}    *) kind=flag ;;\n  esac\n}}\n", name, key,
                     table);
}

}  // namespace

std::string bash_completion(const Command& program) {
  Tables tables;
  add(tables, program, "");
  const std::string commands = tables.commands.substr(0, tables.commands.size() - 3);
  return "# Completion of ambit in bash. Made from the declarations that --help shows.\n" +
         lookup("_ambit_options", "\"$1\"", tables.options) + lookup("_ambit_option", "\"$1 $2\"", tables.values) +
         lookup("_ambit_argument", "\"$1 $2\"", tables.arguments) +
         fmt::format("\n_ambit_is_command() {{\n  case \"$1 $2\" in\n    {}) return 0 ;;\n  esac\n  return 1\n}}\n",
                     commands) +
         kFunction;
}

}  // namespace ambit::manual
