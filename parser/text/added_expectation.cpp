#include "parser/text/added_expectation.h"

#include <optional>
#include <utility>

#include "parser/text/condition.h"
#include "parser/text/expectation.h"
#include "parser/text/file_syntax.h"
#include "parser/text/memory_table.h"
#include "parser/text/reporter.h"
#include "parser/text/source_text.h"

namespace ambit::parser {
namespace {

/// Returns a source that the parser of tests can read. The option's text is the second line of the source.
SourceFilePtr as_line_of_test(const SourceFile& option) {
  return std::make_shared<const SourceFile>(SourceFile{option.path, "expect\n" + option.text});
}

/// Reads one expectation. Returns nothing if the text is not exactly one expectation.
std::optional<FileNode> read_one(const SourceFile& line, Reporter& reporter) {
  std::optional<FileNode> file = read_file(line, 0, Part::Tail, reporter);
  if (!file) return std::nullopt;
  const bool has_more = !file->filters.empty() || !file->observed.empty() || !file->conditions.empty() ||
                        !file->labels.empty() || !file->detections.empty();
  if (file->expectations.size() == 1 && !has_more) return file;
  reporter.error({2, 1, 1}, "expected one expectation",
                 "write MODEL: ITEMS, such as 'ptx: Never, norace'; repeat the option for further expectations");
  return std::nullopt;
}

/// Adds the expectation in `option` to `program`. The expectation has no place in the program's source.
void add(const SourceFilePtr& option, bool with_locations, Program& program, Reporter& reporter) {
  const SourceFilePtr line = as_line_of_test(*option);
  reporter.add_file(option, 2);
  std::optional<FileNode> file = read_one(*line, reporter);
  if (!file) return;
  for (ExpectItemNode& item : file->expectations.front().items) {
    if (!with_locations) item.location.reset();
  }
  const ProgramOptions options;
  MemoryTable table(options, reporter, program);
  table.adopt(program);
  ConditionReader conditions(program, table, *file, reporter);
  const std::size_t expectations = program.expectations.size();
  const std::size_t terminations = program.terminations.size();
  read_expectations(*file, program, conditions, reporter);
  for (std::size_t i = expectations; i < program.expectations.size(); ++i) program.expectations[i].span = {};
  for (std::size_t i = terminations; i < program.terminations.size(); ++i) program.terminations[i].span = {};
}

}  // namespace

Result<AddedExpectation> read_added_expectation(const std::string& text, const std::string& origin) {
  const auto option = std::make_shared<const SourceFile>(SourceFile{origin, text});
  if (std::optional<Diagnostic> error = check_text(option)) return *std::move(error);
  if (text.find_first_not_of(" \t\n") == std::string::npos) {
    return Diagnostic{
        option, {1, 1, 1}, "the expectation is empty", "write MODEL: ITEMS, such as 'ptx: Never, norace'"};
  }
  Reporter reporter(option);
  Program any;
  any.condition.proposition = Expr::make_constant(1);
  add(option, false, any, reporter);
  if (reporter.has_errors()) return reporter.take();
  if (!any.expectations.empty()) {
    return AddedExpectation{option, any.expectations.front().model, any.expectations.front().options};
  }
  return AddedExpectation{option, any.terminations.front().model, any.terminations.front().options};
}

Result<std::shared_ptr<const Program>> with_expectations(const Program& program,
                                                         std::span<const AddedExpectation> added) {
  auto changed = std::make_shared<Program>(program);
  for (const AddedExpectation& expectation : added) {
    Reporter reporter(expectation.text);
    const std::size_t expectations = changed->expectations.size();
    const std::size_t terminations = changed->terminations.size();
    add(expectation.text, true, *changed, reporter);
    if (reporter.has_errors()) return reporter.take();
    for (std::size_t i = expectations; i < changed->expectations.size(); ++i) {
      changed->expectations[i].model = expectation.model;
    }
    for (std::size_t i = terminations; i < changed->terminations.size(); ++i) {
      changed->terminations[i].model = expectation.model;
    }
  }
  return std::shared_ptr<const Program>(std::move(changed));
}

}  // namespace ambit::parser
