#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parser/cuda/syntax/token.h"

namespace ambit::parser::cuda {

/// The structure of one host function: brackets, nesting of statements, and declarations of names. Expressions are not
/// parsed.
class HostFunction {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  /// `code` contains the tokens of a function declaration, with matching brackets. `code` must outlive this object.
  explicit HostFunction(const Tokens& code);

  const Tokens& code() const { return code_; }
  /// Returns the token at an index; an empty token outside of the function.
  const Token& at(std::size_t index) const;
  /// Returns the index of the bracket that matches the bracket at `bracket`.
  std::size_t partner(std::size_t bracket) const { return partner_[bracket]; }
  /// Returns the index of the innermost bracket that is open at `index`; kNone outside of all brackets.
  std::size_t bracket_around(std::size_t index) const { return around_[index]; }
  /// Returns the index of the first token in the statement or bracket that contains `index`.
  std::size_t statement_begin(std::size_t index) const { return statement_[index]; }

  /// Returns the index of the declaration that `name` refers to at `index`; nothing if this function does not declare
  /// the name.
  std::optional<std::size_t> declaration(std::string_view name, std::size_t index) const;
  /// Returns whether the declaration is a parameter of the function, or of a lambda in the function. The value of a
  /// parameter is unknown.
  bool is_parameter(std::size_t declared) const;
  /// Returns the indices of all uses and declarations of a name in the function. Ignores members with this name.
  const std::vector<std::size_t>& places(std::string_view name) const;
  /// Returns the type of a declared variable, including stars, but without const, static, constexpr and &. In
  /// `const int a, *b;`, the type of b is `int *`.
  Tokens type_of(std::size_t declared) const;
  /// Returns whether the name is declared as `T &name` or `T &&name`.
  bool is_reference(std::size_t declared) const;
  /// Returns whether the name is declared `const` or `constexpr` and is not a pointer.
  bool is_constant(std::size_t declared) const;

  /// Returns whether the code at `index` has run exactly once whenever `later` runs. If `operands` is set, the function
  /// assumes that the later operands of &&, || and ?: are always evaluated.
  bool runs_before(std::size_t index, std::size_t later, bool operands) const;
  /// Like runs_before(), but for a whole statement, such as a loop. The statement begins at `begin`.
  bool statement_runs_before(std::size_t begin, std::size_t later) const;
  /// Returns an empty string if the code at `index` runs once. If the code may run several times or at an unknown time,
  /// returns the reason. The reason completes a sentence that begins with "this launch".
  std::string_view repeated(std::size_t index) const;

 private:
  struct Region {
    enum class Kind : std::uint8_t {
      Scope,
      Conditional,  ///< code that some executions skip
      Operand,      ///< an operand of &&, ||, ?:
      Loop,
      Switch,
      Body,     ///< the body of a lambda or a local class, which runs only when called
      TooDeep,  ///< code that is nested too deeply to be analyzed
    } kind = Kind::Scope;
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t parent = kNone;
    bool holds(std::size_t index) const { return begin <= index && index < end; }
  };

  void pair_brackets();
  void index_names();
  void nest_regions();
  std::size_t add(Region::Kind kind, std::size_t begin, std::size_t end);
  void statements(std::size_t begin, std::size_t end, int depth);
  std::size_t statement(std::size_t begin, std::size_t end, int depth);
  std::size_t if_statement(std::size_t begin, std::size_t end, int depth);
  std::size_t loop_statement(std::size_t begin, std::size_t end, int depth);
  std::size_t do_statement(std::size_t begin, std::size_t end, int depth);
  std::size_t try_statement(std::size_t begin, std::size_t end, int depth);
  std::size_t part(Region::Kind kind, std::size_t begin, std::size_t end, int depth);
  void expression(std::size_t begin, std::size_t end, int depth);
  bool leaves(std::size_t begin, std::size_t end) const;
  /// The kind of the bracket around a name. The kind determines whether the bracket may declare the name.
  enum class Around : std::uint8_t { Block, Parameters, For, Condition, Bindings, Enumerators, Values };
  Around around(std::size_t index) const;
  bool begins_lambda(std::size_t close) const;
  bool declares(std::size_t index) const;
  bool declares_after_type(std::size_t index, Around around) const;
  bool begins_declaration(std::size_t begin) const;
  std::size_t scope_end(std::size_t declared) const;

  const Tokens& code_;
  std::vector<std::size_t> partner_;
  std::vector<std::size_t> around_;
  std::vector<std::size_t> statement_;
  std::vector<Region> regions_;
  std::vector<std::size_t> region_of_;  ///< the innermost region of each token
  std::map<std::string, std::vector<std::size_t>, std::less<>> places_;
  std::map<std::string, std::size_t, std::less<>> labels_;  ///< the first occurrence of each label
  std::size_t parameters_ = kNone;                          ///< index of the bracket with the function's parameters
  struct Declared {
    std::size_t index = 0;
    std::size_t end = 0;  ///< the end of the declaration's scope
  };
  std::map<std::string, std::vector<Declared>, std::less<>> declarations_;
};

}  // namespace ambit::parser::cuda
