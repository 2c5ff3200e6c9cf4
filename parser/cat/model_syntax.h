#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/source.h"
#include "model/rules/rules.h"

/// The abstract syntax of a model file, with unresolved names. Only model_reader.cpp uses ANTLR.
namespace ambit::parser::cat {

/// A name or word, and its place.
struct Word {
  std::string text;
  SourceSpan span;
};

enum class Operator : std::uint8_t {
  Union,
  Sequence,
  Difference,
  Intersection,
  Product,  // left-associative, with two or more arguments
  Complement,
  Closure,
  ReflexiveClosure,
  Optional,
  Inverse,
  Identity,  // with one argument
  Empty,
  Name,
  Call,    // a function call: name and arguments
  Choice,  // `if name = value then [0] else [1]`
  Attempt  // `try [0] with [1]`
};

/// An expression. A chain of the same infix operator is one flat node, so only brackets, `if` and `try` add nesting
/// levels.
struct Expression {
  Operator op = Operator::Empty;
  SourceSpan span;  ///< place of the expression's first line in the file
  /// The places of a chain's infix operators, or the place of the prefix or postfix operator.
  std::vector<SourceSpan> operators;
  Word name;   ///< the name in a Name or a Call; the option in a Choice
  Word value;  ///< the value in a Choice
  std::vector<Expression> arguments;
};

struct IncludeStatement {
  Word path;
};
struct OptionStatement {
  Word name;
  std::vector<Word> values;
  std::string meaning;
};
struct MappingStatement {
  Word name;
  std::optional<Word> option;  ///< `if option = value`: the statement applies only if this value is chosen
  Word value = {};
};
struct OrderStatement {
  Word name;
  Expression set;
};
struct LetStatement {
  Word name;
  std::vector<Word> parameters;
  Expression body;
  std::optional<Word> phrase = {};
};
struct LetRecStatement {
  struct Binding {
    Word name;
    Expression body;
    std::optional<Word> phrase = {};
  };
  std::vector<Binding> bindings;
};
/// An axiom or a flag.
struct TestStatement {
  bool is_flag = false;
  bool negated = false;
  rules::Test test = rules::Test::Acyclic;
  Expression expression;
  std::optional<Word> name;
  std::optional<Word> phrase;  ///< text that explains an axiom
  SourceSpan span;
};

/// The readable parts of a statement with a syntax error.
struct DamagedStatement {
  std::vector<Word> names;       ///< names that the statement may define
  bool defines_unknown = false;  ///< whether the statement may be an include, which can define any name
};

using Statement = std::variant<DamagedStatement, IncludeStatement, OptionStatement, MappingStatement, OrderStatement,
                               LetStatement, LetRecStatement, TestStatement>;

/// One parsed model file with unresolved names.
struct File {
  SourceFilePtr source;
  std::optional<Word> title;
  std::vector<Statement> statements;
  Diagnostics errors;  ///< syntax errors
};

/// The largest number of tokens in a file. The largest known model has fewer than kMaxTokens / 100 tokens.
inline constexpr std::size_t kMaxTokens = 20'000;

/// Parses a model file. A statement with a syntax error becomes a DamagedStatement. Returns errors if nothing can be
/// read: the text has an invalid token, nesting beyond kMaxNesting, or more than kMaxTokens tokens.
Result<std::shared_ptr<const File>> read(const SourceFilePtr& source);

}  // namespace ambit::parser::cat
