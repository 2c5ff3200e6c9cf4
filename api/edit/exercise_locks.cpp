#include "api/edit/exercise_locks.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "base/trimmed.h"
#include "parser/parse.h"

namespace ambit::api {
namespace {

std::set<std::uint32_t> expectation_lines(const Program& program) {
  std::set<std::uint32_t> lines;
  for (const Expectation& one : program.expectations) lines.insert(one.span.line);
  for (const TerminationExpectation& one : program.terminations) lines.insert(one.span.line);
  return lines;
}

std::uint32_t count_lines(const SourceFile& source) {
  const std::size_t end = source.text.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return 0;
  return static_cast<std::uint32_t>(
             std::count(source.text.begin(), source.text.begin() + static_cast<std::ptrdiff_t>(end), '\n')) +
         1;
}

/// Returns the texts of the given lines, trimmed. Leaves out empty lines.
std::vector<std::string_view> texts_of(const SourceFile& source, const std::set<std::uint32_t>& lines) {
  std::vector<std::string_view> texts;
  for (const std::uint32_t line : lines) {
    if (const std::string_view text = trimmed(source.line(line)); !text.empty()) texts.push_back(text);
  }
  return texts;
}

std::set<std::uint32_t> lines_between(std::uint32_t first, std::uint32_t last) {
  std::set<std::uint32_t> lines;
  for (std::uint32_t line = first; line <= last; ++line) lines.insert(line);
  return lines;
}

/// Returns the first line of a litmus test's condition. The condition's span covers only the proposition, and a filter
/// has no span.
std::uint32_t first_of_condition(const SourceFile& source, std::uint32_t line) {
  constexpr std::array<std::string_view, 5> kWords = {"filter", "exists", "~exists", "forall", "locations"};
  std::uint32_t first = line;
  for (std::uint32_t above = line; above > 1; --above) {
    const std::string_view text = trimmed(source.line(above - 1));
    if (std::ranges::any_of(kWords, [&](std::string_view word) { return text.starts_with(word); })) {
      first = above - 1;
    } else if (!text.empty()) {
      break;
    }
  }
  return first;
}

/// Returns the lines of the condition, whose span includes line breaks.
std::set<std::uint32_t> condition_lines(const Program& program) {
  const SourceSpan& span = program.condition.span;
  const std::string& text = program.source->text;
  const auto begin = program.source->line(span.line).data() - text.data() + span.column - 1;
  const std::string_view whole = std::string_view(text).substr(static_cast<std::size_t>(begin), span.length);
  return lines_between(span.line, span.line + static_cast<std::uint32_t>(std::ranges::count(whole, '\n')));
}

/// Two sets of lines: the lines with expectations, and the lines with expectations or the condition.
struct Judging {
  std::set<std::uint32_t> expectations;
  std::set<std::uint32_t> all;
};

Judging judging_lines(const Program& program) {
  const SourceFile& source = *program.source;
  Judging judging{expectation_lines(program), {}};
  judging.all = judging.expectations;
  if (program.condition.span.line > 0) judging.all.merge(condition_lines(program));
  if (judging.all.empty() || parser::language_of(source) == parser::Language::CudaSource) return judging;
  const std::uint32_t last = count_lines(source);
  if (!judging.expectations.empty()) judging.expectations = lines_between(*judging.expectations.begin(), last);
  judging.all = lines_between(first_of_condition(source, *judging.all.begin()), last);
  return judging;
}

std::vector<LineRange> ranges_of(const std::set<std::uint32_t>& lines) {
  std::vector<LineRange> ranges;
  for (const std::uint32_t line : lines) {
    if (!ranges.empty() && ranges.back().last + 1 == line) {
      ranges.back().last = line;
    } else {
      ranges.push_back({line, line});
    }
  }
  return ranges;
}

}  // namespace

std::size_t count_expectations(const Program& exercise) {
  std::set<std::tuple<std::string, std::map<std::string, std::string>, int>> requested;
  for (const Expectation& one : exercise.expectations) requested.insert({one.model, one.options, -1});
  for (const TerminationExpectation& one : exercise.terminations) {
    requested.insert({one.model, one.options, static_cast<int>(one.scheduler)});
  }
  return requested.size();
}

std::vector<LineRange> locked_lines(const Program& exercise, const Program* answer) {
  const Judging judging = judging_lines(exercise);
  const auto expectations = [](const Program& program) {
    return texts_of(*program.source, judging_lines(program).expectations);
  };
  if (answer == nullptr || expectations(exercise) == expectations(*answer)) return ranges_of(judging.all);
  std::set<std::uint32_t> others = lines_between(1, count_lines(*exercise.source));
  for (const std::uint32_t line : judging.expectations) others.erase(line);
  return ranges_of(others);
}

}  // namespace ambit::api
