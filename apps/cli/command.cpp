#include "apps/cli/command.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace ambit::cli {
namespace {

constexpr std::string_view kUnsigned = "UINT";  // how CLI11 names the type in --help

/// What is wrong with a number; empty: nothing.
std::string complaint_about(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) return text + " is too large";
  const bool is_decimal = error == std::errc() && end == text.data() + text.size();
  const bool has_leading_zero = text.size() > 1 && text.front() == '0';
  return is_decimal && !has_leading_zero ? "" : "expected a decimal number, found '" + text + "'";
}

}  // namespace

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& description) {
  return app.add_subcommand(name, description);
}

void check_numbers(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands(nullptr)) {
    for (CLI::Option* option : command->get_options()) {
      if (option->get_type_name().starts_with(kUnsigned)) option->check(CLI::Validator(complaint_about, ""));
    }
    check_numbers(*command);
  }
}

}  // namespace ambit::cli
