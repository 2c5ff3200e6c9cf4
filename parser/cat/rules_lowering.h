#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/rules/rules.h"
#include "parser/cat/model_syntax.h"

namespace ambit::parser::cat {

/// A file, and the place where it is included: for example "mine.cat:3", or "" for the model file.
struct Unit {
  SourceFilePtr source;
  std::string included_from;
};

/// The errors of a model, without duplicates. Several expansions of a function produce the same errors.
class ErrorList {
 public:
  void add(const Unit& unit, SourceSpan span, const std::string& message, std::string hint = {});
  void add(Diagnostic diagnostic) { all_.push_back(std::move(diagnostic)); }
  bool empty() const { return all_.empty(); }
  Diagnostics take() { return std::move(all_); }

 private:
  Diagnostics all_;
  std::set<std::string> seen_;
};

/// The value of an expression. The literal `0` has no kind, because it can be the empty set or the empty relation. A
/// value is bad if an error in its expression has been reported. Errors about expressions that use a bad value are not
/// reported.
struct Denotation {
  std::optional<rules::Kind> kind;
  rules::TermId term = 0;
  bool bad = false;
};

/// The definition of a name.
struct Function {
  const LetStatement* let = nullptr;
  const Unit* unit = nullptr;
  bool bad = false;
};
struct Name {
  std::variant<Denotation, Function> meaning;
  std::string place;  ///< place of the definition, for example "ptx.cat:12"; used in errors about a second definition
  /// Whether the definition has a syntax error. Errors that result from the missing definition are not reported.
  bool is_damaged = false;
};

/// Lowers expressions to terms: resolves names, checks kinds, expands functions, selects branches of `if`.
class Lowering {
 public:
  Lowering(rules::Rules& rules, ErrorList& errors) : rules_(rules), errors_(errors) {}

  /// The largest numbers of terms and of lowering steps. The expansion of functions can be exponential.
  static constexpr std::size_t kMaxTerms = 4096;
  static constexpr std::size_t kMaxSteps = 200'000;

  /// Declares a name for the following statements. If the name already exists, reports an error and returns false.
  bool declare(const Unit& unit, const Word& name, std::variant<Denotation, Function> meaning);
  /// Declares a name whose definition has a syntax error. Has no effect if the name already exists.
  void declare_damaged(const Unit& unit, const Word& name);
  /// From now on, accepts unknown names in statements, because an unreadable part of the model may define these names.
  void allow_unknown_names() { allows_unknown_names_ = true; }
  bool has_damage() const { return has_damage_ || allows_unknown_names_; }
  bool may_be_damaged(std::string_view name) const;

  Denotation lower(const Unit& unit, const Expression& expression);
  /// Lowers an expression to a term of kind `wanted`. If the expression has another kind, reports an error that names
  /// `user`, and returns nothing.
  std::optional<rules::TermId> lower_as(rules::Kind wanted, const Unit& unit, const Expression& expression,
                                        std::string_view user);
  rules::TermId term_of(const Denotation& value, rules::Kind kind);

  /// Returns whether `value` is the chosen value of the option. If the option or the value does not exist, reports an
  /// error and returns nothing.
  std::optional<bool> is_chosen(const Unit& unit, const Word& option, const Word& value);

  /// Checks the phrase of a definition. Reports an error if the phrase contains only one of `$1` and `$2`, or another
  /// character after `$`.
  void check_phrase(const Unit& unit, const std::optional<Word>& phrase);

  /// Reports invalid parameters of a function, and unknown names in the function's body.
  bool check_function(const Unit& unit, const LetStatement& function);

  /// Starts to lower the bodies of a `let rec`. Until close_group(), reports an error if a name of the `let rec` occurs
  /// under `~` or on the right of `\`.
  void open_group(std::size_t first_fixpoint);
  void close_group() { open_from_.reset(); }
  /// Infers the kind of a recursive body. `unknown` maps the names of the `let rec` to kinds, if known. The function
  /// visits at most `steps` expressions, and subtracts the number of visited expressions from `steps`.
  using KindMap = std::map<std::string, std::optional<rules::Kind>>;
  std::optional<rules::Kind> infer(const Expression& expression, const KindMap& unknown, std::size_t& steps) const;

 private:
  using Parameters = std::map<std::string, Denotation, std::less<>>;

  Denotation lower(const Expression& expression);
  Denotation lower_node(const Expression& expression);
  Denotation lower_chain(const Expression& expression);
  Denotation lower_unary(const Expression& expression);
  Denotation lower_name(const Expression& expression);
  Denotation lower_call(const Expression& expression);
  Denotation lower_end(const Expression& expression);
  Denotation expand(const Expression& call, const Function& function, const Parameters& arguments);
  Denotation lower_choice(const Expression& expression);
  Denotation lower_attempt(const Expression& expression);
  std::optional<bool> is_chosen(const Word& option, const Word& value);
  Denotation join_kinds(const Expression& expression, std::size_t sign, const Denotation& a, const Denotation& b,
                        const Expression& left, const Expression& right);
  std::optional<rules::TermId> as(rules::Kind wanted, const Denotation& value, const Expression& expression,
                                  std::string_view user);
  Denotation relation(const rules::Term& term) {
    return {rules::Kind::Relation, rules_.intern(term, rules::Kind::Relation)};
  }
  bool check_recursion(const Expression& expression, std::size_t sign, const Denotation& operand);
  bool depends_on_open(rules::TermId term);
  void check_names(const Expression& expression, const LetStatement& function, bool& good);
  /// Returns whether all names of the expression are defined. `is_parameter` returns whether a name is a parameter of
  /// the function that contains the expression.
  template <typename IsParameter>
  bool knows_names(const Expression& expression, IsParameter is_parameter) const;
  void unknown_name(const Word& name, std::string hint = {});
  std::string text_of(const Expression& expression) const;
  void error(SourceSpan span, const std::string& message, std::string hint = {});

  rules::Rules& rules_;
  ErrorList& errors_;
  std::map<std::string, Name, std::less<>> names_;
  const Unit* unit_ = nullptr;
  const Parameters* parameters_ = nullptr;  ///< arguments of the function whose call is being expanded
  std::string call_place_;                  ///< place of the call that is being expanded
  std::size_t call_depth_ = 0;
  std::size_t steps_ = 0;
  bool too_large_ = false;
  bool has_damage_ = false;
  bool allows_unknown_names_ = false;
  /// For each Attempt, whether its value is the value of the first expression. In a function, the names that were
  /// defined before the function determine the choice.
  std::map<const Expression*, bool> attempts_;
  std::optional<std::size_t> open_from_;
  /// for each TermId, whether the term uses a FixpointTerm whose number is at least `open_from_`
  std::vector<bool> depends_;
};

/// Functions that map a relation to a set.
inline constexpr std::array<std::string_view, 2> kBuiltinFunctions = {"domain", "range"};
bool is_builtin_function(std::string_view name);
/// Returns "a set" or "a relation".
std::string_view name_of(rules::Kind kind);

}  // namespace ambit::parser::cat
