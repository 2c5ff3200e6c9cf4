#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
// Their header costs seconds per file, so only command_line.cpp and help_formatter.cpp include it.
class App;
class Option;
}  // namespace CLI

namespace ambit::cli {

/// An error in a command line. Thrown while the command line is read, and by actions whose options contradict each
/// other.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& message) : std::runtime_error(message) {}
  UsageError(const std::string& option, const std::string& problem) : UsageError(option + ": " + problem) {}
};

/// A handle of an option, a flag or an argument, valid as long as the command line. Each function that changes the
/// declaration returns the handle again.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  /// Replaces the text in --help.
  Option describe(const std::string& description) const;
  /// Sets the value's name: "FILE", "auto|smt|explicit". --help, man pages and completions derive the possible values
  /// from this name.
  Option value_name(const std::string& name) const;
  /// Replaces the text that --help shows after the option's names: the value's name and the default.
  Option shown_as(const std::string& text) const;
  /// Shows the target's current value, or `text`, as the default.
  Option show_default() const;
  Option show_default(const std::string& text) const;
  /// Sets the heading in --help.
  Option group(const std::string& title) const;
  Option required() const;
  /// Requires at least `count` values.
  Option at_least(int count) const;
  /// Takes one value each time the option is given; further words are not values.
  Option one_value_each() const;
  /// Takes several values in one word.
  Option separated_by(char separator) const;
  Option needs(Option other) const;
  Option excludes(Option other) const;
  /// Requires numbers from `low` to `high`, numbers above 0, or numbers from 0.
  Option range(std::int64_t low, std::int64_t high) const;
  Option positive() const;
  Option not_negative() const;
  /// `problem` receives the value as written and returns its error, or an empty text if the value is valid.
  Option check(const std::function<std::string(const std::string& value)>& problem) const;
  /// Like check(), but `problem` may change the value, and runs before all checks.
  Option transform(const std::function<std::string(std::string& value)>& problem) const;

  /// Returns the name for messages: "--model", or the argument's name.
  std::string name() const;
  std::vector<std::string> names() const;  ///< "-m", "--model"; empty for an argument
  std::string description() const;
  /// Returns the name of the value as in --help: "FILE", "MODEL[,MODEL]". Empty for a flag.
  std::string value() const;
  /// Returns the default that --help shows, or an empty text.
  std::string default_value() const;
  std::string group() const;
  bool is_argument() const;
  bool is_hidden() const;  ///< whether --help leaves the option out
  bool is_required() const;
  bool is_repeated() const;  ///< whether it takes more than one value
  bool is_given() const;     ///< whether the command line contains it

 private:
  CLI::Option* option_;
};

/// A handle of a command or of the program, valid as long as the command line.
class Command {
 public:
  using Set = std::function<void(const std::string& value)>;
  using SetList = std::function<void(const std::vector<std::string>& values)>;

  explicit Command(CLI::App& app) : app_(&app) {}

  /// Declares an option. Its value is passed to `set`, or stored in `target`, which must outlive the command line.
  /// `names` has the form "-m,--model".
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
  /// Declares an argument. --help shows its name as the possible values, unless Option::shown_as sets another text.
  Option argument(const std::string& name, std::string& target, const std::string& description) const;
  Option argument(const std::string& name, std::vector<std::string>& target, const std::string& description) const;
  /// Declares an option or argument that takes one of `choices`. The value's name lists the choices: "text|json|herd".
  Option choice(const std::string& names, const std::vector<std::string>& choices, const Set& set,
                const std::string& description) const;
  Option flag(const std::string& names, bool& target, const std::string& description) const;
  Option flag(const std::string& names, const std::function<void()>& set, const std::string& description) const;
  /// Declares a flag that takes a value only after '='; the next word is not its value. `set` receives these values.
  Option flag_with_values(const std::string& names, const SetList& set, const std::string& description) const;
  /// Declares a command within this one.
  Command command(const std::string& name, const std::string& description) const;
  /// Requires the user to name one of this command's subcommands.
  void require_command() const;
  /// Treats the first word that is not an option, and all words after it, as another command. unknown_words() returns
  /// these words.
  void takes_command() const;
  /// Returns whether takes_command() was called.
  bool is_given_command() const;
  /// Leaves the command out of --help.
  void hide() const;

  std::string name() const;
  std::string description() const;
  std::vector<Option> options() const;
  /// Returns the option or argument of this name, which must be declared.
  Option find_option(const std::string& name) const;
  std::vector<Command> commands() const;
  Command parent() const;
  bool is_hidden() const;
  bool is_given() const;  ///< whether the command line contains it
  /// Returns the words of the command line that are not options, values or arguments.
  std::vector<std::string> unknown_words() const;
  /// Returns the text that --help prints.
  std::string help() const;

 private:
  CLI::App* app_;
};

/// Runs a command after the command line was read. Returns the exit status (ExitCode).
using Action = std::function<int()>;

/// The complete command line of a program.
class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& description, const std::string& version);
  CommandLine(CommandLine&&) noexcept;
  ~CommandLine();

  /// Adds a command. `declare` declares its options and returns its action.
  void add(const std::string& name, const std::string& description, const std::function<Action(Command)>& declare);
  Command program() const;
  /// Reads a command line, runs its command, and returns the command's status. For --help and --version, prints the
  /// text and returns 0. Throws UsageError.
  int run(int argc, const char* const* argv);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads a number in the same way as options of this type. Returns false if the text is not a number.
bool read_number(const std::string& text, double& number);
bool read_number(const std::string& text, std::uint64_t& number);

/// For Option::transform: converts a text such as "512MiB" into bytes. Returns an error, or an empty text. Reads -1 as
/// 2^64 - 1.
std::string into_bytes(std::string& text);

}  // namespace ambit::cli
