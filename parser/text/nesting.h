#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace ambit::parser {

/// The deepest nesting of statements and expressions.
inline constexpr std::size_t kMaxNesting = 256;

/// Bounds the depth of the syntax tree, from its tokens. Each bracket, statement within a statement, prefix operator
/// and `? :` nests once. The operators of one expression form a chain whose depth is its length.
class NestingMeter {
 public:
  enum class Verdict { Fine, TooDeep, TooManyOperators };

  /// The largest number of operators in one expression, including those of the enclosing expressions.
  static constexpr std::size_t kMaxOperators = 512;

  /// Adds the next token. `is_operand`: a name, number or quoted text.
  Verdict add(std::string_view token, bool is_operand);

 private:
  struct Level {
    std::size_t statements = 0;  ///< if, else, while, for, do whose body is still open
    std::size_t prefixes = 0;    ///< prefix operators, assignments and ? of the expression
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
