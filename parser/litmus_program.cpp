#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "litmus/LitmusLexer.h"
#include "litmus/LitmusParser.h"
#include "parser/litmus_condition.h"
#include "parser/litmus_expectation.h"
#include "parser/litmus_header.h"
#include "parser/litmus_source.h"
#include "parser/litmus_syntax_errors.h"
#include "parser/litmus_threads.h"
#include "parser/litmus_tokens.h"
#include "parser/litmus_tree.h"
#include "parser/parse.h"

namespace ambit::parser {
namespace litmus {
namespace {

/// Text to abstract syntax; nothing when there are errors.
std::optional<FileNode> read_file(const SourceFile& source, std::size_t begin, Reporter& reporter) {
  ByteStream stream(source.text);
  LitmusLexer lexer(&stream);
  std::optional<std::vector<std::unique_ptr<antlr4::Token>>> tokens = read_tokens(lexer, source, begin, reporter);
  if (!tokens) return std::nullopt;
  antlr4::ListTokenSource token_source(*std::move(tokens));
  antlr4::CommonTokenStream token_stream(&token_source);
  LitmusParser parser(&token_stream);
  SyntaxErrorListener listener(source, reporter);
  // Every decision of the grammar is decided by its own follow set, so full-context prediction (LL) would find the same
  // tree, at a cost that grows with nesting where there are errors.
  parser.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(antlr4::atn::PredictionMode::SLL);
  parser.removeErrorListeners();
  parser.addErrorListener(&listener);
  try {
    LitmusParser::ProgramContext* tree = parser.program();
    if (reporter.has_errors()) return std::nullopt;
    FileNode file = TreeReader(source, reporter).read(*tree);
    if (reporter.has_errors()) return std::nullopt;
    return file;
  } catch (const TooManySyntaxErrors&) {
    return std::nullopt;
  }
}

void check_is_a_test(const FileNode& file, Reporter& reporter) {
  if (!file.threads.empty() || !file.launches.empty() || !file.functions.empty()) return;
  reporter.error({}, "the test has no thread", "write a thread, P0 @ block 0 { ... }, or a kernel and its launch");
}

void assemble(const FileNode& file, const ProgramOptions& options, Program& program, Reporter& reporter) {
  check_is_a_test(file, reporter);
  MemoryTable memory(options, reporter, program);
  for (const Declaration& declaration : file.memory) memory.declare(declaration);
  FunctionTable functions(file.functions, reporter);
  if (reporter.has_errors()) return;
  Assembly assembly{file, options, reporter, program, memory, functions, {}, {}};
  ClusterNumbers clusters;
  add_placed_threads(assembly, clusters);
  add_launched_threads(assembly);
  for (Thread& thread : program.threads) {
    thread.place.cluster = clusters.cluster_of({thread.place.gpu, thread.place.block});
  }
  ConditionReader conditions(program, memory, file, reporter);
  conditions.read();
  read_expectations(file, program, conditions, reporter);
}

}  // namespace
}  // namespace litmus

Result<std::shared_ptr<const Program>> parse_program(SourceFilePtr source, const ProgramOptions& options) {
  AMBIT_ASSERT(source != nullptr);
  if (std::optional<Diagnostic> error = litmus::check_text(source)) return *std::move(error);
  litmus::Reporter reporter(source);
  const auto program = std::make_shared<Program>();
  program->source = std::move(source);
  const SourceFile& text = *program->source;
  std::optional<litmus::Header> header = litmus::read_header(text, reporter);
  if (!header) return reporter.take();
  program->name = std::move(header->name);
  program->description = std::move(header->description);
  program->metadata = std::move(header->metadata);
  if (const std::optional<litmus::FileNode> file = litmus::read_file(text, header->end, reporter)) {
    litmus::assemble(*file, options, *program, reporter);
  }
  if (reporter.has_errors()) return reporter.take();
  return std::shared_ptr<const Program>(program);
}

}  // namespace ambit::parser
