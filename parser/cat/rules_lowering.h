#pragma once

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

/// Where a statement stands: its file, and who included that ("" for the model itself, else "mine.cat:3").
struct Unit {
  SourceFilePtr source;
  std::string included_from;
};

/// Errors found in a model, each once however often a function is expanded.
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

/// What an expression denotes. No kind: the literal `0`, whose kind its surroundings choose. Bad: an error has been
/// reported, what follows from it is not.
struct Denotation {
  std::optional<rules::Kind> kind;
  rules::TermId term = 0;
  bool bad = false;
};

/// What a model defines under a name.
struct Function {
  const LetStatement* let = nullptr;
  const Unit* unit = nullptr;
  bool bad = false;
};
struct Name {
  std::variant<Denotation, Function> meaning;
  std::string place;  ///< "ptx.cat:12", for the error that it is already defined
};

/// Expressions to terms: resolves names, checks kinds, expands functions, chooses branches of `if`.
class Lowering {
 public:
  Lowering(rules::Rules& rules, ErrorList& errors) : rules_(rules), errors_(errors) {}

  /// Terms and levels beyond which a model is refused: expansion of functions can be exponential.
  static constexpr std::size_t kMaxTerms = 4096;
  static constexpr std::size_t kMaxSteps = 200'000;

  /// Puts a name into the scope of all that follows. False, with an error, when it is taken.
  bool declare(const Unit& unit, const Word& name, std::variant<Denotation, Function> meaning);
  /// Changes what a declared name denotes.
  void redefine(const Word& name, Denotation meaning) { names_.find(name.text)->second.meaning = meaning; }

  Denotation lower(const Unit& unit, const Expression& expression);
  /// The term as a set or relation, for `user`; nothing, with an error, when it is neither that nor `0`.
  std::optional<rules::TermId> lower_as(rules::Kind wanted, const Unit& unit, const Expression& expression,
                                        std::string_view user);
  rules::TermId term_of(const Denotation& value, rules::Kind kind);

  /// Is `value` the chosen one of a declared option? Nothing, with an error, when there is no such option or value.
  std::optional<bool> is_chosen(const Unit& unit, const Word& option, const Word& value);

  /// Reports every name in the body of a function that means nothing, and its parameters if they are unfit.
  bool check_function(const Unit& unit, const LetStatement& function);

  /// Between these two, the variables of one `let rec` are open: they may not occur under `~` or right of `\`.
  void open_group(std::size_t first_fixpoint);
  void close_group() { open_from_.reset(); }
  /// Kind of a recursive body, its own names (`unknown`) taken for what is known of them so far. Looks at `steps`
  /// expressions at most and counts them off.
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
  void unknown_name(const Word& name, std::string hint = {});
  std::string text_of(const Expression& expression) const;
  void error(SourceSpan span, const std::string& message, std::string hint = {});

  rules::Rules& rules_;
  ErrorList& errors_;
  std::map<std::string, Name, std::less<>> names_;
  const Unit* unit_ = nullptr;
  const Parameters* parameters_ = nullptr;  ///< of the function being expanded
  std::string call_place_;                  ///< where it was called
  std::size_t call_depth_ = 0;
  std::size_t steps_ = 0;
  bool too_large_ = false;
  std::optional<std::size_t> open_from_;
  std::vector<bool> depends_;  ///< by TermId: uses a FixpointTerm from open_from_ on
};

bool is_builtin_function(std::string_view name);
/// "a set", "a relation".
std::string_view name_of(rules::Kind kind);

}  // namespace ambit::parser::cat
