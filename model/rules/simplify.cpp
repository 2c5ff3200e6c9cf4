#include "model/rules/rules.h"

namespace ambit::rules {
namespace {

/// Simplification laws, with one overload for each operator. Terms without operators have no laws.
class Simplifier {
 public:
  Simplifier(Rules& rules, Kind kind) : rules_(rules), kind_(kind) {}

  template <typename Leaf>
  std::optional<TermId> operator()(const Leaf&) {
    return std::nullopt;
  }

  std::optional<TermId> operator()(const Union& op) {
    if (op.left == op.right || is_empty(op.right) || is_everything(op.left)) return op.left;
    if (is_empty(op.left) || is_everything(op.right)) return op.right;
    return std::nullopt;
  }

  std::optional<TermId> operator()(const Intersection& op) {
    if (op.left == op.right || is_empty(op.left) || is_everything(op.right)) return op.left;
    if (is_empty(op.right) || is_everything(op.left)) return op.right;
    return std::nullopt;
  }

  std::optional<TermId> operator()(const Difference& op) {
    if (op.left == op.right || is_everything(op.right)) return empty(kind_);
    if (is_empty(op.left) || is_empty(op.right)) return op.left;
    return std::nullopt;
  }

  std::optional<TermId> operator()(const Complement& op) {
    if (const auto* inner = as<Complement>(op.argument)) return inner->argument;
    if (is_everything(op.argument)) return empty(kind_);
    return std::nullopt;
  }

  std::optional<TermId> operator()(const Sequence& op) {
    if (is_empty(op.left) || is_identity(op.right)) return op.left;
    if (is_empty(op.right) || is_identity(op.left)) return op.right;
    const auto* left = as<SetIdentity>(op.left);
    const auto* right = as<SetIdentity>(op.right);
    if (left == nullptr || right == nullptr) return std::nullopt;
    const Intersection both{left->set, right->set};  // use a copy, because interning moves the terms
    return rules_.intern(SetIdentity{rules_.intern(both, Kind::Set)}, Kind::Relation);
  }

  std::optional<TermId> operator()(const Inverse& op) {
    if (const auto* inner = as<Inverse>(op.argument)) return inner->argument;
    if (is_empty(op.argument) || is_symmetric(op.argument)) return op.argument;
    if (const auto* product = as<Product>(op.argument)) {
      return rules_.intern(Product{product->right, product->left}, Kind::Relation);
    }
    return std::nullopt;
  }

  std::optional<TermId> operator()(const TransitiveClosure& op) {
    if (is_empty(op.argument) || is_transitive(op.argument)) return op.argument;
    if (const auto* inner = as<Optional>(op.argument)) {  // (r?)+ = (r+)?
      return rules_.intern(Optional{rules_.intern(TransitiveClosure{inner->argument}, Kind::Relation)}, Kind::Relation);
    }
    return std::nullopt;
  }

  std::optional<TermId> operator()(const Optional& op) {
    if (is_empty(op.argument)) return rules_.intern(BaseRelationTerm{BaseRelation::Identity}, Kind::Relation);
    if (is_identity(op.argument) || as<Optional>(op.argument) != nullptr) return op.argument;
    return std::nullopt;
  }

  std::optional<TermId> operator()(const SetIdentity& op) {
    if (is_empty(op.set)) return empty(Kind::Relation);
    if (is_everything(op.set)) return rules_.intern(BaseRelationTerm{BaseRelation::Identity}, Kind::Relation);
    return std::nullopt;
  }

  std::optional<TermId> operator()(const Product& op) {
    if (is_empty(op.left) || is_empty(op.right)) return empty(Kind::Relation);
    return std::nullopt;
  }

  std::optional<TermId> operator()(const Domain& op) { return end(op.argument); }
  std::optional<TermId> operator()(const Range& op) { return end(op.argument); }

 private:
  template <typename Operator>
  const Operator* as(TermId term) const {
    return std::get_if<Operator>(&rules_.terms[term]);
  }
  TermId empty(Kind kind) { return rules_.intern(Empty{}, kind); }
  bool is_empty(TermId term) const { return as<Empty>(term) != nullptr; }
  bool is_base(TermId term, BaseRelation relation) const {
    const auto* base = as<BaseRelationTerm>(term);
    return base != nullptr && base->relation == relation;
  }
  bool is_identity(TermId term) const { return is_base(term, BaseRelation::Identity); }
  /// Returns whether the term is `_` or `_ * _`.
  bool is_everything(TermId term) const {
    if (const auto* set = as<BaseSetTerm>(term)) return set->set == BaseSet::Universe;
    const auto* product = as<Product>(term);
    return product != nullptr && is_everything(product->left) && is_everything(product->right);
  }
  bool is_equivalence(TermId term) const {
    const auto* base = as<BaseRelationTerm>(term);
    if (base == nullptr) return false;
    switch (base->relation) {
      case BaseRelation::SameLocation:
      case BaseRelation::Identity:
      case BaseRelation::Internal:
      case BaseRelation::SameBlock:
      case BaseRelation::SameCluster:
      case BaseRelation::SameDevice:
      case BaseRelation::SameWarp: return true;
      default: return false;
    }
  }
  bool is_symmetric(TermId term) const {
    return is_equivalence(term) || as<SetIdentity>(term) != nullptr || is_base(term, BaseRelation::External);
  }
  bool is_transitive(TermId term) const {
    return is_equivalence(term) || as<SetIdentity>(term) != nullptr || as<TransitiveClosure>(term) != nullptr ||
           as<OrderTerm>(term) != nullptr || is_base(term, BaseRelation::ProgramOrder) ||
           is_base(term, BaseRelation::Coherence);
  }
  std::optional<TermId> end(TermId relation) {
    if (is_empty(relation)) return empty(Kind::Set);
    if (const auto* identity = as<SetIdentity>(relation)) return identity->set;
    return std::nullopt;
  }

  Rules& rules_;
  Kind kind_;
};

}  // namespace

std::optional<TermId> simplify(Rules& rules, const Term& term, Kind kind) {
  return std::visit(Simplifier(rules, kind), term);
}

}  // namespace ambit::rules
