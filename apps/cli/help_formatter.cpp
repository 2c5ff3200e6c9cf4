#include "apps/cli/help_formatter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "report/text/style.h"

namespace ambit::cli {
namespace {

/// Returns a note about the options that an option needs or excludes: " (with --a, --b)".
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
  if (type == "UINT" || type == "INT") return "N";  // CLI11's own type names
  return type == "FLOAT" ? "NUMBER" : type;
}

std::string default_of(const CLI::Option& option) {
  const bool is_shown = option.get_option_text().empty() && option.get_type_size() != 0;
  return is_shown ? option.get_default_str() : "";
}

HelpFormatter::HelpFormatter(std::size_t width) : width_(width) { column_width(34); }

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  return report::fitted(CLI::Formatter::make_help(app, std::move(name), mode), width_);
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  return row(make_option_name(option, is_positional) + make_option_opts(option), make_option_desc(option));
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return row(command->get_display_name(true), command->get_description());
}

std::string HelpFormatter::row(const std::string& name, const std::string& description) const {
  constexpr std::size_t kNarrow = 60;  // the description is below the name
  const bool is_narrow = width_ != 0 && width_ < kNarrow;
  const std::size_t column = is_narrow ? 8 : get_column_width();
  const std::size_t description_width = width_ == 0 ? 0 : std::max<std::size_t>(width_, column + 20) - column;
  const std::string broken = report::fitted(description, description_width, 0);
  std::string text = "  " + name;
  if (!broken.empty()) {
    text += text.size() < column ? std::string(column - text.size(), ' ') : "\n" + std::string(column, ' ');
  }
  for (const char c : broken) {
    text += c;
    if (c == '\n') text.append(column, ' ');
  }
  return text + "\n";
}

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
