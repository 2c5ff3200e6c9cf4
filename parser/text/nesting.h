#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace ambit::parser {

/// Deepest nesting of statements and expressions.
inline constexpr std::size_t kMaxNesting = 256;

/// Bounds the depth of the syntax tree from its tokens: brackets, statements within statements, prefix operators and
/// `? :` each nest once; operators of one expression make a chain that is as deep as it is long.
class NestingMeter {
 public:
  enum class Verdict { Fine, TooDeep, TooManyOperators };

  /// Most operators in one expression, those of the expressions around it included.
  static constexpr std::size_t kMaxOperators = 512;

  /// Takes the next token. `is_operand`: a name, number or quoted text.
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
