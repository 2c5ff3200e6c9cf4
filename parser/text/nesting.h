#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace ambit::parser {

/// The deepest nesting of statements and expressions.
inline constexpr std::size_t kMaxNesting = 256;

/// Bounds the depth of the syntax tree, from its tokens. Each bracket, statement in a statement, prefix operator and `?
/// :` adds one level. The operators of an expression form a chain whose depth is its length.
class NestingMeter {
 public:
  enum class Verdict { Fine, TooDeep, TooManyOperators };

  /// The largest number of operators in one expression, including those of the enclosing expressions.
  static constexpr std::size_t kMaxOperators = 512;

  /// Adds the next token. `is_operand`: it is a name, a number or quoted text.
  Verdict add(std::string_view token, bool is_operand);

 private:
  struct Level {
    std::size_t statements = 0;  ///< number of if, else, while, for and do whose body is still open
    std::size_t prefixes = 0;    ///< number of prefix operators, assignments and ? in the expression
    std::size_t operators = 0;
    bool statement_ended = false;
  };

  void end_expression(Level& level);
  void close();

  std::vector<Level> levels_ = {Level{}};
  std::size_t depth_ = 0;
  std::size_t operators_ = 0;
  bool after_operand_ = false;
};

}  // namespace ambit::parser
