#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace ambit::cli {

/// Lays out `--help` independently of the version of CLI11.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();
  /// Names an argument after its possible values: "FILES|DIRS".
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_usage(const CLI::Option* option) const override;
  /// Returns the text after an option's names: " SECONDS [60]", its value and default, and the options that it needs or
  /// excludes.
  std::string make_option_opts(const CLI::Option* option) const override;
};

/// Returns the value that an option or argument takes, as in --help: "FILE", "auto|smt|explicit", "MODEL[,MODEL]".
/// Empty for a flag.
std::string value_of(const CLI::Option& option);

/// Returns the default of an option that takes a value; empty: --help shows no default.
std::string default_of(const CLI::Option& option);

}  // namespace ambit::cli
