#pragma once

#include <string>

namespace CLI {
// Their header costs seconds a file, so only files that declare options include it.
class App;
class Option;
}  // namespace CLI

namespace ambit::cli {

/// A new subcommand of `app`. In one place, as CLI11 is compiled anew wherever an App is made.
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& description);

/// Makes every option of every subcommand that takes an unsigned number refuse what is none in decimal, or too large:
/// CLI11 would read "-1" as the largest number, "010" as eight, and what is too large as the largest.
void check_numbers(CLI::App& app);

}  // namespace ambit::cli
