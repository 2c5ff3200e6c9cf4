#include "apps/cli/help_formatter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <set>
#include <string>

namespace ambit::cli {
namespace {

/// Returns the note on options that an option needs or excludes: " (with --a, --b)".
std::string companions(const char* relation, const std::set<CLI::Option*>& options) {
  if (options.empty()) return {};
  std::set<std::string> names;  // sorted by name, because the order of pointers varies from run to run
  for (const CLI::Option* option : options) names.insert(option->get_name());
  return fmt::format(" ({} {})", relation, fmt::join(names, ", "));
}

}  // namespace

std::string value_of(const CLI::Option& option) {
  if (!option.get_option_text().empty()) return option.get_option_text();
  if (option.get_type_size() == 0) return {};
  const std::string type = option.get_type_name();
  if (type == "UINT" || type == "INT") return "N";  // type names of CLI11
  return type == "FLOAT" ? "NUMBER" : type;
}

std::string default_of(const CLI::Option& option) {
  const bool is_shown = option.get_option_text().empty() && option.get_type_size() != 0;
  return is_shown ? option.get_default_str() : "";
}

HelpFormatter::HelpFormatter() { column_width(34); }

std::string HelpFormatter::make_option_name(const CLI::Option* option, bool is_positional) const {
  const bool has_text = is_positional && !option->get_option_text().empty();
  return has_text ? option->get_option_text() : CLI::Formatter::make_option_name(option, is_positional);
}

std::string HelpFormatter::make_option_usage(const CLI::Option* option) const {
  std::string text = make_option_name(option, true);
  if (option->get_items_expected_max() > 1 && !text.ends_with("...")) text += "...";
  return option->get_required() ? text : "[" + text + "]";
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  if (option->get_positional() && !option->get_option_text().empty()) return {};
  std::string text;
  const std::string value = value_of(*option);
  if (!value.empty()) text += (value.starts_with("[=") ? "" : " ") + value;  // "[=X]": an optional value
  if (const std::string given = default_of(*option); !given.empty()) text += " [" + given + "]";
  return text + companions("with", option->get_needs()) + companions("not with", option->get_excludes());
}

}  // namespace ambit::cli
