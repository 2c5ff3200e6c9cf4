#include "parser/ptx_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parser/languages.h"
#include "parser/litmus_condition.h"
#include "parser/litmus_expectation.h"
#include "parser/litmus_file.h"
#include "parser/litmus_header.h"
#include "parser/litmus_threads.h"
#include "parser/litmus_words.h"
#include "parser/ptx_lower.h"
#include "parser/ptx_memory.h"
#include "parser/ptx_table.h"

namespace ambit::parser::ptx {
namespace {

/// `0` and `P0` are the same thread.
bool names_thread(std::string_view written, std::string_view thread) {
  if (written == thread) return true;
  return !written.empty() && written.front() >= '0' && written.front() <= '9' && thread.substr(1) == written;
}

std::vector<ColumnLowering> make_columns(const TestNode& test, Dialect dialect, const ProgramOptions& options,
                                         Program& program, Memory& memory, litmus::Reporter& reporter) {
  std::vector<litmus::PlaceRequest> requests;
  for (const ThreadNode& thread : test.threads) requests.push_back({thread.name, &thread.place});
  litmus::ClusterNumbers clusters;
  std::vector<ColumnLowering> columns;
  columns.reserve(requests.size());
  for (litmus::PlacedThread& placed : place_threads(requests, "cta", options, program, clusters, reporter)) {
    columns.emplace_back(test.threads[placed.index], placed.place, dialect, memory, reporter);
  }
  for (ColumnLowering& column : columns) column.set_cluster(clusters);
  return columns;
}

void set_register(const DeclarationNode& node, std::vector<ColumnLowering>& columns, litmus::Reporter& reporter) {
  for (ColumnLowering& column : columns) {
    if (names_thread(node.thread.text, column.name())) return column.set_register(node);
  }
  std::vector<std::string_view> names;
  for (const ColumnLowering& column : columns) names.push_back(column.name());
  std::string hint = litmus::did_you_mean(node.thread.text, names);
  if (hint.empty()) hint = litmus::one_of("the threads are", names);
  reporter.error(node.thread.span, fmt::format("there is no thread '{}'", node.thread.text), std::move(hint));
}

/// 1:r0 in a condition is P1:r0.
void name_threads(litmus::ExprNode& node, const Program& program) {
  if (!node.qualifier.empty()) {
    for (const Thread& thread : program.threads) {
      if (names_thread(node.qualifier, thread.name)) node.qualifier = thread.name;
    }
  }
  for (litmus::ExprNode& child : node.children) name_threads(child, program);
}

void read_conditions(litmus::FileNode& file, Program& program, litmus::MemoryTable& table, litmus::Reporter& reporter) {
  for (std::vector<litmus::ConditionNode>* nodes : {&file.conditions, &file.filters}) {
    for (litmus::ConditionNode& node : *nodes) name_threads(node.proposition, program);
  }
  for (litmus::ExprNode& node : file.observed) name_threads(node, program);
  litmus::ConditionReader conditions(program, table, file, reporter);
  conditions.read();
  read_expectations(file, program, conditions, reporter);
}

}  // namespace

void assemble(const TestNode& test, Dialect dialect, const ProgramOptions& options, Program& program,
              litmus::MemoryTable& table, litmus::Reporter& reporter) {
  const bool is_empty = std::all_of(test.threads.begin(), test.threads.end(),
                                    [](const ThreadNode& thread) { return thread.code.empty(); });
  if (is_empty) {
    const SourceSpan where = test.threads.empty() ? SourceSpan{} : test.threads.front().name.span;
    reporter.error(where, "no thread has an instruction");
  }
  Memory memory(program, reporter, dialect == Dialect::TestFile);
  std::vector<ColumnLowering> columns = make_columns(test, dialect, options, program, memory, reporter);
  for (const DeclarationNode& node : test.declarations) {
    if (node.kind != DeclarationNode::Kind::Register) memory.declare(node);
  }
  memory.resolve_aliases();
  memory.use_initial_values();
  for (const DeclarationNode& node : test.declarations) {
    if (node.kind == DeclarationNode::Kind::Register) set_register(node, columns, reporter);
  }
  for (ColumnLowering& column : columns) column.survey();
  memory.settle();
  const bool dynamic_barriers = std::any_of(columns.begin(), columns.end(),
                                            [](const ColumnLowering& column) { return column.has_dynamic_barrier(); });
  for (ColumnLowering& column : columns) program.threads.push_back(column.lower(dynamic_barriers));
  check_quorums(program, reporter);
  memory.publish(table);
}

Result<ProgramPtr> read_program(SourceFilePtr source, const ProgramOptions& options) {
  litmus::Reporter reporter(source);
  const auto program = std::make_shared<Program>();
  program->source = std::move(source);
  program->has_columns = true;
  const SourceFile& text = *program->source;
  std::optional<litmus::Header> header = litmus::read_header(text, reporter);
  if (!header) return reporter.take();
  program->name = std::move(header->name);
  program->description = std::move(header->description);
  program->metadata = std::move(header->metadata);
  const TestNode test = read_table(text, header->end, reporter);
  const bool is_table = !reporter.has_errors();
  std::optional<litmus::FileNode> file;
  if (test.end) file = read_file(text, *test.end, litmus::Part::Tail, reporter);
  if (is_table) {
    litmus::MemoryTable table(options, reporter, *program);
    assemble(test, Dialect::Ptx, options, *program, table, reporter);
    if (file) read_conditions(*file, *program, table, reporter);
  }
  if (reporter.has_errors()) return reporter.take();
  return ProgramPtr(program);
}

}  // namespace ambit::parser::ptx
