#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/source.h"
#include "model/rules/rules.h"

/// The text of a model file as a tree, names not yet resolved. Free of ANTLR, so that only model_read.cpp compiles it.
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
  Product,  // two and more arguments, from the left
  Complement,
  Closure,
  ReflexiveClosure,
  Optional,
  Inverse,
  Identity,  // one argument
  Empty,
  Name,
  Call,   // function name and its arguments
  Choice  // `if name = value then [0] else [1]`
};

/// An expression. Chains of one infix operator are flat, so that nesting is bounded by the brackets of the text.
struct Expression {
  Operator op = Operator::Empty;
  SourceSpan span;                    ///< the whole text, or its first line
  std::vector<SourceSpan> operators;  ///< infix: the signs between the arguments; others: the sign, if there is one
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
  std::optional<Word> option;  ///< `if option = value`: only when that value is chosen
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
};
struct LetRecStatement {
  struct Binding {
    Word name;
    Expression body;
  };
  std::vector<Binding> bindings;
};
/// Axiom or flag.
struct TestStatement {
  bool is_flag = false;
  bool negated = false;
  rules::Test test = rules::Test::Acyclic;
  Expression expression;
  std::optional<Word> name;
  SourceSpan span;
};

using Statement = std::variant<IncludeStatement, OptionStatement, MappingStatement, OrderStatement, LetStatement,
                               LetRecStatement, TestStatement>;

/// One model file, read but not resolved.
struct File {
  SourceFilePtr source;
  std::optional<Word> title;
  std::vector<Statement> statements;
};

/// Most words and signs of one file: hundreds of times the largest model that we know.
inline constexpr std::size_t kMaxTokens = 20'000;

/// Text to tree. Errors: whatever is not in the language, nesting beyond kMaxNesting, more than kMaxTokens.
Result<std::shared_ptr<const File>> read(const SourceFilePtr& source);

}  // namespace ambit::parser::cat
