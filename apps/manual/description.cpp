#include "apps/manual/description.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/cli/help_formatter.h"

namespace ambit::manual {
namespace {

/// "FILES|DIRS" as "FILES", "DIRS"; "LOG LOG..." as "LOG", "LOG"; "a|b[,...]" as "a", "b".
std::vector<std::string> words_of(const std::string& value) {
  std::vector<std::string> words;
  std::istringstream in(value.substr(0, value.find('[')));
  for (std::string part; in >> part;) {
    std::istringstream alternatives(part);
    for (std::string word; std::getline(alternatives, word, '|');) {
      while (word.ends_with('.')) word.pop_back();
      words.push_back(std::move(word));
    }
  }
  return words;
}

/// What stands for a value is written in capitals; a word in small letters is the value itself.
bool is_choice(std::string_view word) {
  return std::ranges::none_of(word, [](const char c) { return c >= 'A' && c <= 'Z'; });
}

bool stands_for_files(std::string_view word) {
  constexpr std::array<std::string_view, 8> kFiles = {"FILE", "FILES", "LOG", "TRACE", "TEST", "IN", "OUT", "SUITE"};
  return std::ranges::find(kFiles, word) != kFiles.end();
}

/// Fills in what the value's words stand for.
void explain_value(Parameter& parameter, const KnownNames& names) {
  parameter.is_list = parameter.value.find("[,") != std::string::npos;
  for (const std::string& word : words_of(parameter.value)) {
    if (is_choice(word)) parameter.choices.push_back(word);
    if (word == "MODEL") parameter.choices = names.models;
    if (word == "DETECTOR") parameter.choices = names.detectors;
    if (stands_for_files(word)) parameter.paths = Paths::Files;
    if (word == "DIR" && parameter.paths == Paths::None) parameter.paths = Paths::Folders;
    if (word == "MODEL" && parameter.is_list) parameter.paths = Paths::Files;  // or a .cat file
  }
}

Parameter describe(const CLI::Option& option, const KnownNames& names) {
  Parameter parameter;
  for (const std::string& name : option.get_snames()) parameter.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) parameter.names.push_back("--" + name);
  parameter.value = cli::value_of(option);
  parameter.default_value = cli::default_of(option);
  parameter.description = option.get_description();
  parameter.group = option.get_group();
  parameter.is_required = option.get_required();
  parameter.is_repeated = option.get_items_expected_max() > 1;
  explain_value(parameter, names);
  return parameter;
}

}  // namespace

Command describe(const CLI::App& app, const KnownNames& names) {
  Command command;
  command.name = app.get_name();
  command.description = app.get_description();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    (option->get_positional() ? command.arguments : command.options).push_back(describe(*option, names));
  }
  for (const CLI::App* one : app.get_subcommands({})) {
    if (!one->get_group().empty()) command.commands.push_back(describe(*one, names));
  }
  return command;
}

}  // namespace ambit::manual
