#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
// Forward declarations. The header of CLI11 costs seconds of compile time, so only command_line.cpp and
// help_formatter.cpp include it.
class App;
class Option;
}  // namespace CLI

namespace ambit::cli {

/// An error in a command line. The parser throws this error, and an action throws it if the action's options contradict
/// each other.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& message) : std::runtime_error(message) {}
  UsageError(const std::string& option, const std::string& problem) : UsageError(option + ": " + problem) {}
};

/// A handle to an option, a flag or an argument. The handle is valid until the command line is destroyed. Each setter
/// returns the handle, so that calls can be chained.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  /// Sets the description in --help.
  Option describe(const std::string& description) const;
  /// Sets the name of the option's value: "FILE", "auto|smt|explicit". --help, man pages and completions derive the
  /// possible values from this name.
  Option value_name(const std::string& name) const;
  /// Sets the text after the option's names in --help. By default, this text is the name of the value and its default.
  Option shown_as(const std::string& text) const;
  /// Makes --help show a default: `text`, or the current value of the target.
  Option show_default() const;
  Option show_default(const std::string& text) const;
  /// Sets the heading in --help.
  Option group(const std::string& title) const;
  Option required() const;
  /// Requires at least `count` values.
  Option at_least(int count) const;
  /// Requires exactly one value after each occurrence of the option. The option takes no further words.
  Option one_value_each() const;
  /// Makes the option split each word into values at `separator`.
  Option separated_by(char separator) const;
  Option needs(Option other) const;
  Option excludes(Option other) const;
  /// range() requires a number from `low` to `high`, positive() a number above 0, and not_negative() a number from 0.
  Option range(std::int64_t low, std::int64_t high) const;
  Option positive() const;
  Option not_negative() const;
  /// Adds a check. `problem` receives the value as written, and returns an error, or an empty text if the value is
  /// valid.
  Option check(const std::function<std::string(const std::string& value)>& problem) const;
  /// Like check(), but `problem` may change the value. Transformations run before all checks.
  Option transform(const std::function<std::string(std::string& value)>& problem) const;

  /// Returns the option's name in messages: "--model", or the argument's name.
  std::string name() const;
  std::vector<std::string> names() const;  ///< names such as "-m" and "--model"; empty for an argument
  std::string description() const;
  /// Returns the name of the value as in --help: "FILE", "MODEL[,MODEL]". Empty for a flag.
  std::string value() const;
  /// Returns the default that --help shows, or an empty text.
  std::string default_value() const;
  std::string group() const;
  bool is_argument() const;
  bool is_hidden() const;  ///< whether --help omits the option
  bool is_required() const;
  bool is_repeated() const;  ///< whether the option takes more than one value
  bool is_given() const;     ///< whether the command line contains the option
  /// Returns the option's values as given on the command line, after transform().
  std::vector<std::string> given() const;

 private:
  CLI::Option* option_;
};

/// A handle to a command or to the program. The handle is valid until the command line is destroyed.
class Command {
 public:
  using Set = std::function<void(const std::string& value)>;
  using SetList = std::function<void(const std::vector<std::string>& values)>;

  explicit Command(CLI::App& app) : app_(&app) {}

  /// Declares an option. `names` has the form "-m,--model". CLI11 passes the value to `set`, or stores it in `target`,
  /// which must outlive the command line.
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
  /// Declares an argument. --help shows its name in place of possible values, unless Option::shown_as sets another
  /// text.
  Option argument(const std::string& name, std::string& target, const std::string& description) const;
  Option argument(const std::string& name, std::vector<std::string>& target, const std::string& description) const;
  /// Declares an option or argument whose value is one of `choices`. --help lists the choices: "text|json|herd".
  Option choice(const std::string& names, const std::vector<std::string>& choices, const Set& set,
                const std::string& description) const;
  Option flag(const std::string& names, bool& target, const std::string& description) const;
  Option flag(const std::string& names, const std::function<void()>& set, const std::string& description) const;
  /// Declares a flag with optional values after '='. The next word is never its value. `set` receives the values.
  Option flag_with_values(const std::string& names, const SetList& set, const std::string& description) const;
  /// Declares a subcommand of this command.
  Command command(const std::string& name, const std::string& description) const;
  /// Requires the user to name one of this command's subcommands.
  void require_command() const;
  /// Makes this command accept another command as its last arguments. The other command begins with the first word that
  /// is not an option. unknown_words() returns the words of the other command.
  void takes_command() const;
  /// Returns whether takes_command() was called.
  bool is_given_command() const;
  /// Omits the command from --help.
  void hide() const;

  std::string name() const;
  std::string description() const;
  std::vector<Option> options() const;
  /// Returns the option or argument with this name, which must be declared.
  Option find_option(const std::string& name) const;
  std::vector<Command> commands() const;
  Command parent() const;
  bool is_hidden() const;
  bool is_given() const;  ///< whether the command line contains the command.
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

  /// Adds a command. `declare` declares the options of the command and returns its action.
  void add(const std::string& name, const std::string& description, const std::function<Action(Command)>& declare);
  Command program() const;
  /// Reads a command line, runs its command, and returns the command's status. For --help and --version, prints the
  /// text and returns 0. Throws UsageError.
  int run(int argc, const char* const* argv);
  /// Reads a command line like run(), but does not run its command. `words`: without the program's name. Throws
  /// UsageError, also for --help and --version.
  void read(const std::vector<std::string>& words);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads a number as the parser does for options. Returns false if the text is not a number.
bool read_number(const std::string& text, double& number);
bool read_number(const std::string& text, std::uint64_t& number);

/// For Option::transform: converts a text such as "512MiB" into bytes. Returns an error, or an empty text. Reads -1 as
/// 2^64 - 1.
std::string into_bytes(std::string& text);

}  // namespace ambit::cli
