#include "apps/cli/campaign_words.h"

#include <algorithm>
#include <utility>

#include "apps/cli/command_table.h"
#include "apps/cli/usage.h"

namespace ambit::cli {
namespace {

using Words = std::vector<std::string>;

/// The options and arguments that the parser finds in a command line.
struct Reading {
  std::vector<std::pair<std::string, Words>> options;  ///< names and values
  Words arguments;
};

/// Returns a message without "error: " and the final line break, because the code that catches UsageError adds both.
std::string without_frame(const std::string& message) {
  constexpr std::string_view kBegin = "error: ";
  const std::size_t begin = message.starts_with(kBegin) ? kBegin.size() : 0;
  return message.substr(begin, message.find_last_not_of('\n') + 1 - begin);
}

Reading read(const Words& words) {
  CommandLine line = declare_program();
  if (const std::string error = unknown_command(line.program(), words.front()); !error.empty()) {
    throw UsageError(without_frame(error));
  }
  try {
    line.read(words);
  } catch (const UsageError& error) {
    const std::string wrong = wrong_use(line.program());
    throw UsageError(wrong.empty() ? error.what() : without_frame(wrong));
  }
  Reading reading;
  for (const Option option : find_command(line.program(), words.front())->options()) {
    if (!option.is_given()) continue;
    const Words values = option.given();
    if (option.is_argument()) {
      reading.arguments.insert(reading.arguments.end(), values.begin(), values.end());
    } else {
      reading.options.emplace_back(option.name(), values);
    }
  }
  return reading;
}

}  // namespace

CommandWords divide_command_line(const Words& words) {
  const Reading reading = read(words);
  CommandWords divided{.command = words.front(), .options = {}, .arguments = reading.arguments, .rest = {}};
  for (const auto& [name, values] : reading.options) divided.options.push_back(name);
  std::size_t next = 0;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool is_argument = next < reading.arguments.size() && words[i] == reading.arguments[next];
    if (is_argument) {
      ++next;
    } else if (words[i] != "--") {
      divided.rest.push_back(words[i]);
    }
  }
  // If an argument equals an option's value, the loop may remove the wrong word. Then the command line changes.
  Words again = {divided.command};
  again.insert(again.end(), divided.rest.begin(), divided.rest.end());
  again.emplace_back("--");
  again.insert(again.end(), divided.arguments.begin(), divided.arguments.end());
  const Reading other = read(again);
  if (other.options != reading.options || other.arguments != reading.arguments) {
    throw UsageError("an argument is equal to the value of an option: write the options in the form --option=value");
  }
  return divided;
}

}  // namespace ambit::cli
