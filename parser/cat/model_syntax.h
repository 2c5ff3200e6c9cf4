#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/source.h"
#include "model/rules/rules.h"

/// The abstract syntax of a model file, with unresolved names. Only model_reader.cpp depends on ANTLR.
namespace ambit::parser::cat {

/// A name or word with its place.
struct Word {
  std::string text;
  SourceSpan span;
};

enum class Operator : std::uint8_t {
  Union,
  Sequence,
  Difference,
  Intersection,
  Product,  // two or more arguments, left-associative
  Complement,
  Closure,
  ReflexiveClosure,
  Optional,
  Inverse,
  Identity,  // one argument
  Empty,
  Name,
  Call,   // a function name and its arguments
  Choice  // `if name = value then [0] else [1]`
};

/// An expression. A chain of one infix operator is flat, so the brackets of the text bound the nesting.
struct Expression {
  Operator op = Operator::Empty;
  SourceSpan span;                    ///< the whole text, or its first line
  std::vector<SourceSpan> operators;  ///< infix: the operator signs between the arguments; otherwise: the sign, if any
  Word name;                          ///< Name, Call; Choice: the option
  Word value;                         ///< Choice
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
  std::optional<Word> option;  ///< `if option = value`: applies only when this value is chosen
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
  std::optional<Word> phrase;  ///< axioms
  SourceSpan span;
};

/// The readable parts of a statement with a syntax error.
struct DamagedStatement {
  std::vector<Word> names;       ///< that it may define
  bool defines_unknown = false;  ///< it may define any other name, too: an include
};

using Statement = std::variant<DamagedStatement, IncludeStatement, OptionStatement, MappingStatement, OrderStatement,
                               LetStatement, LetRecStatement, TestStatement>;

/// One parsed model file with unresolved names.
struct File {
  SourceFilePtr source;
  std::optional<Word> title;
  std::vector<Statement> statements;
  Diagnostics errors;  ///< of syntax
};

/// The largest number of tokens of one file: hundreds of times the largest known model.
inline constexpr std::size_t kMaxTokens = 20'000;

/// Parses a model file, without the statements that have syntax errors. Errors, if nothing can be read: a character or
/// quoted text that no model contains, nesting beyond kMaxNesting, more than kMaxTokens tokens.
Result<std::shared_ptr<const File>> read(const SourceFilePtr& source);

}  // namespace ambit::parser::cat
