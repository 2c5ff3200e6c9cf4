#include "apps/manual/description.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ambit::manual {
namespace {

/// Splits the name of a value: "FILES|DIRS" into "FILES", "DIRS"; "LOG LOG..." into "LOG", "LOG"; "a|b[,...]" into "a",
/// "b".
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

/// Returns whether a word is a possible value. A word with capital letters, such as "FILE", is not a value but names a
/// kind of value.
bool is_choice(std::string_view word) {
  return std::ranges::none_of(word, [](const char c) { return c >= 'A' && c <= 'Z'; });
}

bool names_files(std::string_view word) {
  constexpr std::array<std::string_view, 8> kFiles = {"FILE", "FILES", "LOG", "TRACE", "TEST", "IN", "OUT", "SUITE"};
  return std::ranges::find(kFiles, word) != kFiles.end();
}

/// Derives a parameter's choices and paths from the words in the name of its value.
void explain_value(Parameter& parameter, const KnownNames& names) {
  parameter.is_list = parameter.value.find("[,") != std::string::npos;
  for (const std::string& word : words_of(parameter.value)) {
    if (is_choice(word)) parameter.choices.push_back(word);
    if (word == "MODEL") parameter.choices = names.models;
    if (word == "DETECTOR") parameter.choices = names.detectors;
    if (names_files(word)) parameter.paths = Paths::Files;
    if (word == "DIR" && parameter.paths == Paths::None) parameter.paths = Paths::Folders;
    if (word == "MODEL" && parameter.is_list) parameter.paths = Paths::Files;  // a list of models may have .cat files
  }
}

Parameter describe(cli::Option option, const KnownNames& names) {
  Parameter parameter;
  parameter.names = option.names();
  parameter.value = option.value();
  parameter.default_value = option.default_value();
  parameter.description = option.description();
  parameter.group = option.group();
  parameter.is_required = option.is_required();
  parameter.is_repeated = option.is_repeated();
  explain_value(parameter, names);
  return parameter;
}

}  // namespace

Command describe(cli::Command declared, const KnownNames& names) {
  Command command;
  command.name = declared.name();
  command.description = declared.description();
  for (const cli::Option option : declared.options()) {
    if (option.is_hidden()) continue;
    (option.is_argument() ? command.arguments : command.options).push_back(describe(option, names));
  }
  for (const cli::Command one : declared.commands()) {
    if (!one.is_hidden()) command.commands.push_back(describe(one, names));
  }
  return command;
}

}  // namespace ambit::manual
