#include "parser/ptx/ptx_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/opaque.h"
#include "parser/ptx/column_lowering.h"
#include "parser/ptx/column_table.h"
#include "parser/ptx/locations.h"
#include "parser/text/condition.h"
#include "parser/text/expectation.h"
#include "parser/text/file_syntax.h"
#include "parser/text/header.h"
#include "parser/text/keywords.h"
#include "parser/text/placement.h"

namespace ambit::parser::ptx {
namespace {

/// Returns whether `written` names the thread. Both `0` and `P0` name the thread P0.
bool names_thread(std::string_view written, std::string_view thread) {
  if (written == thread) return true;
  return !written.empty() && written.front() >= '0' && written.front() <= '9' && thread.substr(1) == written;
}

/// Removes the word for the grid, such as `grid 1`, from the place of a thread, and returns the removed word.
std::optional<PlaceWord> take_grid(std::vector<PlaceWord>& place, Reporter& reporter) {
  constexpr std::uint64_t kMostGrids = 64;
  const auto found = std::ranges::find_if(place, [](const PlaceWord& word) { return word.level.text == "grid"; });
  if (found == place.end()) return std::nullopt;
  const PlaceWord grid = *found;
  place.erase(found);
  if (grid.number < kMostGrids) return grid;
  reporter.error(grid.number_span,
                 fmt::format("grid {} does not exist: the highest is {}", grid.number, kMostGrids - 1));
  return std::nullopt;
}

std::vector<ColumnLowering> make_columns(const TestNode& test, Dialect dialect, const ProgramOptions& options,
                                         Program& program, Memory& memory, Grids& grids, Reporter& reporter) {
  std::vector<std::vector<PlaceWord>> places;
  std::vector<std::optional<PlaceWord>> words;
  for (const ThreadNode& thread : test.threads) {
    places.push_back(thread.place);
    words.push_back(take_grid(places.back(), reporter));
  }
  std::vector<PlaceRequest> requests;
  for (std::size_t i = 0; i < places.size(); ++i) requests.push_back({test.threads[i].name, &places[i]});
  ClusterNumbers clusters;
  std::vector<ColumnLowering> columns;
  columns.reserve(requests.size());
  for (PlacedThread& placed : place_threads(requests, "cta", options, program, clusters, reporter)) {
    columns.emplace_back(test.threads[placed.index], placed.place, dialect, memory, reporter);
    const std::optional<PlaceWord>& grid = words[placed.index];
    grids.add({placed.place.gpu, placed.place.block}, grid ? static_cast<int>(grid->number) : 0,
              grid ? grid->number_span : test.threads[placed.index].name.span, reporter);
  }
  for (ColumnLowering& column : columns) column.set_cluster(clusters);
  for (ColumnLowering& column : columns) {
    std::set<BlockId> blocks;
    for (const ColumnLowering& other : columns) {
      if (!same_instance(column.place(), other.place(), Scope::Cluster)) continue;
      blocks.insert({other.place().gpu, other.place().block});
    }
    column.set_cluster_blocks({blocks.begin(), blocks.end()});
  }
  return columns;
}

void set_register(const DeclarationNode& node, std::vector<ColumnLowering>& columns, Reporter& reporter) {
  for (ColumnLowering& column : columns) {
    if (names_thread(node.thread.text, column.name())) return column.set_register(node);
  }
  std::vector<std::string_view> names;
  for (const ColumnLowering& column : columns) names.push_back(column.name());
  std::string hint = did_you_mean(node.thread.text, names);
  if (hint.empty()) hint = one_of("the threads are", names);
  reporter.error(node.thread.span, fmt::format("unknown thread '{}'", node.thread.text), std::move(hint));
}

/// Replaces thread numbers in a condition by thread names: 1:r0 becomes P1:r0.
void name_threads(ExprNode& node, const Program& program) {
  if (!node.qualifier.empty()) {
    for (const Thread& thread : program.threads) {
      if (names_thread(node.qualifier, thread.name)) node.qualifier = thread.name;
    }
  }
  for (ExprNode& child : node.children) name_threads(child, program);
}

void read_conditions(FileNode& file, Program& program, MemoryTable& table, Reporter& reporter) {
  for (std::vector<ConditionNode>* nodes : {&file.conditions, &file.filters}) {
    for (ConditionNode& node : *nodes) name_threads(node.proposition, program);
  }
  for (ExprNode& node : file.observed) name_threads(node, program);
  ConditionReader conditions(program, table, file, reporter);
  conditions.read();
  read_expectations(file, program, conditions, reporter);
}

/// Returns whether a barrier without a thread count waits only for threads whose columns contain the barrier. The
/// header may have `barriers = columns`, the default, or `barriers = cta`.
bool waits_for_columns(const Program& program, Reporter& reporter) {
  constexpr std::string_view kKey = "barriers";
  const auto written = program.metadata.find(std::string(kKey));
  if (written == program.metadata.end() || written->second == "columns") return true;
  if (written->second == "cta") return false;
  const std::size_t at = program.source->text.find(fmt::format("\n{}", kKey)) + 1;
  reporter.error(span_at(program.source->text, at, kKey.size()),
                 fmt::format("'{}' is not a value of 'barriers'", written->second),
                 "a barrier without a thread count waits for the threads whose columns name it ('columns') or for all "
                 "threads of the cta ('cta')");
  return true;
}

}  // namespace

void assemble(const TestNode& test, Dialect dialect, const ProgramOptions& options, Program& program,
              MemoryTable& table, Reporter& reporter) {
  const bool is_empty = std::all_of(test.threads.begin(), test.threads.end(),
                                    [](const ThreadNode& thread) { return thread.code.empty(); });
  if (is_empty && !reporter.has_errors()) {
    const SourceSpan where = test.threads.empty() ? SourceSpan{} : test.threads.front().name.span;
    reporter.error(where, "no thread has an instruction");
  }
  Memory memory(program, reporter, dialect == Dialect::TestFile);
  Grids grids;
  std::vector<ColumnLowering> columns = make_columns(test, dialect, options, program, memory, grids, reporter);
  for (const DeclarationNode& node : test.declarations) {
    if (node.kind != DeclarationNode::Kind::Register) memory.declare(node);
  }
  memory.resolve_aliases();
  memory.resolve_tensors();
  memory.use_initial_values();
  for (const DeclarationNode& node : test.declarations) {
    if (node.kind == DeclarationNode::Kind::Register) set_register(node, columns, reporter);
  }
  for (ColumnLowering& column : columns) column.survey();
  memory.settle();
  grids.make_counters(program);
  Exits exits;
  for (const ColumnLowering& column : columns) exits.add({column.place().gpu, column.place().block}, column.exits());
  std::set<BlockId> reached;
  for (const ColumnLowering& column : columns) column.add_reached_blocks(reached);
  exits.make_counters(reached, program);
  for (ColumnLowering& column : columns) column.set_grids(grids, exits);
  const bool dynamic_barriers = std::any_of(columns.begin(), columns.end(),
                                            [](const ColumnLowering& column) { return column.has_dynamic_barrier(); });
  for (ColumnLowering& column : columns) program.threads.push_back(column.lower(dynamic_barriers));
  if (waits_for_columns(program, reporter)) let_columns_take_part(program);
  memory.publish(table);
}

Result<ProgramPtr> read_program(SourceFilePtr source, const ProgramOptions& options) {
  Reporter reporter(source);
  const auto program = std::make_shared<Program>();
  program->source = std::move(source);
  program->has_columns = true;
  const SourceFile& text = *program->source;
  std::optional<Header> header = read_header(text, reporter);
  if (!header) return reporter.take();
  program->name = std::move(header->name);
  program->description = std::move(header->description);
  program->metadata = std::move(header->metadata);
  const TestNode test = read_table(text, header->end, reporter);
  std::optional<FileNode> file;
  if (test.end) file = read_file(text, *test.end, Part::Tail, reporter);
  if (!test.threads.empty()) {
    MemoryTable table(options, reporter, *program);
    assemble(test, Dialect::Ptx, options, *program, table, reporter);
    if (file) read_conditions(*file, *program, table, reporter);
  }
  if (reporter.has_errors()) return reporter.take();
  follow_opaque_values(*program, options.opaque_branches);
  hide_opaque_observables(*program);
  program->remarks = reporter.take_remarks();
  std::ranges::stable_sort(program->remarks, {},
                           [](const Diagnostic& remark) { return std::pair(remark.span.line, remark.span.column); });
  return ProgramPtr(program);
}

}  // namespace ambit::parser::ptx
