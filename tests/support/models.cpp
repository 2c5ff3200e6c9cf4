#include "tests/support/models.h"

namespace ambit::eval::testing {

using rules::TermId;

TermId ModelBuilder::order_on(TermId set, const std::string& name) {
  const auto index = static_cast<std::uint32_t>(rules.orders.size());
  rules.orders.push_back({name, set, {}});
  return rules.intern(rules::OrderTerm{index}, rules::Kind::Relation);
}

TermId ModelBuilder::variable(const std::string& name, std::uint32_t group) {
  const auto index = static_cast<std::uint32_t>(rules.fixpoints.size());
  const TermId variable = rules.intern(rules::FixpointTerm{index}, rules::Kind::Relation);
  rules.fixpoints.push_back({name, group, variable, variable});
  return variable;
}

void ModelBuilder::body(TermId variable, TermId body) {
  for (auto& fixpoint : rules.fixpoints) {
    if (fixpoint.variable == variable) fixpoint.body = body;
  }
}

ModelBuilder& ModelBuilder::acyclic(TermId term, const std::string& name, bool negated) {
  rules.axioms.push_back({name, rules::Test::Acyclic, negated, term, {}});
  return *this;
}
ModelBuilder& ModelBuilder::irreflexive(TermId term, const std::string& name, bool negated) {
  rules.axioms.push_back({name, rules::Test::Irreflexive, negated, term, {}});
  return *this;
}
ModelBuilder& ModelBuilder::empty(TermId term, const std::string& name, bool negated) {
  rules.axioms.push_back({name, rules::Test::Empty, negated, term, {}});
  return *this;
}
ModelBuilder& ModelBuilder::flag_not_empty(TermId term, const std::string& name) {
  rules.flags.push_back({name, rules::Test::Empty, true, term, {}});
  return *this;
}

ModelBuilder coherence_only() {
  ModelBuilder m("coherence");
  m.acyclic(m.any(m.both(m.po(), m.loc()), m.communication()), "coherence");
  m.empty(m.both(m.rmw(), m.sequence(m.fr(), m.co())), "atomicity");
  return m;
}

ModelBuilder sequential_consistency() {
  ModelBuilder m("sc");
  m.acyclic(m.any(m.po(), m.communication()), "sc");
  m.empty(m.both(m.rmw(), m.sequence(m.fr(), m.co())), "atomicity");
  const auto writes = m.set(BaseSet::Write);
  const auto memory = m.set(BaseSet::Memory);
  const auto weak = m.set(BaseSet::NonAtomic);
  const auto initial = m.set(BaseSet::InitialWrite);
  const auto all = m.set(BaseSet::Universe);
  const auto conflict = m.both(m.both(m.loc(), m.base(BaseRelation::External)),
                               m.any(m.product(writes, memory), m.product(memory, writes)));
  const auto weak_one = m.any(m.product(weak, memory), m.product(memory, weak));
  const auto with_initial = m.any(m.product(initial, all), m.product(all, initial));
  const auto before = m.closure(m.any(m.po(), m.rf()));
  const auto unordered = m.without(m.both(conflict, weak_one), m.any(before, m.inverse(before)));
  m.flag_not_empty(m.without(unordered, with_initial));
  return m;
}

ModelBuilder interleaving() {
  ModelBuilder m("interleaving");
  const auto order = m.order_on(m.set(BaseSet::Memory));
  m.acyclic(m.any(order, m.any(m.po(), m.communication())), "interleaving");
  m.empty(m.both(m.rmw(), m.sequence(m.fr(), m.co())), "atomicity");
  return m;
}

ModelBuilder nothing() { return ModelBuilder("nothing"); }

}  // namespace ambit::eval::testing
