#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
// Their header costs seconds a file: only command_line.cpp and help_formatter.cpp are compiled with it.
class App;
class Option;
}  // namespace CLI

namespace ambit::cli {

/// What is wrong with a command line. Reading one throws it, and so do actions whose options make no sense together.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& message) : std::runtime_error(message) {}
  UsageError(const std::string& option, const std::string& problem) : UsageError(option + ": " + problem) {}
};

/// An option, a flag or an argument: a handle, valid as long as the command line. Each declaration returns the
/// option again.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  /// Replaces the text in --help.
  Option describe(const std::string& description) const;
  /// The value's name: "FILE", "auto|smt|explicit". --help, man pages and completions read what can be given there.
  Option value_name(const std::string& name) const;
  /// All that --help shows behind the option's names, in place of the value's name and the default.
  Option shown_as(const std::string& text) const;
  /// Shows the value that the target has now, or `text`, as the default.
  Option show_default() const;
  Option show_default(const std::string& text) const;
  /// The heading in --help.
  Option group(const std::string& title) const;
  Option required() const;
  /// Takes `count` values or more.
  Option at_least(int count) const;
  /// Takes one value each time it is given: the word after it is something else.
  Option one_value_each() const;
  /// Takes several values in one word.
  Option separated_by(char separator) const;
  Option needs(Option other) const;
  Option excludes(Option other) const;
  /// Takes numbers from `low` to `high`, numbers above 0, numbers from 0.
  Option range(std::int64_t low, std::int64_t high) const;
  Option positive() const;
  Option not_negative() const;
  /// `problem` gets the value as written and returns what is wrong with it; empty: nothing.
  Option check(const std::function<std::string(const std::string& value)>& problem) const;
  /// The same; `problem` may change the value, and runs before all checks.
  Option transform(const std::function<std::string(std::string& value)>& problem) const;

  /// As in messages: "--model", or the argument's name.
  std::string name() const;
  std::vector<std::string> names() const;  ///< "-m", "--model"; empty: an argument
  std::string description() const;
  /// The value that it takes, as in --help: "FILE", "MODEL[,MODEL]". Empty: none.
  std::string value() const;
  /// The default that --help shows; empty: none.
  std::string default_value() const;
  std::string group() const;
  bool is_argument() const;
  bool is_hidden() const;  ///< not in --help
  bool is_required() const;
  bool is_repeated() const;  ///< takes more than one value
  bool is_given() const;     ///< on the command line that was read

 private:
  CLI::Option* option_;
};

/// A command, or the program: a handle, valid as long as the command line.
class Command {
 public:
  using Set = std::function<void(const std::string& value)>;
  using SetList = std::function<void(const std::vector<std::string>& values)>;

  explicit Command(CLI::App& app) : app_(&app) {}

  /// Declares an option whose value is stored in `target`, which outlives the command line, or given to `set`. `names`
  /// as in "-m,--model".
  Option option(const std::string& names, std::string& target, const std::string& description) const;
  Option option(const std::string& names, std::optional<std::string>& target, const std::string& description) const;
  Option option(const std::string& names, std::vector<std::string>& target, const std::string& description) const;
  Option option(const std::string& names, int& target, const std::string& description) const;
  Option option(const std::string& names, std::uint32_t& target, const std::string& description) const;
  Option option(const std::string& names, std::uint64_t& target, const std::string& description) const;
  Option option(const std::string& names, double& target, const std::string& description) const;
  Option option(const std::string& names, const Set& set, const std::string& description) const;
  Option option(const std::string& names, const SetList& set, const std::string& description) const;
  Option option(const std::string& names, const std::function<void(std::uint32_t)>& set,
                const std::string& description) const;
  /// Declares an argument. --help shows its name as what it can be, unless Option::shown_as says more.
  Option argument(const std::string& name, std::string& target, const std::string& description) const;
  Option argument(const std::string& name, std::vector<std::string>& target, const std::string& description) const;
  /// Declares an option or argument that takes one of `choices`, which are the value's name: "text|json|herd".
  Option choice(const std::string& names, const std::vector<std::string>& choices, const Set& set,
                const std::string& description) const;
  Option flag(const std::string& names, bool& target, const std::string& description) const;
  Option flag(const std::string& names, const std::function<void()>& set, const std::string& description) const;
  /// Declares a flag with values only behind '=': a word that follows is not its value. `set` gets those values.
  Option flag_with_values(const std::string& names, const SetList& set, const std::string& description) const;
  /// Declares a command within this one.
  Command command(const std::string& name, const std::string& description) const;
  /// One of the commands within must be given.
  void require_command() const;
  /// The first word that is no option, and all behind it, are a command of their own: unknown_words() returns them.
  void takes_command() const;
  /// Whether takes_command() was called.
  bool is_given_command() const;
  /// Leaves the command out of --help.
  void hide() const;

  std::string name() const;
  std::string description() const;
  std::vector<Option> options() const;
  /// The option or argument of this name, which must be declared.
  Option find_option(const std::string& name) const;
  std::vector<Command> commands() const;
  Command parent() const;
  bool is_hidden() const;
  bool is_given() const;  ///< on the command line that was read
  /// Words of the command line that was read that are no option, value or argument.
  std::vector<std::string> unknown_words() const;
  /// What --help prints.
  std::string help() const;

 private:
  CLI::App* app_;
};

/// Runs a command after the command line was read; returns the exit status (ExitCode).
using Action = std::function<int()>;

/// All that a program understands on its command line.
class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& description, const std::string& version);
  CommandLine(CommandLine&&) noexcept;
  ~CommandLine();

  /// Adds a command; `declare` declares its options and returns what it does.
  void add(const std::string& name, const std::string& description, const std::function<Action(Command)>& declare);
  Command program() const;
  /// Reads a command line and runs its command, whose status it returns; --help and --version are printed, with
  /// status 0. Throws UsageError.
  int run(int argc, const char* const* argv);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads a number as options of this type do. False: the text is none.
bool read_number(const std::string& text, double& number);
bool read_number(const std::string& text, std::uint64_t& number);

/// For Option::transform: turns "512MiB" into bytes. Returns what is wrong; empty: nothing. Reads -1 as 2^64 - 1.
std::string into_bytes(std::string& text);

}  // namespace ambit::cli
