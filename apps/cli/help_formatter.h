#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace ambit::cli {

/// Formats the output of `--help`. The output does not depend on the version of CLI11.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();
  /// Returns the text in place of an argument's name: its possible values, "FILES|DIRS".
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_usage(const CLI::Option* option) const override;
  /// Returns the text after an option's names: the name of its value and the default, " SECONDS [60]". Then the text
  /// lists the other options that the option needs or excludes.
  std::string make_option_opts(const CLI::Option* option) const override;
};

/// Returns the name of the value of an option or argument, as in --help: "FILE", "auto|smt|explicit", "MODEL[,MODEL]".
/// Returns an empty text for a flag.
std::string value_of(const CLI::Option& option);

/// Returns the default of an option that takes a value, or an empty text if --help shows no default.
std::string default_of(const CLI::Option& option);

}  // namespace ambit::cli
