#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace ambit::cli {

/// Lays out `--help`, in the same way with every version of CLI11.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();
  /// An argument is named after what it can be: "FILES|DIRS".
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_usage(const CLI::Option* option) const override;
  /// What stands behind an option's names: " SECONDS [60]", its value and default; with which options it goes.
  std::string make_option_opts(const CLI::Option* option) const override;
};

/// The value that an option or argument takes, as in --help: "FILE", "auto|smt|explicit", "MODEL[,MODEL]". Empty: none.
std::string value_of(const CLI::Option& option);

/// The default of an option that takes a value; empty: none that --help tells.
std::string default_of(const CLI::Option& option);

}  // namespace ambit::cli
