#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/source.h"
#include "core/mappings.h"
#include "core/vocabulary.h"

namespace ambit::rules {

/// Index into Rules::terms.
using TermId = std::uint32_t;

// Each operator has a small term type of its own. A boolean operator has the same type for sets and for relations;
// `Rules::kinds` distinguishes the two.
struct BaseSetTerm {
  BaseSet set;
  friend bool operator==(const BaseSetTerm&, const BaseSetTerm&) = default;
};
struct BaseRelationTerm {
  BaseRelation relation;
  friend bool operator==(const BaseRelationTerm&, const BaseRelationTerm&) = default;
};
/// A total order that the execution chooses, as an index into Rules::orders.
struct OrderTerm {
  std::uint32_t order;
  friend bool operator==(const OrderTerm&, const OrderTerm&) = default;
};
/// A variable of a `let rec` group, as an index into Rules::fixpoints.
struct FixpointTerm {
  std::uint32_t fixpoint;
  friend bool operator==(const FixpointTerm&, const FixpointTerm&) = default;
};
/// The empty set or relation.
struct Empty {
  friend bool operator==(const Empty&, const Empty&) = default;
};
struct Union {
  TermId left, right;
  friend bool operator==(const Union&, const Union&) = default;
};
struct Intersection {
  TermId left, right;
  friend bool operator==(const Intersection&, const Intersection&) = default;
};
struct Difference {
  TermId left, right;
  friend bool operator==(const Difference&, const Difference&) = default;
};
/// ~x: all executed events (or pairs of executed events) that are not in x.
struct Complement {
  TermId argument;
  friend bool operator==(const Complement&, const Complement&) = default;
};
/// left ; right.
struct Sequence {
  TermId left, right;
  friend bool operator==(const Sequence&, const Sequence&) = default;
};
struct Inverse {
  TermId argument;
  friend bool operator==(const Inverse&, const Inverse&) = default;
};
/// r+.
struct TransitiveClosure {
  TermId argument;
  friend bool operator==(const TransitiveClosure&, const TransitiveClosure&) = default;
};
/// r?: the union of r and the identity on executed events. Ambit represents r* as (r+)?.
struct Optional {
  TermId argument;
  friend bool operator==(const Optional&, const Optional&) = default;
};
/// [S].
struct SetIdentity {
  TermId set;
  friend bool operator==(const SetIdentity&, const SetIdentity&) = default;
};
/// S * T.
struct Product {
  TermId left, right;
  friend bool operator==(const Product&, const Product&) = default;
};
struct Domain {
  TermId argument;
  friend bool operator==(const Domain&, const Domain&) = default;
};
struct Range {
  TermId argument;
  friend bool operator==(const Range&, const Range&) = default;
};

using Term =
    std::variant<BaseSetTerm, BaseRelationTerm, OrderTerm, FixpointTerm, Empty, Union, Intersection, Difference,
                 Complement, Sequence, Inverse, TransitiveClosure, Optional, SetIdentity, Product, Domain, Range>;

enum class Kind : std::uint8_t { Set, Relation };

/// `order NAME on SET`: a strict total order of the executed events of SET that the execution chooses.
struct OrderDeclaration {
  std::string name;
  TermId set = 0;
  SourceSpan span;
};

/// One variable of a `let rec`: the variable is the least solution of variable = body. The variables of one `let rec
/// ... and ...` share a group number. Groups must be solved in the order of their numbers.
struct Fixpoint {
  std::string name;
  std::uint32_t group = 0;
  TermId variable = 0;  ///< the variable's FixpointTerm
  TermId body = 0;      ///< the body, which is monotone in all variables of the group
};

enum class Test : std::uint8_t { Acyclic, Irreflexive, Empty };

/// `acyclic|irreflexive|empty TERM as NAME`; a `~` negates the test. The model does not allow an execution that
/// violates an axiom.
struct Axiom {
  std::string name;
  Test test = Test::Acyclic;
  bool negated = false;
  TermId term = 0;
  SourceSpan span;
  std::string phrase = {};  ///< the axiom's requirement in words: "no value depends on itself"; may be empty
};

/// `flag ~empty TERM as NAME`: an allowed execution raises the flag if the test is true. The report for NAME contains
/// the pairs of TERM (for ~empty), its reflexive pairs (~irreflexive) or a cycle (~acyclic). A flag with a name that
/// ends in "race" reports a race.
struct Flag {
  std::string name;
  Test test = Test::Empty;
  bool negated = true;
  TermId term = 0;
  SourceSpan span;
  bool is_race() const { return name.ends_with("race"); }
  /// Returns whether the flag reports a use that the language leaves undefined. The expectations `undefined` and
  /// `defined` refer to these flags.
  bool is_misuse() const { return name.ends_with("misuse"); }
};

/// `option incl = mut | nest | exact "description"`. The first value is the default.
struct ModelOption {
  std::string name;
  std::vector<std::string> values;
  std::string meaning;
  std::string chosen;
};

/// A `let` of the model, for pictures and explanations.
struct Definition {
  std::string name;
  TermId term = 0;
  /// The phrase in the model file that gives the definition's meaning for two events; may be empty. A phrase with `$1`
  /// and `$2` for the two events is a sentence ("$1 synchronizes with $2"). A phrase without `$1` and `$2` is a name
  /// for the events ("a release pattern"). For a property of two events, this phrase is a clause ("the scope of each
  /// includes the other's thread").
  std::string phrase = {};
};

/// A memory model after parsing: options have values, includes and functions are expanded, and names are resolved.
/// `terms` is hash-consed (equal terms have equal ids). Arguments precede their users, except that a FixpointTerm
/// precedes its body.
struct Rules {
  std::string name;   ///< "ptx"
  std::string title;  ///< the title in the model file, which `ambit models` shows
  Mappings mappings;  ///< options for the conversion of programs to events (events::GraphOptions::mappings)

  std::vector<Term> terms;
  std::vector<Kind> kinds;  ///< the kind of each term
  std::vector<OrderDeclaration> orders;
  std::vector<Fixpoint> fixpoints;
  std::vector<Axiom> axioms;
  std::vector<Flag> flags;
  std::vector<ModelOption> options;
  std::vector<Definition> definitions;  ///< definitions without parameters
  std::vector<Definition> calls;        ///< calls of those functions that have a phrase

  /// Returns the id of the term or of an obviously equivalent term (x | 0, [S];[T], ...). If neither exists, adds the
  /// term. `kind` is the kind of the term. The arguments must be sets or relations, as the term's operator requires.
  TermId intern(const Term& term, Kind kind);

 private:
  std::unordered_multimap<std::size_t, TermId> index_;  ///< maps the hash of (term, kind) to the id
};

/// Returns, for each TermId, whether the term is static: it depends only on the executed events and on values, and not
/// on rf, co, or an order. Engines compute static terms only once.
std::vector<bool> static_terms(const Rules& rules);

/// How a term depends on the variables in `sources` (a vector that is true at the variables' TermIds): not at all,
/// increasing, decreasing, or both.
enum class Monotonicity : std::uint8_t { Independent, Increasing, Decreasing, Mixed };
std::vector<Monotonicity> monotonicity(const Rules& rules, const std::vector<bool>& sources);

/// Returns the text of a term in infix notation, for messages. The text uses the names of definitions.
std::string to_string(const Rules& rules, TermId term);

/// Returns a simpler term of `rules` that equals `term` in all executions, if a cheap law of relation algebra gives
/// one. Interns the simpler term if necessary. The laws: x | 0 = x, x & x = x, [S] ; [T] = [S & T], (r+)+ = r+, ...
std::optional<TermId> simplify(Rules& rules, const Term& term, Kind kind);

/// Returns the model without the terms, fixed points and definitions that no axiom, flag or order needs. The ids of
/// terms change, but keep their order.
Rules prune(const Rules& rules);

}  // namespace ambit::rules
