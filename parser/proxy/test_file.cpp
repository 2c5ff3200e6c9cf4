// Mixed-proxy .test files (docs/reference/ptx-files.md): each command of each table row is a separate test.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "parser/proxy/test_threads.h"
#include "parser/proxy/value_table.h"
#include "parser/ptx/ptx_program.h"
#include "parser/text/condition.h"
#include "parser/text/file_syntax.h"
#include "parser/text/keywords.h"

namespace ambit::parser::proxy {

using ptx::Dialect;
using ptx::TestNode;

namespace {

/// The model for which the format was designed.
constexpr std::string_view kModel = "ptx-7.5";
/// The largest number of tests in one file.
constexpr std::size_t kMostTests = 4096;

/// Adds the thread to register names without a thread. Error: two threads have a register of this name.
class RegisterNames {
 public:
  RegisterNames(const Program& program, MemoryTable& memory, Reporter& reporter)
      : program_(program), memory_(memory), reporter_(reporter) {}

  void resolve(ExprNode& node) {
    node.path = {};  // a name d0.b0.t0.r1 is not a path of struct fields
    if (node.kind == ExprKind::Name && node.qualifier.empty() && memory_.find(node.name) == nullptr) find(node);
    for (ExprNode& child : node.children) resolve(child);
  }

 private:
  void find(ExprNode& node) {
    const Thread* owner = nullptr;
    for (const Thread& thread : program_.threads) {
      const bool has = std::any_of(thread.registers.begin(), thread.registers.end(),
                                   [&](const Register& reg) { return reg.name == node.name; });
      if (!has) continue;
      if (owner != nullptr) {
        reporter_.error(
            node.span,
            fmt::format("'{}' is ambiguous: it is a register of {} and of {}", node.name, owner->name, thread.name),
            fmt::format("write {}.{}", owner->name, node.name));
        break;
      }
      owner = &thread;
    }
    if (owner != nullptr) node.qualifier = owner->name;
  }

  const Program& program_;
  MemoryTable& memory_;
  Reporter& reporter_;
};

void check_words(const CommandNode& command, Reporter& reporter) {
  const std::vector<std::string_view> verbs = {"assert", "permit", "check"};
  if (std::find(verbs.begin(), verbs.end(), command.verb.text) == verbs.end()) {
    reporter.error(command.verb.span, fmt::format("unknown command '{}'", command.verb.text),
                   did_you_mean(command.verb.text, verbs, "the commands are assert, permit and check"));
  }
  if (command.as.text != "as") {
    reporter.error(command.as.span, fmt::format("expected 'as', found '{}'", command.as.text),
                   "the form is: assert (CONDITION) as NAME;");
  }
}

/// Makes the program of a command. `assert` expects that the condition holds in every execution that the model allows.
/// `permit` and `check` expect that the condition holds in some execution.
ProgramPtr make_program(const TestInstance& instance, const TestNode& test, const CommandNode& command,
                        const ProgramOptions& options, Reporter& reporter) {
  const auto program = std::make_shared<Program>();
  program->source = instance.source;
  const std::string stem = std::filesystem::path(instance.source->path).stem().string();
  program->name = instance.row == 0 ? fmt::format("{}/{}", stem, command.name.text)
                                    : fmt::format("{}/{}[{}]", stem, command.name.text, instance.label);
  MemoryTable table(options, reporter, *program);
  ptx::assemble(test, Dialect::TestFile, options, *program, table, reporter);
  const bool is_assertion = command.verb.text == "assert";
  FileNode file;
  file.conditions.push_back({.quantifier = is_assertion ? Quantifier::Forall : Quantifier::Exists,
                             .proposition = command.proposition,
                             .span = command.proposition.span,
                             .last = {}});
  RegisterNames(*program, table, reporter).resolve(file.conditions.front().proposition);
  ConditionReader(*program, table, file, reporter).read();
  Expectation expectation;
  expectation.model = kModel;
  if (is_assertion) {
    expectation.frequency = Frequency::Always;
  } else {
    expectation.possible = true;
  }
  expectation.span = command.verb.span;
  program->expectations.push_back(std::move(expectation));
  return program;
}

std::vector<ProgramPtr> read_instance(const TestInstance& instance, const ProgramOptions& options, Reporter& reporter) {
  const TestNode test = read_test_threads(*instance.source, reporter);
  const std::optional<FileNode> file = read_file(*instance.source, *test.end, Part::Commands, reporter);
  if (!file) return {};
  if (file->commands.empty() && !reporter.has_errors()) {
    reporter.error({}, "the test has no command", "write assert (CONDITION) as NAME; or use permit or check");
  }
  std::set<std::string_view> names;
  std::vector<ProgramPtr> programs;
  for (const CommandNode& command : file->commands) {
    check_words(command, reporter);
    if (!names.insert(command.name.text).second) {
      reporter.error(command.name.span, fmt::format("two commands are named '{}'", command.name.text));
    }
    programs.push_back(make_program(instance, test, command, options, reporter));
  }
  return programs;
}

}  // namespace

Result<std::vector<ProgramPtr>> read_test_file(const SourceFilePtr& source, const ProgramOptions& options) {
  Reporter table_reporter(source);
  const std::vector<TestInstance> instances = instances_of(source, table_reporter);
  std::vector<ProgramPtr> programs;
  Diagnostics errors = table_reporter.take();
  std::set<std::uint32_t> damaged_lines;
  for (const Diagnostic& error : errors) damaged_lines.insert(error.span.line);
  Diagnostics remarks;
  // the reported errors; an error that occurs in every row is reported once
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::string>> seen;
  for (const TestInstance& instance : instances) {
    Reporter reporter(instance.source);
    std::vector<ProgramPtr> made = read_instance(instance, options, reporter);
    for (Diagnostic& error : reporter.take()) {
      if (damaged_lines.contains(error.span.line)) continue;
      if (instance.row > 0) error.message += fmt::format(" (row {} of the table)", instance.row);
      const std::size_t row_at = error.message.rfind(" (row ");
      if (!seen.emplace(error.span.line, error.span.column, error.message.substr(0, row_at)).second) continue;
      errors.push_back(std::move(error));
    }
    if (errors.size() > kMaxDiagnostics) break;
    if (!errors.empty()) continue;
    for (Diagnostic& remark : reporter.take_remarks()) {
      if (seen.emplace(remark.span.line, remark.span.column, remark.message).second)
        remarks.push_back(std::move(remark));
    }
    programs.insert(programs.end(), std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
    if (programs.size() > kMostTests) {
      return Diagnostic{source, {}, fmt::format("the file holds more than {} tests", kMostTests), {}};
    }
  }
  if (!errors.empty()) return errors;
  if (!remarks.empty() && !programs.empty()) {  // remarks are reported once for each file
    const auto first = std::make_shared<Program>(*programs.front());
    first->remarks = std::move(remarks);
    programs.front() = first;
  }
  return programs;
}

}  // namespace ambit::parser::proxy
