#include "apps/cli/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>

#include "apps/cli/help_formatter.h"
#include "apps/cli/terminal.h"

namespace ambit::cli {
namespace {

/// Returns an error message if the text is not a decimal number in the range of the type; otherwise an empty text.
std::string number_error(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) return text + " is too large";
  const bool is_decimal = error == std::errc() && end == text.data() + text.size();
  const bool has_leading_zero = text.size() > 1 && text.front() == '0';
  return is_decimal && !has_leading_zero ? "" : "expected a decimal number, found '" + text + "'";
}

/// Joins names for a message: "auto, smt or explicit".
std::string one_of(const std::vector<std::string>& names) {
  if (names.size() < 2) return fmt::format("{}", fmt::join(names, ""));
  return fmt::format("{} or {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

std::string choice_error(const std::vector<std::string>& choices, const std::string& text) {
  const bool is_known = std::ranges::find(choices, text) != choices.end();
  return is_known ? "" : fmt::format("expected {}, found '{}'", one_of(choices), text);
}

std::string range_error(std::int64_t low, std::int64_t high, const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_within = error == std::errc() && end == text.data() + text.size() && low <= value && value <= high;
  return is_within ? "" : fmt::format("expected a number from {} to {}, found '{}'", low, high, text);
}

/// Returns the message of a command-line error. Replaces messages of CLI11 that are hard to read.
std::string words_of(const CLI::ParseError& error) {
  std::string text = error.what();
  constexpr std::string_view kNone = ": 1 required ";
  constexpr std::string_view kMissing = " missing";
  if (const std::size_t at = text.find(kNone); at != std::string::npos && text.ends_with(kMissing)) {
    const std::size_t begin = at + kNone.size();
    return fmt::format("{}: expected a value, {}", text.substr(0, at),
                       text.substr(begin, text.size() - kMissing.size() - begin));
  }
  constexpr std::string_view kTooMany = ": At Most 1 required but received ";
  if (const std::size_t at = text.find(kTooMany); at != std::string::npos) {
    return fmt::format("{}: expected one value, found {}; names of a list have commas between them", text.substr(0, at),
                       text.substr(at + kTooMany.size()));
  }
  constexpr std::string_view kTooFew = ": At least ";
  constexpr std::string_view kFound = " required but received ";
  const std::size_t few = text.find(kTooFew);
  const std::size_t found = text.find(kFound);
  if (few == std::string::npos || found == std::string::npos) return text;
  const std::size_t begin = few + kTooFew.size();
  return fmt::format("{}: expected at least {}, found {}", text.substr(0, few), text.substr(begin, found - begin),
                     text.substr(found + kFound.size()));
}

/// Accepts only decimal numbers. Without this check, CLI11 would read "-1" and numbers that are too large as the
/// largest number, and "010" as eight.
Option only_decimal(CLI::Option& option) { return Option(*option.check(CLI::Validator(number_error, ""))); }

template <typename Target>
Option add_argument(CLI::App& app, const std::string& name, Target& target, const std::string& description) {
  return Option(*app.add_option(name, target, description)->option_text(name));
}

}  // namespace

// The checks below have no description, because CLI11 would append a check's description to the value's name in
// --help.

Option Option::describe(const std::string& description) const { return Option(*option_->description(description)); }
Option Option::value_name(const std::string& name) const { return Option(*option_->type_name(name)); }
Option Option::shown_as(const std::string& text) const { return Option(*option_->option_text(text)); }
Option Option::show_default() const { return Option(*option_->capture_default_str()); }
Option Option::show_default(const std::string& text) const { return Option(*option_->default_str(text)); }
Option Option::group(const std::string& title) const { return Option(*option_->group(title)); }
Option Option::required() const { return Option(*option_->required()); }
Option Option::at_least(int count) const { return Option(*option_->expected(count, -1)); }
Option Option::one_value_each() const { return Option(*option_->allow_extra_args(false)); }
Option Option::separated_by(char separator) const { return Option(*option_->delimiter(separator)); }
Option Option::needs(Option other) const { return Option(*option_->needs(other.option_)); }
Option Option::excludes(Option other) const { return Option(*option_->excludes(other.option_)); }

Option Option::range(std::int64_t low, std::int64_t high) const {
  return check([low, high](const std::string& text) { return range_error(low, high, text); });
}

Option Option::positive() const {
  return check([](const std::string& text) {
    double value = 0;
    const bool is_positive = read_number(text, value) && value > 0;
    return is_positive ? std::string() : fmt::format("expected a number above 0, found '{}'", text);
  });
}

Option Option::not_negative() const {
  return check([](const std::string& text) {
    double value = 0;
    const bool is_not_negative = read_number(text, value) && value >= 0;
    return is_not_negative ? std::string() : fmt::format("expected a number from 0, found '{}'", text);
  });
}

Option Option::check(const std::function<std::string(const std::string&)>& problem) const {
  return Option(*option_->check(CLI::Validator(problem, "")));
}

Option Option::transform(const std::function<std::string(std::string&)>& problem) const {
  return Option(*option_->transform(CLI::Validator(problem, "")));
}

std::string Option::name() const { return option_->get_name(); }

std::vector<std::string> Option::names() const {
  std::vector<std::string> names;
  for (const std::string& name : option_->get_snames()) names.push_back("-" + name);
  for (const std::string& name : option_->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string Option::description() const { return option_->get_description(); }
std::string Option::value() const { return value_of(*option_); }
std::string Option::default_value() const { return default_of(*option_); }
std::string Option::group() const { return option_->get_group(); }
bool Option::is_argument() const { return option_->get_positional(); }
bool Option::is_hidden() const { return option_->get_group().empty(); }
bool Option::is_required() const { return option_->get_required(); }
bool Option::is_repeated() const { return option_->get_items_expected_max() > 1; }
bool Option::is_given() const { return option_->count() > 0; }
std::vector<std::string> Option::given() const { return option_->reduced_results(); }

Option Command::option(const std::string& names, std::string& target, const std::string& description) const {
  return Option(*app_->add_option(names, target, description));
}

Option Command::option(const std::string& names, std::optional<std::string>& target,
                       const std::string& description) const {
  return Option(*app_->add_option(names, target, description));
}

Option Command::option(const std::string& names, std::vector<std::string>& target,
                       const std::string& description) const {
  return Option(*app_->add_option(names, target, description));
}

Option Command::option(const std::string& names, int& target, const std::string& description) const {
  return only_decimal(*app_->add_option(names, target, description));
}

Option Command::option(const std::string& names, std::uint32_t& target, const std::string& description) const {
  return only_decimal(*app_->add_option(names, target, description));
}

Option Command::option(const std::string& names, std::uint64_t& target, const std::string& description) const {
  return only_decimal(*app_->add_option(names, target, description));
}

Option Command::option(const std::string& names, double& target, const std::string& description) const {
  return Option(*app_->add_option(names, target, description));
}

Option Command::option(const std::string& names, const Set& set, const std::string& description) const {
  return Option(*app_->add_option_function(names, set, description));
}

Option Command::option(const std::string& names, const SetList& set, const std::string& description) const {
  return Option(*app_->add_option_function(names, set, description));
}

Option Command::option(const std::string& names, const std::function<void(std::uint32_t)>& set,
                       const std::string& description) const {
  return only_decimal(*app_->add_option_function<std::uint32_t>(names, set, description));
}

Option Command::argument(const std::string& name, std::string& target, const std::string& description) const {
  return add_argument(*app_, name, target, description);
}

Option Command::argument(const std::string& name, std::vector<std::string>& target,
                         const std::string& description) const {
  return add_argument(*app_, name, target, description);
}

Option Command::choice(const std::string& names, const std::vector<std::string>& choices, const Set& set,
                       const std::string& description) const {
  // The option stores its value through a function that takes a string. With an enum, CLI11 would print values with our
  // to_string, which returns a string_view that CLI11 does not accept.
  return Option(
      *app_->add_option_function(names, set, description)
           ->type_name(fmt::format("{}", fmt::join(choices, "|")))
           ->check(CLI::Validator([choices](const std::string& text) { return choice_error(choices, text); }, "")));
}

Option Command::flag(const std::string& names, bool& target, const std::string& description) const {
  return Option(*app_->add_flag(names, target, description));
}

Option Command::flag(const std::string& names, const std::function<void()>& set, const std::string& description) const {
  return Option(*app_->add_flag_callback(names, set, description));
}

Option Command::flag_with_values(const std::string& names, const SetList& set, const std::string& description) const {
  const auto read = [set](std::vector<std::string> values) {
    std::erase(values, "true");  // CLI11 stores "true" if the flag has no value
    set(values);
    return true;
  };
  return Option(*app_->add_option(names, CLI::callback_t(read), description)
                     ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
                     ->expected(0));
}

Command Command::command(const std::string& name, const std::string& description) const {
  return Command(*app_->add_subcommand(name, description));
}

void Command::require_command() const { app_->require_subcommand(1); }
void Command::hide() const { app_->group(""); }

std::string Command::name() const { return app_->get_name(); }
std::string Command::description() const { return app_->get_description(); }

std::vector<Option> Command::options() const {
  std::vector<Option> options;
  for (CLI::Option* option : app_->get_options()) options.emplace_back(*option);
  return options;
}

Option Command::find_option(const std::string& name) const { return Option(*app_->get_option(name)); }

std::vector<Command> Command::commands() const {
  std::vector<Command> commands;
  for (CLI::App* command : app_->get_subcommands([](const CLI::App*) { return true; })) commands.emplace_back(*command);
  return commands;
}

Command Command::parent() const { return Command(*app_->get_parent()); }
bool Command::is_hidden() const { return app_->get_group().empty(); }
bool Command::is_given() const { return app_->parsed(); }
void Command::takes_command() const { app_->prefix_command(); }
bool Command::is_given_command() const { return app_->get_prefix_command(); }
std::vector<std::string> Command::unknown_words() const { return app_->remaining(); }

std::string Command::help() const {
  // App::help() of CLI11 is not used: called on the program, it prints the help of the selected command.
  const CLI::App* parent = app_->get_parent();
  const std::string name = parent == nullptr ? app_->get_name() : parent->get_name() + " " + app_->get_name();
  return app_->get_formatter()->make_help(app_, name, CLI::AppFormatMode::Normal);
}

struct CommandLine::State {
  CLI::App app;
  int status = 0;
  bool runs_commands = true;
};

CommandLine::CommandLine(const std::string& name, const std::string& description, const std::string& version)
    : state_(std::make_unique<State>()) {
  state_->app.name(name);
  state_->app.description(description);
  state_->app.set_version_flag("--version", version);
  state_->app.require_subcommand(1);
  state_->app.formatter(std::make_shared<HelpFormatter>(terminal_width(1)));
}

CommandLine::CommandLine(CommandLine&&) noexcept = default;
CommandLine::~CommandLine() = default;

void CommandLine::add(const std::string& name, const std::string& description,
                      const std::function<Action(Command)>& declare) {
  CLI::App* command = state_->app.add_subcommand(name, description);
  command->callback([action = declare(Command(*command)), &state = *state_] {
    if (state.runs_commands) state.status = action();
  });
}

Command CommandLine::program() const { return Command(state_->app); }

int CommandLine::run(int argc, const char* const* argv) {
  try {
    state_->app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw UsageError(words_of(error));
    return state_->app.exit(error);  // CLI11 throws --help and --version as errors
  }
  return state_->status;
}

void CommandLine::read(const std::vector<std::string>& words) {
  state_->runs_commands = false;
  try {
    state_->app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 reads the words in reverse
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.get_exit_code() != 0 ? words_of(error) : "expected a command line that runs a command");
  }
}

bool read_number(const std::string& text, double& number) { return CLI::detail::lexical_cast(text, number); }
bool read_number(const std::string& text, std::uint64_t& number) { return CLI::detail::lexical_cast(text, number); }

std::string into_bytes(std::string& text) {
  try {
    return CLI::AsSizeValue(false)(text);
  } catch (const CLI::ValidationError& error) {
    return error.what();
  }
}

}  // namespace ambit::cli
