#include "apps/manual/man_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "apps/cli/commands.h"

namespace ambit::manual {
namespace {

constexpr std::array<std::pair<cli::ExitCode, const char*>, 5> kStatuses = {{
    {cli::kOk, "All expectations are met or, without expectations, the run is complete."},
    {cli::kFailed,
     "An expectation failed. \"detect\": a race was found. \"validate\": an expectation about a detector was not met, "
     "or a detector's claim was refuted. \"run\", \"crossval\": a forbidden outcome was seen."},
    {cli::kBadInput, "Bad input or usage, or the answer could not be written. The message gives the place."},
    {cli::kUnknown, "An answer is unknown, or the run was interrupted."},
    {cli::kInternalError, "A bug in Ambit. The message says what to report."},
}};

/// Folders of an installation, with descriptions. --help names documents by their paths in the sources
/// ("docs/reference/cli.md").
constexpr std::array<std::pair<const char*, const char*>, 3> kFiles = {{
    {"share/doc/ambit", "The documents. README.md lists them. The folder share is next to the folder bin."},
    {"share/ambit/cat", "The texts of the memory models. The program contains them and does not read these files."},
    {"share/ambit/litmus", "Example tests."},
}};

constexpr std::array<std::pair<const char*, const char*>, 4> kVariables = {{
    {"NO_COLOR", "If set, the output has no colours."},
    {"XDG_CACHE_HOME", "The folder for compiled kernels. Default: ~/.cache."},
    {"AMBIT_NVRTC", "The path of the library NVRTC, which compiles kernels. Default: where CUDA installs it."},
    {"AMBIT_NVDISASM", "The path of the program nvdisasm. Default: where CUDA installs it."},
}};

/// Escapes text for roff, so that roff prints minus signs and backslashes literally, and takes no line for a request.
std::string escaped(const std::string& text) {
  std::string out;
  if (!text.empty() && (text.front() == '.' || text.front() == '\'')) out += "\\&";
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else if (c == '\n') {
      out += ' ';
    } else {
      out += c;
    }
  }
  return out;
}

/// Returns the text with a full stop at the end.
std::string sentence(const std::string& text) {
  if (text.empty()) return {};
  const bool has_end = text.back() == '.' || text.back() == '?' || text.back() == '!';
  return escaped(text) + (has_end ? "" : ".");
}

/// Returns the names of a parameter in roff: "\fB\-m\fR, \fB\-\-model\fR \fIMODEL\fR".
std::string heading(const Parameter& parameter) {
  std::string out;
  for (const std::string& name : parameter.names) {
    out += fmt::format("{}\\fB{}\\fR", out.empty() ? "" : ", ", escaped(name));
  }
  if (parameter.value.empty()) return out;
  const bool is_attached = parameter.names.empty() || parameter.is_flag();
  return out + fmt::format("{}\\fI{}\\fR", is_attached ? "" : " ", escaped(parameter.value));
}

std::string entry(const Parameter& parameter) {
  std::string out = fmt::format(".TP\n{}\n{}\n", heading(parameter), sentence(parameter.description));
  if (!parameter.default_value.empty()) out += fmt::format("Default: {}.\n", escaped(parameter.default_value));
  const bool are_shown = parameter.choices.empty() || parameter.value.find(parameter.choices.front()) == 0;
  if (are_shown) return out;
  std::string choices;
  for (const std::string& choice : parameter.choices) choices += (choices.empty() ? "" : ", ") + escaped(choice);
  return out + fmt::format("Known: {}.\n", choices);
}

/// Returns the options under the headings that --help shows.
std::string options_section(const Command& command) {
  if (command.options.empty()) return {};
  std::string out = ".SH OPTIONS\n";
  std::vector<std::string> groups;
  for (const Parameter& option : command.options) {
    if (std::ranges::find(groups, option.group) == groups.end()) groups.push_back(option.group);
  }
  for (const std::string& group : groups) {
    if (group != "Options") out += fmt::format(".SS \"{}\"\n", escaped(group));
    for (const Parameter& option : command.options) {
      if (option.group == group) out += entry(option);
    }
  }
  return out;
}

std::string arguments_section(const Command& command) {
  std::string out = command.arguments.empty() ? "" : ".SH ARGUMENTS\n";
  for (const Parameter& argument : command.arguments) out += entry(argument);
  return out;
}

/// Returns the synopsis of a command: "\fBambit check\fR [\fIoptions\fR] \fIFILES|DIRS\fR".
std::string usage(const std::string& invocation, const Command& command) {
  std::string out = fmt::format("\\fB{}\\fR", escaped(invocation));
  if (!command.options.empty()) out += " [\\fIoptions\\fR]";
  for (const Parameter& argument : command.arguments) {
    const std::string value = fmt::format("\\fI{}\\fR", escaped(argument.value));
    out += argument.is_required ? " " + value : " [" + value + "]";
  }
  return out + "\n";
}

std::string title(const std::string& page, const std::string& version) {
  std::string capitals = page;
  std::ranges::transform(capitals, capitals.begin(), [](const unsigned char c) { return std::toupper(c); });
  return fmt::format(".TH \"{}\" 1 \"\" \"Ambit {}\" \"Ambit manual\"\n.nh\n.ad l\n", escaped(capitals), version);
}

std::string statuses_section() {
  std::string out = ".SH \"EXIT STATUS\"\n";
  for (const auto& [status, meaning] : kStatuses) {
    out += fmt::format(".TP\n.B {}\n{}\n", static_cast<int>(status), escaped(meaning));
  }
  return out;
}

std::string references(const std::vector<std::string>& pages) {
  std::string out = ".SH \"SEE ALSO\"\n";
  for (std::size_t i = 0; i < pages.size(); ++i) {
    out += fmt::format(".BR {} (1){}\n", escaped(pages[i]), i + 1 < pages.size() ? "," : "");
  }
  return out;
}

std::string page_of(const Command& program, const Command& command) { return program.name + "-" + command.name; }

/// Returns the page of a command. The page has a section for each subcommand.
std::string command_page(const Command& program, const Command& command, const std::string& version) {
  const std::string page = page_of(program, command);
  const std::string invocation = program.name + " " + command.name;
  std::string out = title(page, version);
  out += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n", escaped(page), escaped(command.description));
  if (command.commands.empty()) out += usage(invocation, command);
  for (std::size_t i = 0; i < command.commands.size(); ++i) {
    out += (i > 0 ? ".br\n" : "") + usage(invocation + " " + command.commands[i].name, command.commands[i]);
  }
  out += fmt::format(".SH DESCRIPTION\n{}\n", sentence(command.description));
  for (const Command& inner : command.commands) {
    out += fmt::format(".TP\n.B {} {}\n{}\n", escaped(command.name), escaped(inner.name), sentence(inner.description));
  }
  out += arguments_section(command) + options_section(command);
  for (const Command& inner : command.commands) {
    out += fmt::format(".SH \"{} {}\"\n{}\n", escaped(command.name), escaped(inner.name), sentence(inner.description));
    for (const Parameter& argument : inner.arguments) out += entry(argument);
    for (const Parameter& option : inner.options) out += entry(option);
  }
  return out + statuses_section() + references({program.name});
}

std::string program_page(const Command& program, const std::string& version) {
  std::string out = title(program.name, version);
  out += fmt::format(".SH NAME\n{} \\- check, run and explain scoped GPU synchronization\n", program.name);
  out += fmt::format(".SH SYNOPSIS\n\\fB{0}\\fR \\fICOMMAND\\fR [\\fIoptions\\fR] [\\fIarguments\\fR]\n", program.name);
  out += fmt::format(".SH DESCRIPTION\n{}\n.SH COMMANDS\n", sentence(program.description));
  std::vector<std::string> pages;
  for (const Command& command : program.commands) {
    pages.push_back(page_of(program, command));
    out += fmt::format(".TP\n.BR {} (1)\n{}\n", escaped(pages.back()), sentence(command.description));
  }
  out += options_section(program) + statuses_section() + ".SH ENVIRONMENT\n";
  for (const auto& [name, meaning] : kVariables) out += fmt::format(".TP\n.B {}\n{}\n", name, escaped(meaning));
  out += ".SH FILES\n";
  for (const auto& [name, meaning] : kFiles) out += fmt::format(".TP\n.I {}\n{}\n", name, escaped(meaning));
  return out + references(pages);
}

}  // namespace

std::vector<ManPage> man_pages(const Command& program, const std::string& version) {
  std::vector<ManPage> pages = {{program.name + ".1", program_page(program, version)}};
  for (const Command& command : program.commands) {
    pages.push_back({page_of(program, command) + ".1", command_page(program, command, version)});
  }
  return pages;
}

}  // namespace ambit::manual
