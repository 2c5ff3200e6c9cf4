#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>

namespace ambit::cli {

/// Formats the output of `--help`. The output does not depend on the version of CLI11.
class HelpFormatter : public CLI::Formatter {
 public:
  /// `width`: the number of columns of the terminal; if 0, lines have no length limit.
  explicit HelpFormatter(std::size_t width);
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  /// Returns the text that replaces an argument's name: the argument's possible values, "FILES|DIRS".
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_usage(const CLI::Option* option) const override;
  /// Returns the text after an option's names: the name of its value and the default, " SECONDS [60]". The text ends
  /// with the options that the option needs or excludes.
  std::string make_option_opts(const CLI::Option* option) const override;

 private:
  /// Returns lines with the name in the first column and the description in the second.
  std::string row(const std::string& name, const std::string& description) const;

  std::size_t width_;
};

/// Returns the name of the value of an option or argument, as in --help: "FILE", "auto|smt|explicit", "MODEL[,MODEL]".
/// Returns an empty text for a flag.
std::string value_of(const CLI::Option& option);

/// Returns the default of an option that takes a value, or an empty text if --help shows no default.
std::string default_of(const CLI::Option& option);

}  // namespace ambit::cli
