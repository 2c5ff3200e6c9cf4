#include "report/results/condition_source.h"

#include <algorithm>
#include <string_view>

#include "base/trimmed.h"
#include "report/results/words.h"

namespace ambit::report {
namespace {

/// Removes comments from a line of a condition. If the condition is in a comment of a CUDA source, also removes the
/// comment's marker.
std::string_view without_comments(std::string_view line) {
  line = trimmed(line);
  for (const std::string_view marker : {"//", "ambit:"}) {
    if (line.starts_with(marker)) line = trimmed(line.substr(marker.size()));
  }
  return trimmed(line.substr(0, line.find("//")));
}

/// Returns all lines of the proposition's text; empty if the source of the proposition is unknown.
std::string_view proposition_source(const Program& program) {
  const SourceSpan& span = program.condition.span;
  if (!program.source || span.line == 0 || span.column == 0) return {};
  const std::string_view text = program.source->text;
  const auto begin = program.source->line(span.line).data() - text.data() + span.column - 1;
  return text.substr(static_cast<std::size_t>(begin), span.length);
}

}  // namespace

std::string condition_source(const Program& program) {
  std::string_view rest = proposition_source(program);
  if (rest.find('\n') == std::string_view::npos) return std::string(source_text(program, program.condition.span));
  std::string text(to_string(program.condition.quantifier));
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = without_comments(rest.substr(0, end));
    if (!line.empty()) text += " " + std::string(line);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return text;
}

}  // namespace ambit::report
