#include "api/source_lines.h"

#include <charconv>

#include "parser/parse.h"

namespace ambit::api {

std::optional<SourceSite> source_site(std::string_view site) {
  const std::size_t colon = site.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view path = site.substr(0, colon);
  std::string_view digits = site.substr(colon + 1);
  const std::size_t before = path.rfind(':');  // "file:line:column"
  const bool has_column = before != std::string_view::npos &&
                          path.find_first_not_of("0123456789", before + 1) == std::string_view::npos &&
                          before + 1 < path.size();
  if (has_column) {
    digits = path.substr(before + 1);
    path = path.substr(0, before);
  }
  std::uint32_t line = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), line);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return SourceSite{path, line};
}

std::string trimmed_line(const SourceFile& source, std::uint32_t line) {
  const std::string_view text = line == 0 ? "" : source.line(line);
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

std::string SourceLines::line(std::string_view site) {
  const auto at = source_site(site);
  if (!at) return {};
  auto found = files_.find(at->file);
  if (found == files_.end()) {
    const auto source = parser::read_source(std::string(at->file));
    found = files_.emplace(std::string(at->file), source.ok() ? source.value() : nullptr).first;
  }
  return found->second ? trimmed_line(*found->second, at->line) : "";
}

}  // namespace ambit::api
