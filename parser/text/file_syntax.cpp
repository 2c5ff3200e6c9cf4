#include "parser/text/file_syntax.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grammar/LitmusLexer.h"
#include "grammar/LitmusParser.h"
#include "parser/text/damage.h"
#include "parser/text/syntax_errors.h"
#include "parser/text/tokens.h"
#include "parser/text/tree_builder.h"

namespace ambit::parser {
namespace {

/// Never skips the token that ends a statement. If the parser skipped this token, it would join two statements, and the
/// second may be correct.
class KeepsStatements : public antlr4::DefaultErrorStrategy {
  antlr4::Token* singleTokenDeletion(antlr4::Parser* parser) override {
    const std::string text = parser->getCurrentToken()->getText();
    // A bracket at the end of a line ends a condition. The next line may begin with a name (rule `name`).
    const antlr4::Token* next = parser->getTokenStream()->LT(2);
    const bool ends_line = text == ")" && next->getLine() > parser->getCurrentToken()->getLine();
    return text == ";" || text == "}" || ends_line ? nullptr : DefaultErrorStrategy::singleTokenDeletion(parser);
  }
};

/// Reads the parts of the tree that have no syntax errors. Reports errors that the grammar cannot find.
template <typename Context>
std::optional<FileNode> read_tree(Context* tree, LitmusParser& parser, const SourceFile& source, Reporter& reporter) {
  const bool has_syntax_errors = parser.getNumberOfSyntaxErrors() > 0;
  const Damage damage = has_syntax_errors ? Damage(*tree) : Damage();
  const std::size_t syntax_errors = reporter.count();
  FileNode file = TreeReader(source, damage, reporter).read(*tree);
  file.is_damaged = has_syntax_errors;
  if (reporter.count() > syntax_errors || file.has_damaged_struct) return std::nullopt;
  return file;
}

/// Reports text after an outcome. The grammar does not find this error, because the rule `prop` stops at the first
/// token that cannot continue the proposition.
void expect_end(antlr4::TokenStream& tokens, Reporter& reporter, std::size_t errors_before) {
  antlr4::Token* next = tokens.LT(1);
  if (next->getType() == antlr4::Token::EOF || reporter.count() > errors_before) return;
  reporter.error(span_of(*next), "unexpected '" + next->getText() + "' after the outcome",
                 "join the parts of an outcome with && or ||");
}

}  // namespace

std::optional<FileNode> read_file(const SourceFile& source, std::size_t begin, Part part, Reporter& reporter,
                                  const TokenOrigins* origins) {
  const std::size_t errors_before = reporter.count();
  ByteStream stream(source.text);
  LitmusLexer lexer(&stream);
  std::optional<std::vector<std::unique_ptr<antlr4::Token>>> tokens =
      read_tokens(lexer, source, begin, reporter, origins);
  if (!tokens) return std::nullopt;
  antlr4::ListTokenSource token_source(*std::move(tokens));
  antlr4::CommonTokenStream token_stream(&token_source);
  token_stream.fill();  // hints for errors need later tokens
  LitmusParser parser(&token_stream);
  SyntaxErrorListener listener(source, reporter, part == Part::Outcome ? "outcome" : "file");
  // SLL prediction suffices, because the follow set of each rule decides every choice of the grammar. Full-context
  // prediction (LL) gives the same tree, but for texts with errors, the cost grows with the nesting depth.
  parser.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(antlr4::atn::PredictionMode::SLL);
  parser.setErrorHandler(std::make_shared<KeepsStatements>());
  parser.removeErrorListeners();
  parser.addErrorListener(&listener);
  try {
    switch (part) {
      case Part::Body: return read_tree(parser.program(), parser, source, reporter);
      case Part::Tail: return read_tree(parser.tail(), parser, source, reporter);
      case Part::Commands: return read_tree(parser.commands(), parser, source, reporter);
      case Part::Outcome: {
        LitmusParser::PropContext* proposition = parser.prop();
        expect_end(token_stream, reporter, errors_before);
        if (reporter.count() > errors_before) return std::nullopt;
        return read_tree(proposition, parser, source, reporter);
      }
    }
  } catch (const TooManySyntaxErrors&) {
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace ambit::parser
