#pragma once

#include <string>

#include "model/rules/rules.h"

namespace ambit::eval::testing {

/// Builds models by hand, so that tests of engines do not depend on the parser.
class ModelBuilder {
 public:
  explicit ModelBuilder(std::string name = "test") { rules.name = std::move(name); }

  using Id = rules::TermId;
  Id set(BaseSet s) { return rules.intern(rules::BaseSetTerm{s}, rules::Kind::Set); }
  Id base(BaseRelation r) { return rules.intern(rules::BaseRelationTerm{r}, rules::Kind::Relation); }
  Id po() { return base(BaseRelation::ProgramOrder); }
  Id rf() { return base(BaseRelation::ReadsFrom); }
  Id co() { return base(BaseRelation::Coherence); }
  Id fr() { return base(BaseRelation::FromReads); }
  Id loc() { return base(BaseRelation::SameLocation); }
  Id rmw() { return base(BaseRelation::ReadModifyWritePair); }
  Id both(Id a, Id b) { return rules.intern(rules::Intersection{a, b}, rules.kinds[a]); }
  Id any(Id a, Id b) { return rules.intern(rules::Union{a, b}, rules.kinds[a]); }
  Id without(Id a, Id b) { return rules.intern(rules::Difference{a, b}, rules.kinds[a]); }
  Id complement(Id a) { return rules.intern(rules::Complement{a}, rules.kinds[a]); }
  Id sequence(Id a, Id b) { return rules.intern(rules::Sequence{a, b}, rules::Kind::Relation); }
  Id inverse(Id a) { return rules.intern(rules::Inverse{a}, rules::Kind::Relation); }
  Id closure(Id a) { return rules.intern(rules::TransitiveClosure{a}, rules::Kind::Relation); }
  Id optional(Id a) { return rules.intern(rules::Optional{a}, rules::Kind::Relation); }
  Id identity(Id s) { return rules.intern(rules::SetIdentity{s}, rules::Kind::Relation); }
  Id product(Id a, Id b) { return rules.intern(rules::Product{a, b}, rules::Kind::Relation); }
  Id domain(Id a) { return rules.intern(rules::Domain{a}, rules::Kind::Set); }
  Id range(Id a) { return rules.intern(rules::Range{a}, rules::Kind::Set); }
  Id communication() { return any(any(rf(), co()), fr()); }

  Id order_on(Id set, const std::string& name = "tr");
  /// Declares a variable of a `let rec` group; its body is set afterwards.
  Id variable(const std::string& name, std::uint32_t group);
  void body(Id variable, Id body);

  ModelBuilder& acyclic(Id term, const std::string& name = "axiom", bool negated = false);
  ModelBuilder& irreflexive(Id term, const std::string& name = "axiom", bool negated = false);
  ModelBuilder& empty(Id term, const std::string& name = "axiom", bool negated = false);
  ModelBuilder& flag_not_empty(Id term, const std::string& name = "race");

  rules::Rules rules;
};

/// Returns the model with the axioms acyclic po-loc | rf | co | fr and empty rmw & (fr ; co).
ModelBuilder coherence_only();
/// Returns the model with the axioms acyclic po | rf | co | fr and empty rmw & (fr ; co). The model flags a race if po
/// | rf does not order two conflicting weak accesses of different threads.
ModelBuilder sequential_consistency();
/// Returns sequential consistency, defined by a total order of all accesses. Each execution chooses its own order.
ModelBuilder interleaving();
/// Returns a model without constraints, which allows all candidate executions.
ModelBuilder nothing();

}  // namespace ambit::eval::testing
