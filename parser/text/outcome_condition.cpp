#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "parser/text/condition.h"
#include "parser/text/file_syntax.h"
#include "parser/text/memory_table.h"
#include "parser/text/outcome_condition.h"
#include "parser/text/reporter.h"
#include "parser/text/source_text.h"

namespace ambit::parser {
namespace {

/// Returns the offset of the proposition in `text`: after `exists`, `~exists`, `not exists` or `forall`, if present.
std::size_t after_quantifier(std::string_view text) {
  constexpr std::array<std::string_view, 4> kWords = {"~", "not", "exists", "forall"};
  std::size_t at = 0;
  const auto skip_space = [&] {
    const std::size_t next = text.find_first_not_of(" \t\n", at);
    at = next == std::string_view::npos ? text.size() : next;
  };
  std::size_t past = 0;
  for (bool found = true; found;) {
    skip_space();
    found = false;
    for (const std::string_view word : kWords) {
      if (!text.substr(at).starts_with(word)) continue;
      at += word.size();
      found = true;
      if (word == "exists" || word == "forall") past = at;
      break;
    }
  }
  return past;
}

}  // namespace

Result<std::shared_ptr<const Program>> with_outcome(const Program& program, const std::string& text,
                                                    const std::string& origin) {
  const auto source = std::make_shared<const SourceFile>(SourceFile{origin, text});
  if (std::optional<Diagnostic> error = check_text(source)) return *std::move(error);
  Reporter reporter(source);
  const std::size_t begin = after_quantifier(text);
  if (text.find_first_not_of(" \t\n", begin) == std::string::npos) {
    return Diagnostic{
        source, {1, 1, 1}, "the outcome is empty", "write a proposition about the final state: P1:r0 == 1 && x == 2"};
  }
  const std::optional<FileNode> file = read_file(*source, begin, Part::Outcome, reporter);
  if (!file) return reporter.take();
  auto changed = std::make_shared<Program>(program);
  // If the program has a filter, the observables are kept, because the filter refers to observables by number.
  if (!changed->condition.filter) changed->observables.clear();
  const std::optional<Expr> filter = changed->condition.filter;
  const ProgramOptions options;
  MemoryTable table(options, reporter, *changed);
  table.adopt(program);
  ConditionReader(*changed, table, *file, reporter).read();
  if (reporter.has_errors()) return reporter.take();
  changed->condition.filter = filter;
  changed->condition.span = {};
  return std::shared_ptr<const Program>(std::move(changed));
}

}  // namespace ambit::parser
