#include "model/solver/literals.h"

#include <algorithm>
#include <cstdlib>

#include "base/assert.h"
#include "base/hash.h"

namespace ambit::solver {
namespace {

std::size_t hash(std::span<const Lit> literals) {
  std::uint64_t result = literals.size();
  for (const Lit literal : literals) result = combine_hash(result, static_cast<std::uint32_t>(literal));
  return result;
}

}  // namespace

Literals::Literals(ClauseSink& sink, Context& context) : sink_(sink), context_(context), nodes_(2), table_(1024, 0) {
  nodes_[1].fixed = 1;
}

Lit Literals::fresh() {
  nodes_.emplace_back();
  return static_cast<Lit>(nodes_.size() - 1);
}

Lit Literals::simplified(Lit literal) const {
  const std::int8_t fixed = node(literal).fixed;
  if (fixed == 0) return literal;
  return (fixed > 0) == (literal > 0) ? kTrue : kFalse;
}

Lit Literals::all_of(std::span<const Lit> literals) {
  scratch_.assign(literals.begin(), literals.end());
  return conjunction(scratch_);
}

Lit Literals::any_of(std::span<const Lit> literals) {
  scratch_.clear();
  for (const Lit l : literals) scratch_.push_back(-l);
  return -conjunction(scratch_);
}

Lit Literals::conjunction(std::vector<Lit>& literals) {
  const std::size_t given = literals.size();
  for (std::size_t i = 0; i < given; ++i) {
    const Lit l = literals[i];
    const Node& n = node(l);
    if (l > 0 && n.count != 0 && n.count <= kFlatten && n.fixed == 0) {
      literals[i] = kTrue;
      for (const Lit argument : arguments(n)) literals.push_back(argument);
    }
  }
  std::size_t kept = 0;
  for (const Lit l : literals) {
    const Lit s = simplified(l);
    if (s == kFalse) return kFalse;
    if (s != kTrue) literals[kept++] = s;
  }
  literals.resize(kept);
  std::sort(literals.begin(), literals.end(),
            [](Lit a, Lit b) { return std::abs(a) != std::abs(b) ? std::abs(a) < std::abs(b) : a < b; });
  literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
  for (std::size_t i = 1; i < literals.size(); ++i) {
    if (literals[i] == -literals[i - 1]) return kFalse;
  }
  if (literals.empty()) return kTrue;
  if (literals.size() == 1) return literals.front();
  return intern(literals);
}

Lit Literals::intern(const std::vector<Lit>& literals) {
  if (2 * (gate_count_ + 1) > table_.size()) grow_table();
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = hash(literals) & mask;
  for (; table_[slot] != 0; slot = (slot + 1) & mask) {
    const auto known = arguments(nodes_[table_[slot]]);
    if (std::equal(known.begin(), known.end(), literals.begin(), literals.end())) {
      const auto gate = static_cast<Lit>(table_[slot]);
      return simplified(gate);
    }
  }
  context_.poll();
  const auto gate = static_cast<std::uint32_t>(nodes_.size());
  Node made;
  made.first = static_cast<std::uint32_t>(arguments_.size());
  made.count = static_cast<std::uint32_t>(literals.size());
  nodes_.push_back(made);
  arguments_.insert(arguments_.end(), literals.begin(), literals.end());
  table_[slot] = gate;
  ++gate_count_;
  return static_cast<Lit>(gate);
}

void Literals::grow_table() {
  std::vector<std::uint32_t> larger(table_.size() * 2, 0);
  const std::size_t mask = larger.size() - 1;
  for (const std::uint32_t gate : table_) {
    if (gate == 0) continue;
    std::size_t slot = hash(arguments(nodes_[gate])) & mask;
    while (larger[slot] != 0) slot = (slot + 1) & mask;
    larger[slot] = gate;
  }
  table_ = std::move(larger);
}

void Literals::require(std::span<const Lit> literals) {
  const bool is_fact = literals.size() == 1 && guard_ == kTrue;
  if (is_fact && literals.front() > 0 && is_gate(literals.front()) &&
      simplified(literals.front()) == literals.front()) {
    const Lit gate = literals.front();
    const auto parts = arguments(node(gate));
    const std::vector<Lit> copy(parts.begin(), parts.end());
    node(gate).fixed = 1;
    for (const Lit part : copy) require({part});
    return;
  }
  clause_.clear();
  if (!append(-guard_)) return;
  for (const Lit l : literals) {
    if (!append(l)) return;
  }
  emit_clause();
  if (is_fact) fix(literals.front());
  emit_pending();
}

void Literals::require_at_most_one(std::span<const Lit> choices) {
  constexpr std::size_t kPairwise = 6;
  if (choices.size() <= kPairwise) {
    for (std::size_t i = 0; i < choices.size(); ++i) {
      for (std::size_t j = i + 1; j < choices.size(); ++j) require({-choices[i], -choices[j]});
    }
    return;
  }
  Lit before = choices.front();
  for (std::size_t i = 1; i < choices.size(); ++i) {
    require({-before, -choices[i]});
    if (i + 1 == choices.size()) break;
    const Lit so_far = fresh();
    require({-before, so_far});
    require({-choices[i], so_far});
    before = so_far;
  }
}

void Literals::prepare(Lit literal) {
  need(literal);
  emit_pending();
}

bool Literals::append(Lit literal) {
  const Lit s = simplified(literal);
  if (s == kTrue) return false;
  if (s == kFalse) return true;
  const Node& n = node(s);
  if (s < 0 && n.count != 0 && n.count <= kInline) {
    for (std::uint32_t i = 0; i < n.count; ++i) {
      if (!append(-arguments_[n.first + i])) return false;
    }
    return true;
  }
  clause_.push_back(s);
  return true;
}

void Literals::need(Lit literal) {
  Node& n = node(literal);
  const std::uint8_t bit = literal > 0 ? 1 : 2;
  if (n.count == 0) {
    n.emitted = 3;
    return;
  }
  if ((n.emitted & bit) != 0) return;
  n.emitted |= bit;
  pending_.push_back(literal);
}

void Literals::emit_pending() {
  while (!pending_.empty()) {
    const Lit gate = pending_.back();
    pending_.pop_back();
    emit_gate(gate);
  }
}

void Literals::emit_gate(Lit gate) {
  // Positive direction: a true gate has only true arguments. Negative direction: a false gate has a false argument.
  const Node n = node(gate);
  if (gate > 0) {
    for (std::uint32_t i = 0; i < n.count; ++i) {
      clause_.assign(1, -gate);
      if (append(arguments_[n.first + i])) emit_clause();
    }
    return;
  }
  clause_.assign(1, -gate);
  for (std::uint32_t i = 0; i < n.count; ++i) {
    if (!append(-arguments_[n.first + i])) return;
  }
  emit_clause();
}

void Literals::emit_clause() {
  std::sort(clause_.begin(), clause_.end(),
            [](Lit a, Lit b) { return std::abs(a) != std::abs(b) ? std::abs(a) < std::abs(b) : a < b; });
  clause_.erase(std::unique(clause_.begin(), clause_.end()), clause_.end());
  for (std::size_t i = 1; i < clause_.size(); ++i) {
    if (clause_[i] == -clause_[i - 1]) return;
  }
  context_.poll(5);
  if (clause_.empty()) contradictory_ = true;
  if (clause_.size() == 1) fix(clause_.front());
  for (const Lit l : clause_) {
    need(l);
    connect(clause_.front(), l);
  }
  ++clause_count_;
  sink_.add_clause(clause_);
}

void Literals::fix(Lit literal) { node(literal).fixed = literal > 0 ? 1 : -1; }

std::uint32_t Literals::component(Lit literal) const {
  auto v = static_cast<std::uint32_t>(std::abs(literal));
  while (nodes_[v].parent != 0) v = nodes_[v].parent;
  return v;
}

void Literals::connect(Lit a, Lit b) {
  const std::uint32_t root = component(a);
  const std::uint32_t other = component(b);
  if (root != other) nodes_[std::max(root, other)].parent = std::min(root, other);
  // Let both ends point to the root, which keeps paths short.
  for (const Lit l : {a, b}) {
    const auto v = static_cast<std::uint32_t>(std::abs(l));
    if (v != std::min(root, other)) nodes_[v].parent = std::min(root, other);
  }
}

void Literals::evaluate(std::vector<bool>& values) const {
  AMBIT_ASSERT(values.size() == nodes_.size());
  values[1] = true;
  for (std::size_t v = 2; v < nodes_.size(); ++v) {
    const Node& n = nodes_[v];
    if (n.count == 0) continue;
    const auto parts = arguments(n);
    values[v] = std::all_of(parts.begin(), parts.end(), [&](Lit l) {
      return l > 0 ? values[static_cast<std::size_t>(l)] : !values[static_cast<std::size_t>(-l)];
    });
  }
}

}  // namespace ambit::solver
