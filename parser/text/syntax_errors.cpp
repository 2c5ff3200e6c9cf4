#include "parser/text/syntax_errors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/assert.h"
#include "core/litmus_words.h"
#include "grammar/LitmusParser.h"
#include "parser/text/tokens.h"

namespace ambit::parser {
namespace {

using Words = std::set<std::string>;

Words expected_tokens(antlr4::Parser& parser) {
  Words words;
  const antlr4::dfa::Vocabulary& vocabulary = parser.getVocabulary();
  for (const ssize_t type : parser.getExpectedTokens().toList()) {
    words.insert(type == static_cast<ssize_t>(antlr4::Token::EOF)
                     ? "EOF"
                     : vocabulary.getDisplayName(static_cast<std::size_t>(type)));
  }
  return words;
}

bool contains_all(const Words& words, std::initializer_list<const char*> wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const char* word) { return words.contains(word); });
}

/// Returns the soft keywords: words that are names in places where a keyword is not possible (rule `name`).
const Words& soft_words() {
  static const Words kWords = {"'dependent'", "'under'",   "'locations'", "'global'", "'shared'", "'then'",
                               "'launch'",    "'exists'",  "'forall'",    "'filter'", "'expect'", "'label'",
                               "'detect'",    "'because'", "'on'",        "'under'",  "'abort'",  "'tensormap'"};
  return kWords;
}

std::string name_of_token(const std::string& display) {
  if (display == "ID") return "a name";
  if (display == "INTEGER" || display == "FLOATING" || display == "VERSION") return "a number";
  if (display == "STRING") return "quoted text";
  if (display == "CONTENTS") return "'='";
  static const std::set<std::string_view> kTypes = {"TYPE",      "TYPE_NAME",   "VOLATILE",
                                                    "QUALIFIER", "ATOMIC_TYPE", "'CUtensorMap'"};
  if (kTypes.contains(display)) return "a type";
  if (display == "EOF") return "the end of the file";
  return display;
}

bool is_word_token(const std::string& display) {
  return display.size() > 2 && display[0] == '\'' && std::isalpha(static_cast<unsigned char>(display[1])) != 0;
}

/// Describes the expected tokens. If a statement, expression or declaration is possible, returns one phrase; otherwise,
/// a list of the tokens. The list of tokens omits operators if punctuation is also possible.
std::string describe_expected(Words words, bool is_cuda_source) {
  if (contains_all(words, {"'launch'", "'expect'", "'exists'", "'{'", "EOF"})) {
    if (is_cuda_source) return "a declaration";
    return "a declaration, thread, kernel, launch, condition or expectation";
  }
  if (contains_all(words, {"'locations'", "'expect'", "'exists'", "EOF"})) return "a condition or expectation";
  if (contains_all(words, {"'if'", "'while'", "'return'"})) {
    return words.contains("'}'") ? "a statement or '}'" : "a statement";
  }
  const bool expression = contains_all(words, {"ID", "INTEGER", "'('"});
  if (expression) {
    Words rest;
    for (const char* closing : {"')'", "'}'", "';'"}) {
      if (words.contains(closing)) rest.insert(closing);
    }
    return rest.empty() ? "an expression" : fmt::format("an expression or {}", fmt::join(rest, " or "));
  }
  if (contains_all(words, {"'global'", "'shared'"}) && !words.contains("ID")) {
    return words.contains("'}'") ? "'global', 'shared' or '}'" : "'global' or 'shared'";
  }
  // These attributes and types may precede a type, but a type alone is correct.
  for (const char* const attribute : {"'__cluster_dims__'", "'cuda::barrier'", "'volatile'"}) {
    if (words.contains("TYPE")) words.erase(attribute);
  }
  const auto is_soft = [](const std::string& word) { return soft_words().contains(word); };
  if (words.contains("ID") || std::ranges::count_if(words, is_soft) > 2) {
    std::erase_if(words, is_soft);
    words.insert("ID");
  }
  const Words closing = {"';'", "')'", "']'", "'}'", "','", "':'", "'>'", "'>>>'", "'else'"};
  Words punctuation;
  std::set_intersection(words.begin(), words.end(), closing.begin(), closing.end(),
                        std::inserter(punctuation, punctuation.begin()));
  if (!punctuation.empty() && words.contains("'+'")) words = punctuation;
  Words named;  // without duplicates
  for (const std::string& word : words) named.insert(name_of_token(word));
  std::vector<std::string> names(named.begin(), named.end());
  if (names.empty() || names.size() > 6) return {};
  const std::string last = names.back();
  names.pop_back();
  return names.empty() ? last : fmt::format("{} or {}", fmt::join(names, ", "), last);
}

std::string describe_found(const SourceFile& source, const antlr4::Token& token, std::string_view whole) {
  if (token.getType() == antlr4::Token::EOF) return fmt::format("the end of the {}", whole);
  // The reader of a launch adds a missing semicolon. The added token has length 0.
  if (token.getText() == ";" && span_of(token).length == 0) return "the end of the launch";
  const std::string text = source.text.substr(token.getStartIndex(), token.getStopIndex() + 1 - token.getStartIndex());
  if (token.getType() == LitmusParser::STRING) return "quoted text";
  return text.size() <= 40 ? fmt::format("'{}'", text) : fmt::format("'{}...'", text.substr(0, 40));
}

std::string hint_for(const Words& words, const SourceFile& source, const antlr4::Token& token) {
  if (token.getType() != LitmusParser::ID) return {};
  const std::string text = source.text.substr(token.getStartIndex(), token.getStopIndex() + 1 - token.getStartIndex());
  std::vector<std::string> keywords;
  for (const std::string& word : words) {
    if (is_word_token(word)) keywords.push_back(word.substr(1, word.size() - 2));
  }
  const std::vector<std::string_view> candidates(keywords.begin(), keywords.end());
  const std::string_view near = nearest_name(text, candidates);
  return near.empty() ? std::string{} : fmt::format("did you mean '{}'?", near);
}

std::string hint_for_type(std::string_view name, bool is_cuda_source) {
  if (name == "__int128") return "accesses of 16 bytes are in PTX litmus files: .b128 (docs/reference/ptx-files.md)";
  const std::string_view near =
      nearest_name(name, {"int", "unsigned", "short", "long", "char", "bool", "float", "double", "void", "auto",
                          "uint32_t", "uint64_t", "int32_t", "int64_t", "size_t", "float2", "float4", "int2", "int4"});
  if (!near.empty()) return fmt::format("did you mean '{}'?", near);
  return is_cuda_source ? "Ambit does not read #include: declare the type in this file, or with -D NAME=TYPE"
                        : "declare it with struct, or write one of the types of docs/reference/language.md";
}

/// Returns a name in a place where only a type is possible: foo in `foo x;`, `k(foo *x)` or `(foo)x`. Returns null for
/// other errors. `at` is the index of the unexpected token. `is_argument` is true in the arguments of a launch.
const antlr4::Token* unknown_type(antlr4::TokenStream& tokens, std::size_t at, const Words& words, bool is_argument) {
  const auto is_name = [&](std::size_t i) { return i < tokens.size() && tokens.get(i)->getType() == LitmusParser::ID; };
  const auto is = [&](std::size_t i, std::string_view text) {
    return i < tokens.size() && tokens.get(i)->getText() == text;
  };
  // In a list of parameters, or after a qualifier, a name before another name or a star must be a type.
  if (words.contains("TYPE") && !words.contains("'if'") && !words.contains("'launch'") && is_name(at) &&
      (is_name(at + 1) || is(at + 1, "*") || is(at + 1, "&"))) {
    return tokens.get(at);
  }
  if (at == 0 || !is_name(at)) return nullptr;
  if (is_argument && is_name(at - 1)) return tokens.get(at - 1);
  if (!words.contains("';'") || words.contains("'@'")) return nullptr;
  if (is_name(at - 1)) return tokens.get(at - 1);
  const bool is_cast = at > 2 && is(at - 1, ")") && is_name(at - 2) && is(at - 3, "(");
  return is_cast && (at < 4 || !is_name(at - 4)) ? tokens.get(at - 2) : nullptr;
}

/// Returns the hint for a misspelled word at the beginning of an item, as in `exits (x == 1)`. In the grammar, the word
/// is the name of a thread.
std::string hint_for_item(std::string_view word) {
  const std::string_view near =
      nearest_name(word, {"exists", "forall", "filter", "expect", "label", "detect", "launch"});
  return near.empty() ? std::string{} : fmt::format("did you mean '{}'?", near);
}

/// Returns the hint for a thread without a place: "write P1 @ block 1 {". `found` is the token after the thread's name.
std::string hint_for_thread(const std::string& name, const std::string& found) {
  if (found == "|" || found == ";") {
    return "a table of instructions begins with a line PTX NAME (docs/reference/ptx-files.md); in this language, write "
           "P0 @ block 0 { ... }";
  }
  if (word_kind(found) == WordKind::Argument) return fmt::format("write {} @ {}", name, found);
  if (name == "race" || name == "norace" || name == "racy") return fmt::format("write a comma before '{}'", name);
  if (name == "forbidden" || name == "never") return "write ~exists (...)";
  if (name == "allowed") return "write exists (...)";
  if (name == "thread" || name == "process") return fmt::format("write {} @ block 0 {{", found);
  if (name == "assert" || name == "final" || name == "condition")
    return "write exists (...), ~exists (...) or forall (...)";
  if (found != "{" && found != "(" && found != ":") return {};
  // suggests P0 in block 0, P1 in block 1, ...
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  const std::string number = digits < name.size() && name.size() - digits <= 4 ? name.substr(digits) : "0";
  const std::string_view why = found == "(" ? ": a thread has no parameters, because it sees all memory" : "";
  return fmt::format("write {} @ block {} {{{}", name, number, why);
}

/// Returns the PTX instruction whose last words are before the token `at`, such as "st.release.gpu"; otherwise an empty
/// text.
std::string ptx_instruction(antlr4::TokenStream& tokens, std::size_t at) {
  static const std::set<std::string_view> kOpcodes = {"ld", "st", "atom", "red", "fence", "membar", "bar", "barrier"};
  std::string text;
  for (std::size_t i = at; i >= 2 && tokens.get(i - 2)->getText() == "."; i -= 2) {
    text = "." + tokens.get(i - 1)->getText() + text;
    const std::string first = i >= 3 ? tokens.get(i - 3)->getText() : "";
    if (kOpcodes.contains(first)) return first + text;
  }
  return {};
}

/// Returns the hint for a file or a thread that ends too early, at the token `end`. The hint contains the line of the
/// innermost open bracket.
std::string hint_for_end(antlr4::TokenStream& tokens, std::size_t end) {
  std::vector<const antlr4::Token*> open;
  for (std::size_t i = 0; i < end; ++i) {
    const antlr4::Token* token = tokens.get(i);
    const std::string text = token->getText();
    if (text == "{" || text == "(") open.push_back(token);
    if ((text == "}" || text == ")") && !open.empty()) open.pop_back();
  }
  if (open.empty()) return {};
  return fmt::format("the '{}' in line {} is not closed", open.back()->getText(), open.back()->getLine());
}

/// Returns the first line of a declaration that begins with `type`, for example `int x = 0`.
std::string declaration_at(const SourceFile& source, const antlr4::Token& type) {
  const std::string_view text = std::string_view(source.text).substr(type.getStartIndex());
  const std::string_view declaration = text.substr(0, text.find_first_of(";}\n\r"));
  return std::string(declaration.substr(0, declaration.find_last_not_of(" \t") + 1));
}

/// Returns whether the token is the first word of a type.
bool begins_type(const antlr4::Token& token) {
  static const std::set<std::size_t> kTypes = {LitmusParser::TYPE, LitmusParser::TYPE_NAME, LitmusParser::ATOMIC_TYPE,
                                               LitmusParser::BARRIER_TYPE, LitmusParser::TENSOR_MAP_TYPE};
  return kTypes.contains(token.getType());
}

/// Returns the place in the form of the language: "block 1" for `block1` and for `block(1)`. `word`: the word before
/// the error. `next`: the token after a bracket.
std::string place_before(const std::string& word, const std::string& next) {
  const std::size_t digits = word.find_last_not_of("0123456789") + 1;
  if (digits < word.size()) return word.substr(0, digits) + " " + word.substr(digits);
  const bool is_number = !next.empty() && next.find_first_not_of("0123456789") == std::string::npos;
  return word + " " + (is_number ? next : "0");
}

/// Returns whether a thread (`P1 @ block 1`) or a condition begins at the token `at`. A body cannot contain a thread or
/// a condition.
bool begins_item(antlr4::TokenStream& tokens, std::size_t at) {
  const std::string text = tokens.get(at)->getText();
  if (text == "@" || text == "exists" || text == "forall" || text == "expect") return true;
  const bool is_name = tokens.get(at)->getType() == LitmusParser::ID && at + 1 < tokens.size();
  return is_name && tokens.get(at + 1)->getText() == "@";
}

/// Returns the index of the token after the block that begins with `{` at the token `open`.
std::size_t end_of_block(antlr4::TokenStream& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    const std::string text = tokens.get(i)->getText();
    depth += text == "{" ? 1 : text == "}" ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return tokens.size();
}

/// The tokens that the parser expected at a syntax error.
struct ErrorContext {
  const Words& words;
  const std::string& expected;  ///< the result of describe_expected() for `words`
  std::size_t rule;             ///< the grammar rule in which the error is
};

/// Returns the hint for an unexpected token; an empty text for tokens without a hint.
std::string hint_at(const antlr4::Token& token, const ErrorContext& context, const SourceFile& source,
                    antlr4::TokenStream& tokens) {
  const std::string_view expected = context.expected;
  const std::size_t at = token.getTokenIndex();
  const std::string found = token.getText();
  const std::string before = at > 0 ? tokens.get(at - 1)->getText() : "";
  if (expected.starts_with("'global'")) {
    if (begins_type(token)) return "write global " + declaration_at(source, token);
    if (found == "atomic") return "write global cuda::" + declaration_at(source, token);
    if (found == "__shared__" || found == "__device__") {
      const std::string declaration = declaration_at(source, token);
      const std::size_t type = declaration.find_first_not_of(" \t", found.size());
      const std::string rest = type == std::string::npos ? "int x" : declaration.substr(type);
      return (found == "__shared__" ? "write shared " : "write global ") + rest;
    }
    if (token.getType() == LitmusParser::INTEGER) {
      return "registers have no initial values here: assign the value in the thread, int r0 = 1;";
    }
  }
  if ((before == "global" || before == "shared") && token.getType() == LitmusParser::ID) {
    return fmt::format("write {} int {}", before, declaration_at(source, token));
  }
  if (expected == "'@'") {
    if (std::string hint = hint_for_thread(before, found); !hint.empty()) return hint;
  }
  if (token.getType() == antlr4::Token::EOF || (expected != "'@'" && begins_item(tokens, at))) {
    return hint_for_end(tokens, at);
  }
  if (context.rule == LitmusParser::RulePlaceWord && expected == "a number") {
    return "write " + place_before(before, found == "(" && at + 1 < tokens.size() ? tokens.get(at + 1)->getText() : "");
  }
  const bool is_operator = found == "and" || found == "or";
  if (is_operator && expected.starts_with("')'")) return found == "and" ? "write &&" : "write ||";
  if (found == ":" && at + 1 < tokens.size() && tokens.get(at + 1)->getText() == "=") return "write = instead of :=";
  if (found == "locations") return "leave it out: ambit outcomes lists the final values of all registers and cells";
  if (found == "[" && expected.starts_with("an expression")) return "lambdas are not supported";
  if (found == "." && at + 1 < tokens.size()) {
    const std::string word = tokens.get(at + 1)->getText();
    if (word_kind(word) == WordKind::Argument) return fmt::format("write {} without the dot", word);
  }
  std::string near = hint_for(context.words, source, token);
  const bool lacks_type = expected.starts_with("'global'") && token.getType() == LitmusParser::ID;
  return near.empty() && lacks_type ? "write global int " + declaration_at(source, token) : near;
}

}  // namespace

void SyntaxErrorListener::syntaxError(antlr4::Recognizer* recognizer, antlr4::Token* offending, std::size_t /*line*/,
                                      std::size_t /*column*/, const std::string& /*message*/,
                                      std::exception_ptr /*error*/) {
  auto* parser = dynamic_cast<antlr4::Parser*>(recognizer);
  AMBIT_ASSERT(parser != nullptr && offending != nullptr);
  if (reporter_.count() > kMaxDiagnostics) throw TooManySyntaxErrors{};
  if (offending->getLine() == last_line_ || offending->getTokenIndex() < end_of_body_) return;
  last_line_ = offending->getLine();
  Words words = expected_tokens(*parser);
  // In the rules for statements and primary expressions, the comma operator is always possible, but a comma is never
  // the missing token.
  const std::size_t rule = parser->getContext()->getRuleIndex();
  if (rule == LitmusParser::RuleStatement || rule == LitmusParser::RulePrimary) words.erase("','");
  const bool is_cuda_source = dynamic_cast<const PlacedToken*>(offending) != nullptr;
  const bool is_argument = rule == LitmusParser::RuleLaunch || rule == LitmusParser::RuleLaunchArguments ||
                           rule == LitmusParser::RuleLaunchArgument;
  if (const std::string instruction = ptx_instruction(*parser->getTokenStream(), offending->getTokenIndex());
      !instruction.empty()) {
    reporter_.syntax_error(span_of(*offending), fmt::format("unexpected PTX instruction '{}'", instruction),
                           "write store(x, 1, release, gpu), int r0 = load(x, acquire, gpu), fence(sc, gpu); PTX is in "
                           "files that begin with PTX NAME (docs/reference/ptx-files.md)");
    return;
  }
  if (const antlr4::Token* type =
          unknown_type(*parser->getTokenStream(), offending->getTokenIndex(), words, is_argument)) {
    const std::string name = type->getText();
    reporter_.syntax_error(span_of(*type), fmt::format("unknown type '{}'", name), hint_for_type(name, is_cuda_source));
    return;
  }
  const std::string expected = describe_expected(words, is_cuda_source);
  const std::string found = describe_found(source_, *offending, whole_);
  SourceSpan span = span_of(*offending);
  // A missing ';' is reported at the end of the incomplete line, not at the beginning of the next line.
  if (expected == "';'" && offending->getTokenIndex() > 0) {
    const antlr4::Token* before = parser->getTokenStream()->get(offending->getTokenIndex() - 1);
    const SourceSpan previous = span_of(*before);
    if (previous.line < span.line) span = {previous.line, previous.column + previous.length, 1};
  }
  if (expected == "'@'" && offending->getTokenIndex() > 0) {
    const antlr4::Token* before = parser->getTokenStream()->get(offending->getTokenIndex() - 1);
    if (std::string item = hint_for_item(before->getText()); !item.empty()) {
      reporter_.syntax_error(span_of(*before), fmt::format("unexpected '{}'", before->getText()), std::move(item));
      return;
    }
  }
  if (expected == "'@'" && offending->getText() == "{") {
    end_of_body_ = end_of_block(*parser->getTokenStream(), offending->getTokenIndex());
  }
  reporter_.syntax_error(
      span,
      expected.empty() ? fmt::format("unexpected {}", found) : fmt::format("expected {}, found {}", expected, found),
      hint_at(*offending, {words, expected, rule}, source_, *parser->getTokenStream()));
}

}  // namespace ambit::parser
