#include <fmt/format.h>

#include "cat/CatLexer.h"
#include "cat/CatParser.h"
#include "parser/cat/cat_tokens.h"
#include "parser/cat/model_syntax.h"
#include "parser/text/damage.h"

namespace ambit::parser::cat {
namespace {

/// Returns a hint if `word` begins a statement that herd7 supports and Ambit does not; otherwise, an empty string.
std::string_view hint_for_herd_statement(std::string_view word) {
  if (word == "with") return "leave this statement out: every execution has co; `order x on S` declares another order";
  if (word == "procedure" || word == "call") return "write a function, let f(a, b) = e, and test its value";
  if (word == "fun") return "write a function: let f(a, b) = e";
  if (word == "enum" || word == "instructions" || word == "match" || word == "forall") {
    return "the language has no sets of sets and no user-defined tags; docs/reference/rules/names.md lists its sets";
  }
  if (word == "undefined_unless" || word == "requires" || word == "assert") {
    return "write a flag: flag ~empty e as NAME";
  }
  return {};
}

/// Collects ANTLR's syntax errors and replaces token names by words that the user knows.
class Listener : public antlr4::BaseErrorListener {
 public:
  explicit Listener(SourceFilePtr source) : source_(std::move(source)) {}
  Diagnostics errors;

  void syntaxError(antlr4::Recognizer* recognizer, antlr4::Token* token, std::size_t line, std::size_t column,
                   const std::string& /*message*/, std::exception_ptr /*cause*/) override {
    if (errors.size() > kMaxDiagnostics) return;
    SourceSpan span{static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(column + 1), 1};
    std::string found = "this";
    std::string hint = token == nullptr ? std::string() : std::string(hint_for_herd_statement(token->getText()));
    if (hint.empty()) hint = expected(recognizer);
    if (token != nullptr) {
      span = span_of(*token);
      found = token->getType() == antlr4::Token::EOF ? "the end of the file" : fmt::format("'{}'", token->getText());
    }
    errors.push_back({source_, span, fmt::format("unexpected {}", found), std::move(hint)});
  }

 private:
  static std::string expected(antlr4::Recognizer* recognizer) {
    auto* parser = dynamic_cast<antlr4::Parser*>(recognizer);
    if (parser == nullptr) return {};
    const antlr4::misc::IntervalSet tokens = parser->getExpectedTokens();
    constexpr std::size_t name_token = CatParser::NAME;
    std::vector<std::string> names;
    if (tokens.contains(name_token) && tokens.size() > 2) names.emplace_back("an expression");
    for (const ssize_t token : tokens.toList()) {
      if (token == CatParser::NAME && !names.empty()) continue;
      const std::string name = name_of(static_cast<std::size_t>(token), *parser);
      const bool begins_expression =
          name == "'('" || name == "'['" || name == "'0'" || name == "'~'" || name == "'if'" || name == "'try'";
      if (begins_expression && tokens.contains(name_token)) continue;
      names.push_back(name);
    }
    if (names.empty() || names.size() > 6) return {};
    return fmt::format("expected {}", fmt::join(names, " or "));
  }
  static std::string name_of(std::size_t token, const antlr4::Parser& parser) {
    if (token == antlr4::Token::EOF) return "the end of the file";
    if (token == CatParser::NAME) return "a name";
    if (token == CatParser::STRING) return "quoted text";
    return parser.getVocabulary().getDisplayName(token);
  }

  SourceFilePtr source_;
};

/// Never skips a word that begins a statement. If the parser skipped such a word, it would join two statements and miss
/// errors in the second one.
class KeepsStatements : public antlr4::DefaultErrorStrategy {
  antlr4::Token* singleTokenDeletion(antlr4::Parser* parser) override {
    if (begins_statement(parser->getCurrentToken()->getText())) return nullptr;
    return DefaultErrorStrategy::singleTokenDeletion(parser);
  }
};

SourceSpan span_of(antlr4::ParserRuleContext& context) {
  SourceSpan span = cat::span_of(*context.getStart());
  const antlr4::Token* stop = context.getStop();
  if (stop != nullptr && stop->getLine() == context.getStart()->getLine() &&
      stop->getStopIndex() >= context.getStart()->getStartIndex()) {
    span.length = static_cast<std::uint32_t>(stop->getStopIndex() - context.getStart()->getStartIndex() + 1);
  }
  return span;
}

Word word_of(antlr4::Token& token) { return {token.getText(), cat::span_of(token)}; }
Word word_of(antlr4::ParserRuleContext& context) { return {context.getText(), span_of(context)}; }
Word unquoted(antlr4::Token& token) {
  const std::string text = token.getText();
  return {text.substr(1, text.size() - 2), cat::span_of(token)};
}

std::optional<Word> phrase_of(antlr4::Token* token) {
  return token == nullptr ? std::nullopt : std::optional(unquoted(*token));
}

/// Turns a parse tree without syntax errors into an Expression.
class ExpressionReader {
 public:
  Expression read(CatParser::ExpressionContext* context) {
    if (auto* plain = dynamic_cast<CatParser::PlainContext*>(context)) return read(plain->union_());
    if (auto* attempt = dynamic_cast<CatParser::AttemptContext*>(context)) {
      Expression out{Operator::Attempt, span_of(*context), {}, {}, {}, {}};
      out.arguments.push_back(read(attempt->first));
      out.arguments.push_back(read(attempt->second));
      return out;
    }
    auto* choice = dynamic_cast<CatParser::ChoiceContext*>(context);
    AMBIT_ASSERT(choice != nullptr);
    Expression out{Operator::Choice, span_of(*context), {}, word_of(*choice->option), word_of(*choice->value), {}};
    out.arguments.push_back(read(choice->yes));
    out.arguments.push_back(read(choice->no));
    return out;
  }

 private:
  template <typename Context, typename Operand>
  Expression chain(Operator op, Context* context, const std::vector<Operand*>& operands) {
    if (operands.size() == 1) return read(operands[0]);
    Expression out{op, span_of(*context), {}, {}, {}, {}};
    for (const antlr4::Token* sign : context->operators) out.operators.push_back(cat::span_of(*sign));
    for (Operand* operand : operands) out.arguments.push_back(read(operand));
    return out;
  }
  Expression read(CatParser::Union_Context* c) { return chain(Operator::Union, c, c->sequence()); }
  Expression read(CatParser::SequenceContext* c) { return chain(Operator::Sequence, c, c->difference()); }
  Expression read(CatParser::DifferenceContext* c) { return chain(Operator::Difference, c, c->intersection()); }
  Expression read(CatParser::IntersectionContext* c) { return chain(Operator::Intersection, c, c->product()); }
  Expression read(CatParser::ProductContext* c) { return chain(Operator::Product, c, c->prefix()); }

  /// Reads prefix operators. Two adjacent complements cancel, so at most one remains.
  Expression read(CatParser::PrefixContext* c) {
    Expression inner = read(c->postfix());
    if (c->operators.size() % 2 == 0) return inner;
    Expression out{Operator::Complement, span_of(*c), {cat::span_of(*c->operators.back())}, {}, {}, {}};
    out.arguments.push_back(std::move(inner));
    return out;
  }

  /// Simplifies adjacent postfix operators: r**** becomes r*, so that a long chain does not nest.
  Expression read(CatParser::PostfixContext* c) {
    Expression out = read(c->primary());
    for (const antlr4::Token* sign : c->operators) {
      const Operator op = postfix_operator(sign->getText());
      if (op == Operator::Inverse && out.op == Operator::Inverse) {
        Expression inner = std::move(out.arguments[0]);
        out = std::move(inner);
        continue;
      }
      if (op == out.op || (op != Operator::Inverse && out.op == Operator::ReflexiveClosure)) continue;
      Expression outer{op, span_of(*c), {cat::span_of(*sign)}, {}, {}, {}};
      outer.arguments.push_back(std::move(out));
      out = std::move(outer);
    }
    return out;
  }
  static Operator postfix_operator(const std::string& sign) {
    if (sign == "+") return Operator::Closure;
    if (sign == "*") return Operator::ReflexiveClosure;
    if (sign == "?") return Operator::Optional;
    return Operator::Inverse;
  }

  Expression read(CatParser::PrimaryContext* context) {
    AMBIT_ASSERT(context != nullptr);
    if (auto* parentheses = dynamic_cast<CatParser::ParenthesesContext*>(context)) {
      Expression inner = read(parentheses->expression());
      inner.span = span_of(*context);
      return inner;
    }
    Expression out;
    out.span = span_of(*context);
    if (auto* call = dynamic_cast<CatParser::CallContext*>(context)) {
      out.op = Operator::Call;
      out.name = word_of(*call->function);
      for (CatParser::ExpressionContext* argument : call->expression()) out.arguments.push_back(read(argument));
    } else if (auto* name = dynamic_cast<CatParser::NameContext*>(context)) {
      out.op = Operator::Name;
      out.name = word_of(*name->getStart());
    } else if (auto* identity = dynamic_cast<CatParser::IdentityContext*>(context)) {
      out.op = Operator::Identity;
      out.arguments.push_back(read(identity->expression()));
    }
    return out;
  }
};

TestStatement read_test(CatParser::TestContext& test, CatParser::ExpressionContext* expression, antlr4::Token* name,
                        antlr4::ParserRuleContext& whole) {
  TestStatement out;
  out.negated = test.negated != nullptr;
  const std::string kind = test.kind->getText();
  out.test = kind == "acyclic" ? rules::Test::Acyclic : kind == "empty" ? rules::Test::Empty : rules::Test::Irreflexive;
  out.expression = ExpressionReader().read(expression);
  if (name != nullptr) out.name = word_of(*name);
  out.span = span_of(whole);
  return out;
}

Statement read_statement(CatParser::StatementContext* context) {
  ExpressionReader reader;
  if (auto* c = dynamic_cast<CatParser::IncludeContext*>(context)) return IncludeStatement{unquoted(*c->path)};
  if (auto* c = dynamic_cast<CatParser::MappingContext*>(context)) {
    MappingStatement out{word_of(*c->name), std::nullopt};
    if (c->option == nullptr) return out;
    out.option = word_of(*c->option);
    out.value = word_of(*c->value);
    return out;
  }
  if (auto* c = dynamic_cast<CatParser::OrderContext*>(context)) {
    return OrderStatement{word_of(*c->name), reader.read(c->expression())};
  }
  if (auto* c = dynamic_cast<CatParser::OptionContext*>(context)) {
    OptionStatement out{word_of(*c->name), {}, unquoted(*c->meaning).text};
    for (CatParser::WordContext* value : c->word()) out.values.push_back(word_of(*value));
    return out;
  }
  if (auto* c = dynamic_cast<CatParser::LetContext*>(context)) {
    LetStatement out{word_of(*c->name), {}, reader.read(c->expression()), phrase_of(c->phrase)};
    for (antlr4::Token* parameter : c->parameter) out.parameters.push_back(word_of(*parameter));
    return out;
  }
  if (auto* c = dynamic_cast<CatParser::LetRecContext*>(context)) {
    LetRecStatement out;
    for (CatParser::RecursiveContext* binding : c->recursive()) {
      out.bindings.push_back({word_of(*binding->name), reader.read(binding->expression()), phrase_of(binding->phrase)});
    }
    return out;
  }
  if (auto* c = dynamic_cast<CatParser::FlagContext*>(context)) {
    TestStatement out = read_test(*c->test(), c->expression(), c->name, *c);
    out.is_flag = true;
    return out;
  }
  auto* c = dynamic_cast<CatParser::AxiomContext*>(context);
  AMBIT_ASSERT(c != nullptr);
  TestStatement out = read_test(*c->test(), c->expression(), c->name, *c);
  out.phrase = phrase_of(c->phrase);
  return out;
}

using Tokens = std::vector<antlr4::Token*>;

void collect_tokens(antlr4::tree::ParseTree& node, Tokens& tokens) {
  if (auto* leaf = dynamic_cast<antlr4::tree::TerminalNode*>(&node)) {
    const bool is_in_text = leaf->getSymbol()->getTokenIndex() != INVALID_INDEX;
    if (is_in_text && leaf->getSymbol()->getType() != antlr4::Token::EOF) tokens.push_back(leaf->getSymbol());
    return;
  }
  for (antlr4::tree::ParseTree* child : node.children) collect_tokens(*child, tokens);
}

/// Returns the names that a damaged statement may define: names after a keyword such as `let`, names before `=`, and
/// all names in `stray`. `stray` is the text that belongs to no statement, for example `lett hb(r) = po`.
DamagedStatement damaged(const Tokens& statement, const Tokens& stray) {
  DamagedStatement out;
  const auto text = [&](std::size_t i) { return i < statement.size() ? statement[i]->getText() : std::string(); };
  for (std::size_t i = 0; i < statement.size(); ++i) {
    if (text(i) == "include") out.defines_unknown = true;
    if (statement[i]->getType() != CatParser::NAME) continue;
    const std::string before = i > 0 ? text(i - 1) : "";
    const bool is_declared = before == "let" || before == "rec" || before == "and" || before == "order" ||
                             before == "option" || text(i + 1) == "=";
    if (is_declared) out.names.push_back(word_of(*statement[i]));
  }
  for (antlr4::Token* token : stray) {
    if (token->getText() == "include") out.defines_unknown = true;
    if (token->getType() == CatParser::NAME) out.names.push_back(word_of(*token));
  }
  return out;
}

/// Reads the statements of a model. A statement becomes a DamagedStatement if it has a syntax error or precedes stray
/// text.
void read_statements(CatParser::ModelContext& tree, bool has_errors, std::vector<Statement>& statements) {
  const Damage damage = has_errors ? Damage(tree) : Damage();
  const auto is_stray = [](antlr4::tree::ParseTree* node) {
    return dynamic_cast<antlr4::tree::ErrorNode*>(node) != nullptr;
  };
  const std::vector<antlr4::tree::ParseTree*>& parts = tree.children;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto* statement = dynamic_cast<CatParser::StatementContext*>(parts[i]);
    if (statement == nullptr && !is_stray(parts[i])) continue;  // skips the title and the end of the file
    const bool has_stray_text = i + 1 < parts.size() && is_stray(parts[i + 1]);
    if (statement != nullptr && !damage.in(*statement) && !has_stray_text) {
      statements.push_back(read_statement(statement));
      continue;
    }
    Tokens own;
    Tokens stray;
    collect_tokens(*parts[i], statement != nullptr ? own : stray);
    for (; i + 1 < parts.size() && is_stray(parts[i + 1]); ++i) collect_tokens(*parts[i + 1], stray);
    statements.emplace_back(damaged(own, stray));
  }
  if (tree.exception != nullptr) statements.emplace_back(DamagedStatement{{}, true});
}

}  // namespace

Result<std::shared_ptr<const File>> read(const SourceFilePtr& source) {
  Listener listener(source);
  antlr4::ANTLRInputStream input;
  try {
    input.load(source->text);
  } catch (const std::range_error&) {  // ANTLR's exception for invalid UTF-8
    return Diagnostic{source, {}, "this is not a text file: invalid UTF-8", {}};
  }
  CatLexer lexer(&input);
  lexer.removeErrorListeners();
  lexer.addErrorListener(&listener);
  antlr4::CommonTokenStream tokens(&lexer);
  if (std::optional<Diagnostic> bad = find_bad_token(tokens, source)) return *std::move(bad);
  hide_display_statements(tokens);

  CatParser parser(&tokens);
  parser.removeErrorListeners();
  parser.addErrorListener(&listener);
  parser.setErrorHandler(std::make_shared<KeepsStatements>());
  CatParser::ModelContext* tree = parser.model();
  auto file = std::make_shared<File>();
  file->source = source;
  file->errors = std::move(listener.errors);
  if (tree->title != nullptr) file->title = unquoted(*tree->title);
  read_statements(*tree, !file->errors.empty(), file->statements);
  return std::shared_ptr<const File>(std::move(file));
}

}  // namespace ambit::parser::cat
