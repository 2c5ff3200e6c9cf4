#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parser/cuda/token.h"

namespace ambit::parser::cuda {

/// The layout of one host function: its brackets, how its statements nest, and what its names mean. Expressions are not
/// understood.
class HostFunction {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  /// `code`: the tokens of a declaration, brackets in pairs; it must live as long as this.
  explicit HostFunction(const Tokens& code);

  const Tokens& code() const { return code_; }
  /// The token at an index; an empty one outside the function.
  const Token& at(std::size_t index) const;
  /// Index of the bracket that belongs to the one at `bracket`.
  std::size_t partner(std::size_t bracket) const { return partner_[bracket]; }
  /// Index of the innermost bracket that is open at `index`; kNone outside all.
  std::size_t bracket_around(std::size_t index) const { return around_[index]; }
  /// First token of the statement, or of the bracket's contents, that holds `index`.
  std::size_t statement_begin(std::size_t index) const { return statement_[index]; }

  /// Where the variable is declared that `name` means at `index`; nothing when it is none of this function's.
  std::optional<std::size_t> declaration(std::string_view name, std::size_t index) const;
  /// A parameter of this function or of a lambda in it: its value comes from elsewhere.
  bool is_parameter(std::size_t declared) const;
  /// All places of a name in the function, members of the same name left out; declarations are among them.
  const std::vector<std::size_t>& places(std::string_view name) const;
  /// The type of a declared variable with its stars, without const, static, constexpr and &: `int *` of b in
  /// `const int a, *b;`.
  Tokens type_of(std::size_t declared) const;
  /// Declared as `T &name` or `T &&name`.
  bool is_reference(std::size_t declared) const;
  /// Declared `const` or `constexpr`, and no pointer.
  bool is_constant(std::size_t declared) const;

  /// What stands at `index` has run once before `later`, whenever that runs. `operands`: so have the later operands of
  /// &&, || and ?:, as where a failure leaves the function.
  bool runs_before(std::size_t index, std::size_t later, bool operands) const;
  /// Why what stands at `index` may run several times or at another time, as the end of "this launch ..."; empty when
  /// it may not.
  std::string_view repeated(std::size_t index) const;

 private:
  struct Region {
    enum class Kind : std::uint8_t {
      Scope,
      Conditional,  ///< runs or not
      Operand,      ///< of &&, ||, ?:
      Loop,
      Switch,
      Body,     ///< of a lambda or a local class: runs when it is called
      TooDeep,  ///< not looked into
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
  /// What the bracket around a name says about whether it may be declared there.
  enum class Around : std::uint8_t { Block, Parameters, For, Condition, Bindings, Enumerators, Values };
  Around around(std::size_t index) const;
  bool begins_lambda(std::size_t close) const;
  bool declares(std::size_t index) const;
  bool declares_behind_type(std::size_t index, Around around) const;
  bool begins_declaration(std::size_t begin) const;
  std::size_t scope_end(std::size_t declared) const;

  const Tokens& code_;
  std::vector<std::size_t> partner_;
  std::vector<std::size_t> around_;
  std::vector<std::size_t> statement_;
  std::vector<Region> regions_;
  std::vector<std::size_t> region_of_;  ///< innermost region of each token
  std::map<std::string, std::vector<std::size_t>, std::less<>> places_;
  std::map<std::string, std::size_t, std::less<>> labels_;  ///< first place
  std::size_t parameters_ = kNone;                          ///< the bracket of the function's parameters
  struct Declared {
    std::size_t index = 0;
    std::size_t end = 0;  ///< of its scope
  };
  std::map<std::string, std::vector<Declared>, std::less<>> declarations_;
};

}  // namespace ambit::parser::cuda
