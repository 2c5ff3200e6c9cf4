#include "parser/compiled/launch_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "parser/compiled/mangled_name.h"
#include "parser/text/file_syntax.h"

namespace ambit::parser::compiled {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kExample = "kernel<<<2, 64>>>(int data[64] = 1, 5)";

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(kBlanks, at), text.size());
}

/// Returns the index of the first character after `launch`, `then launch` or `dependent launch`. If the text begins
/// with none of these words, returns the index of the text's first non-blank character.
std::size_t begin_of_name(std::string_view text) {
  std::size_t at = skip_blanks(text, 0);
  bool is_launch = false;
  for (const std::string_view word : {"then", "dependent", "launch"}) {
    const std::string_view rest = text.substr(at);
    if (!rest.starts_with(word) || rest.size() == word.size() || kBlanks.find(rest[word.size()]) == kBlanks.npos) {
      continue;
    }
    at = skip_blanks(text, at + word.size());
    is_launch = word == "launch";
  }
  return is_launch ? at : skip_blanks(text, 0);
}

std::size_t end_of_name(std::string_view text) { return std::min(text.find("<<<"), text.size()); }

std::string without_blanks(std::string_view text) {
  std::string made(text);
  std::erase_if(made, [](char c) { return kBlanks.find(c) != kBlanks.npos; });
  return made;
}

bool is_name_in(std::string_view full, const std::string& name) { return full == name || full.ends_with("::" + name); }

/// Returns whether `name` is the mangled name of the kernel, or its C++ name with template arguments.
bool is_whole_name(const assembly::Function& kernel, const std::string& name) {
  return kernel.name == name || is_name_in(without_blanks(name_with_arguments(kernel.name)), name);
}

/// Returns whether `name` is the C++ name of the kernel without template arguments.
bool is_short_name(const assembly::Function& kernel, const std::string& name) {
  const std::string full = without_blanks(name_with_arguments(kernel.name));
  return is_name_in(full.substr(0, full.find('<')), name) || plain_name(kernel.name) == name;
}

}  // namespace

void PlacedText::add(std::string_view part, const SourceSpan& place) {
  if (!part.empty()) origins.push_back({text.size(), part.size(), place, TokenOrigin::Kind::Words});
  text += part;
}

void PlacedText::add_copy(std::string_view part, const SourceSpan& place) {
  SourceSpan here = {place.line, place.column, 1};
  for (std::size_t i = 0; i < part.size(); ++i) {
    origins.push_back({text.size() + i, 1, here, TokenOrigin::Kind::Words});
    here = part[i] == '\n' ? SourceSpan{here.line + 1, 1, 1} : SourceSpan{here.line, here.column + 1, 1};
  }
  text += part;
}

void PlacedText::add_name(std::string_view name, const SourceSpan& place) {
  origins.push_back({text.size(), name.size(), place, TokenOrigin::Kind::Name});
  text += name;
}

std::string WrittenLaunch::kernel() const {
  const std::size_t begin = begin_of_name(text);
  return without_blanks(std::string_view(text).substr(begin, std::max(end_of_name(text), begin) - begin));
}

SourceSpan WrittenLaunch::kernel_place() const {
  const std::size_t begin = begin_of_name(text);
  std::size_t end = std::max(end_of_name(text), begin);
  while (end > begin && kBlanks.find(text[end - 1]) != kBlanks.npos) --end;
  return {place.line, place.column + static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)};
}

void WrittenLaunch::add_to(PlacedText& made, std::string_view kernel) const {
  const std::size_t begin = begin_of_name(text);
  const std::size_t end = std::max(end_of_name(text), begin);
  const auto place_of = [&](std::size_t at) {
    return SourceSpan{place.line, place.column + static_cast<std::uint32_t>(at), 0};
  };
  const std::string_view words = std::string_view(text).substr(0, begin);
  made.text += "\n";
  made.add(words.find("launch") == words.npos ? "launch" : words, {place.line, place.column, 1});
  made.text += " ";
  made.add_name(kernel, kernel_place());
  made.text += " ";
  made.add_copy(std::string_view(text).substr(end), place_of(end));
  const std::size_t last = text.find_last_not_of(kBlanks);
  if (last == text.npos || text[last] != ';') {
    made.text += " ";
    made.add(";", place_of(last + 1));
  }
  made.text += "\n";
}

std::optional<ParsedLaunch> parse_launch(const WrittenLaunch& launch, Reporter& reporter) {
  const SourceSpan name = launch.kernel_place();
  if (name.length == 0 || launch.text.find("<<<") == std::string::npos) {
    const std::string found = launch.kernel();
    reporter.error(name,
                   fmt::format("expected a launch KERNEL<<<BLOCKS, THREADS>>>(ARGUMENTS), found {}",
                               launch.text.find("<<<") != std::string::npos ? "'<<<'"
                               : found.empty()                              ? "nothing"
                                                                            : "'" + found + "'"),
                   fmt::format("such as {}", kExample));
    return std::nullopt;
  }
  PlacedText placed;
  launch.add_to(placed, "kernel");
  const SourceSpan end = {launch.place.line, launch.place.column + static_cast<std::uint32_t>(launch.text.size()), 0};
  const auto text = std::make_shared<const SourceFile>(SourceFile{"", placed.text});
  const TokenOrigins origins(placed.origins, end);
  auto file = read_file(*text, 0, Part::Body, reporter, &origins);
  if (!file || reporter.has_errors() || file->launches.empty()) return std::nullopt;
  return ParsedLaunch{text, *std::move(file)};
}

std::vector<std::string> kernel_names(const assembly::Module& module) {
  std::vector<std::string> names;
  for (const assembly::Function& function : module.functions) {
    if (function.is_entry && function.has_body) names.push_back(name_with_arguments(function.name));
  }
  return names;
}

const assembly::Function* find_kernel(const assembly::Module& module, const WrittenLaunch& launch, Reporter& reporter,
                                      const std::string& hint) {
  const std::string name = launch.kernel();
  std::vector<const assembly::Function*> found;
  for (const auto matches : {is_whole_name, is_short_name}) {
    for (const assembly::Function& function : module.functions) {
      if (function.is_entry && function.has_body && matches(function, name)) found.push_back(&function);
    }
    if (!found.empty()) break;
  }
  if (found.size() == 1) return found.front();
  const std::vector<std::string> all = kernel_names(module);
  if (found.empty()) {
    const std::string kernels = all.empty() ? "it has none" : fmt::format("the kernels are {}", fmt::join(all, ", "));
    reporter.error(launch.kernel_place(), fmt::format("the module has no kernel '{}'", name),
                   hint.empty() ? kernels : hint);
    return nullptr;
  }
  std::vector<std::string> names;
  for (const assembly::Function* one : found) names.push_back(one->name);
  reporter.error(launch.kernel_place(), fmt::format("the module has several kernels '{}'", name),
                 fmt::format("write the template arguments, or one of the names {}", fmt::join(names, ", ")));
  return nullptr;
}

}  // namespace ambit::parser::compiled
