#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace ambit::parser {

/// The maximum nesting depth of statements and expressions.
inline constexpr std::size_t kMaxNesting = 256;

/// Computes an upper bound on the syntax tree's depth from the tokens. Each bracket, nested statement, prefix operator
/// and conditional operator adds one level. The operators of an expression form a chain; the depth of the chain is the
/// number of operators.
class NestingMeter {
 public:
  enum class Verdict { Fine, TooDeep, TooManyOperators };

  /// The largest total number of operators in one expression and all enclosing expressions.
  static constexpr std::size_t kMaxOperators = 512;

  /// Adds the next token. `is_operand` is true for a name, a number or quoted text.
  Verdict add(std::string_view token, bool is_operand);

 private:
  struct Level {
    std::size_t statements = 0;  ///< number of if, else, while, for and do statements that are not complete
    std::size_t prefixes = 0;    ///< number of prefix operators, assignments and `?` in the expression
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
