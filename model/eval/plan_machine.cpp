#include "model/eval/plan_machine.h"

#include <algorithm>
#include <bit>

#include "base/assert.h"

namespace ambit::eval {
namespace {

/// The constructor checks the process's memory limit only if the matrices need at least this number of bytes.
constexpr std::uint64_t kSmall = std::uint64_t{1} << 20;

constexpr std::uint64_t kAll = ~std::uint64_t{0};

std::uint64_t bit(std::size_t e) { return std::uint64_t{1} << (e % 64); }

bool has(const std::uint64_t* words, std::size_t e) { return (words[e / 64] & bit(e)) != 0; }

/// Calls function(e) for each member of the set `words`, in increasing order.
template <typename Function>
void for_each_member(const std::uint64_t* words, std::size_t stride, Function&& function) {
  for (std::size_t w = 0; w < stride; ++w) {
    for (std::uint64_t rest = words[w]; rest != 0; rest &= rest - 1) {
      function(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
    }
  }
}

/// Returns whether the bound contains a pair or member that exists under the condition `condition`.
bool belongs(const Knowledge& knowledge, events::NodeId condition, Bound bound) {
  if (knowledge.is_known(condition)) return knowledge.nodes[condition] != 0;
  return bound == Bound::Upper;
}

}  // namespace

Machine::Machine(const Plan& plan, const events::EventGraph& graph, const Knowledge& knowledge, const Context& context)
    : executed_lower(graph.size()),
      executed_upper(graph.size()),
      plan_(plan),
      graph_(graph),
      knowledge_(knowledge),
      size_(graph.size()),
      stride_((graph.size() + 63) / 64) {
  std::size_t next = 0;
  offsets_.reserve(2 * plan.terms.size());
  for (rules::TermId term = 0; term < plan.terms.size(); ++term) {
    for (int side = 0; side < 2; ++side) {
      offsets_.push_back(next);
      next += words(plan.kinds[term] == rules::Kind::Set);
    }
  }
  const std::uint64_t bytes = next * sizeof(storage_.front());
  if (const auto limit = context.memory_limit(); limit && bytes > kSmall && resident_memory() + bytes > *limit) {
    throw Stopped{UnknownReason::Memory};
  }
  storage_.assign(next, 0);
  scratch_.assign(stride_, 0);
}

events::EventSet Machine::set(BufferId id) {
  events::EventSet result(size_);
  std::copy_n(buffer(id), stride_, result.words());
  return result;
}

events::Relation Machine::relation(BufferId id) {
  events::Relation result(size_);
  std::copy_n(buffer(id), relation_words(), result.words());
  return result;
}

bool Machine::run(std::span<const Step> steps) { return stride_ == 1 ? run_all<1>(steps) : run_all<0>(steps); }

template <std::size_t kStride>
bool Machine::run_all(std::span<const Step> steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (step.kind == StepKind::Fixpoint) {
      solve<kStride>(step, steps.subspan(i + 1, step.extra));
      i += step.extra;
    } else if (step.kind == StepKind::Test) {
      const PlanAxiom& axiom = plan_.axioms[step.extra];
      if (!test(axiom.test, axiom.negated, step.is_set, step.left)) return false;
    } else {
      run_one<kStride>(step);
    }
  }
  return true;
}

template <std::size_t kStride>
void Machine::run_one(const Step& step) {
  switch (step.kind) {
    case StepKind::LoadSet: return load_set(step);
    case StepKind::LoadRelation: return load_relation(step);
    case StepKind::FromReads: return from_reads<kStride>(step);
    case StepKind::Clear:
    case StepKind::Union:
    case StepKind::Intersection:
    case StepKind::Difference: return run_boolean<kStride>(step);
    case StepKind::Complement: return complement<kStride>(step);
    case StepKind::Sequence: return sequence<kStride>(step);
    case StepKind::RestrictRows: return restrict_rows<kStride>(step);
    case StepKind::RestrictColumns: return restrict_columns<kStride>(step);
    case StepKind::Inverse: return inverse<kStride>(step);
    case StepKind::Closure: return closure<kStride>(step);
    case StepKind::Optional: return optional<kStride>(step);
    case StepKind::SetIdentity: return identity<kStride>(step);
    case StepKind::Product: return product<kStride>(step);
    case StepKind::Domain:
    case StepKind::Range: return domain_or_range<kStride>(step);
    case StepKind::Fixpoint:
    case StepKind::Test: break;
  }
  AMBIT_ASSERT(false);
}

template <std::size_t kStride>
void Machine::solve(const Step& step, std::span<const Step> body) {
  // Kleene iteration that starts with empty variables and updates all variables of the group at the same time.
  const auto& solution = plan_.solutions[step.left];
  const auto count = [&](const Plan::Assignment& a) { return words(plan_.kinds[a.variable / 2] == rules::Kind::Set); };
  for (const auto& assignment : solution) std::fill_n(buffer(assignment.variable), count(assignment), 0);
  for (bool changed = true; changed;) {
    for (const Step& inner : body) run_one<kStride>(inner);
    changed = false;
    for (const auto& assignment : solution) {
      const std::uint64_t* next = buffer(assignment.body);
      std::uint64_t* current = buffer(assignment.variable);
      if (std::equal(next, next + count(assignment), current)) continue;
      changed = true;
    }
    if (!changed) break;
    for (const auto& assignment : solution) {
      std::copy_n(buffer(assignment.body), count(assignment), buffer(assignment.variable));
    }
  }
}

template <std::size_t kStride>
void Machine::run_boolean(const Step& step) {
  const std::size_t n = words(step.is_set);
  std::uint64_t* out = buffer(step.target);
  const std::uint64_t* left = buffer(step.left);
  const std::uint64_t* right = buffer(step.right);
  switch (step.kind) {
    case StepKind::Clear: std::fill_n(out, n, 0); return;
    case StepKind::Union:
      for (std::size_t i = 0; i < n; ++i) out[i] = left[i] | right[i];
      return;
    case StepKind::Intersection:
      for (std::size_t i = 0; i < n; ++i) out[i] = left[i] & right[i];
      return;
    case StepKind::Difference:
      for (std::size_t i = 0; i < n; ++i) out[i] = left[i] & ~right[i];
      return;
    default: AMBIT_ASSERT(false);
  }
}

void Machine::load_set(const Step& step) {
  const auto& base = graph_.sets[step.extra];
  std::uint64_t* out = buffer(step.target);
  std::fill_n(out, stride_, 0);
  if (base.always.word_count() != 0) std::copy_n(base.always.words(), stride_, out);
  for (const auto& member : base.sometimes) {
    if (belongs(knowledge_, member.condition, bound_of(step.target))) out[member.event / 64] |= bit(member.event);
  }
  const std::uint64_t* present = executed(step.target).words();
  for (std::size_t w = 0; w < stride_; ++w) out[w] &= present[w];
}

void Machine::load_relation(const Step& step) {
  const auto& base = graph_.relations[step.extra];
  std::uint64_t* out = buffer(step.target);
  std::fill_n(out, relation_words(), 0);
  if (base.always.word_count() != 0) std::copy_n(base.always.words(), relation_words(), out);
  for (const auto& pair : base.sometimes) {
    if (!belongs(knowledge_, pair.condition, bound_of(step.target))) continue;
    out[pair.from * stride_ + pair.to / 64] |= bit(pair.to);
  }
  const std::uint64_t* present = executed(step.target).words();
  for (std::size_t e = 0; e < size_; ++e) {
    const std::uint64_t keep = has(present, e) ? kAll : 0;
    for (std::size_t w = 0; w < stride_; ++w) out[e * stride_ + w] &= present[w] & keep;
  }
}

template <std::size_t kStride>
void Machine::complement(const Step& step) {
  const std::size_t stride = kStride != 0 ? kStride : stride_;
  std::uint64_t* out = buffer(step.target);
  const std::uint64_t* in = buffer(step.left);
  const std::uint64_t* present = executed(step.target).words();
  if (step.is_set) {
    for (std::size_t w = 0; w < stride; ++w) out[w] = present[w] & ~in[w];
    return;
  }
  for (std::size_t e = 0; e < size_; ++e) {
    const std::uint64_t keep = has(present, e) ? kAll : 0;
    for (std::size_t w = 0; w < stride; ++w) out[e * stride + w] = present[w] & keep & ~in[e * stride + w];
  }
}

template <std::size_t kStride>
void Machine::sequence(const Step& step) {
  const std::size_t stride = kStride != 0 ? kStride : stride_;
  std::uint64_t* out = buffer(step.target);
  const std::uint64_t* left = buffer(step.left);
  const std::uint64_t* right = buffer(step.right);
  for (std::size_t e = 0; e < size_; ++e) {
    std::uint64_t* result = out + e * stride;
    std::fill_n(result, stride, 0);
    for_each_member(left + e * stride, stride, [&](std::size_t middle) {
      for (std::size_t w = 0; w < stride; ++w) result[w] |= right[middle * stride + w];
    });
  }
}

template <std::size_t kStride>
void Machine::restrict_rows(const Step& step) {
  const std::size_t stride = kStride != 0 ? kStride : stride_;
  std::uint64_t* out = buffer(step.target);
  const std::uint64_t* rows = buffer(step.left);
  const std::uint64_t* in = buffer(step.right);
  for (std::size_t e = 0; e < size_; ++e) {
    const std::uint64_t keep = has(rows, e) ? kAll : 0;
    for (std::size_t w = 0; w < stride; ++w) out[e * stride + w] = in[e * stride + w] & keep;
  }
}

template <std::size_t kStride>
void Machine::restrict_columns(const Step& step) {
  const std::size_t stride = kStride != 0 ? kStride : stride_;
  std::uint64_t* out = buffer(step.target);
  const std::uint64_t* in = buffer(step.left);
  const std::uint64_t* columns = buffer(step.right);
  for (std::size_t e = 0; e < size_; ++e) {
    for (std::size_t w = 0; w < stride; ++w) out[e * stride + w] = in[e * stride + w] & columns[w];
  }
}

template <std::size_t kStride>
void Machine::from_reads(const Step& step) {
  const std::size_t stride = kStride != 0 ? kStride : stride_;
  std::uint64_t* out = buffer(step.target);
  const std::uint64_t* sources = buffer(step.left);
  const std::uint64_t* later = buffer(step.right);
  std::fill_n(out, size_ * stride, 0);
  for (std::size_t write = 0; write < size_; ++write) {
    for_each_member(sources + write * stride, stride, [&](std::size_t read) {
      for (std::size_t w = 0; w < stride; ++w) out[read * stride + w] |= later[write * stride + w];
    });
  }
}

template <std::size_t kStride>
void Machine::inverse(const Step& step) {
  const std::size_t stride = kStride != 0 ? kStride : stride_;
  std::uint64_t* out = buffer(step.target);
  const std::uint64_t* in = buffer(step.left);
  std::fill_n(out, size_ * stride, 0);
  for (std::size_t e = 0; e < size_; ++e) {
    for_each_member(in + e * stride, stride, [&](std::size_t to) { out[to * stride + e / 64] |= bit(e); });
  }
}

template <std::size_t kStride>
void Machine::closure(const Step& step) {
  const std::size_t stride = kStride != 0 ? kStride : stride_;
  std::uint64_t* out = buffer(step.target);
  std::copy_n(buffer(step.left), size_ * stride, out);
  for (std::size_t middle = 0; middle < size_; ++middle) {  // Warshall
    const std::uint64_t* from = out + middle * stride;
    if (std::all_of(from, from + stride, [](std::uint64_t word) { return word == 0; })) continue;
    for (std::size_t e = 0; e < size_; ++e) {
      if (!has(out + e * stride, middle)) continue;
      for (std::size_t w = 0; w < stride; ++w) out[e * stride + w] |= from[w];
    }
  }
}

template <std::size_t kStride>
void Machine::optional(const Step& step) {
  const std::size_t stride = kStride != 0 ? kStride : stride_;
  std::uint64_t* out = buffer(step.target);
  std::copy_n(buffer(step.left), size_ * stride, out);
  for_each_member(executed(step.target).words(), stride, [&](std::size_t e) { out[e * stride + e / 64] |= bit(e); });
}

template <std::size_t kStride>
void Machine::identity(const Step& step) {
  const std::size_t stride = kStride != 0 ? kStride : stride_;
  std::uint64_t* out = buffer(step.target);
  std::fill_n(out, size_ * stride, 0);
  for_each_member(buffer(step.left), stride, [&](std::size_t e) { out[e * stride + e / 64] |= bit(e); });
}

template <std::size_t kStride>
void Machine::product(const Step& step) {
  const std::size_t stride = kStride != 0 ? kStride : stride_;
  std::uint64_t* out = buffer(step.target);
  const std::uint64_t* rows = buffer(step.left);
  const std::uint64_t* columns = buffer(step.right);
  for (std::size_t e = 0; e < size_; ++e) {
    const std::uint64_t keep = has(rows, e) ? kAll : 0;
    for (std::size_t w = 0; w < stride; ++w) out[e * stride + w] = columns[w] & keep;
  }
}

template <std::size_t kStride>
void Machine::domain_or_range(const Step& step) {
  const std::size_t stride = kStride != 0 ? kStride : stride_;
  std::uint64_t* out = buffer(step.target);
  const std::uint64_t* in = buffer(step.left);
  std::fill_n(out, stride, 0);
  for (std::size_t e = 0; e < size_; ++e) {
    std::uint64_t any = 0;
    for (std::size_t w = 0; w < stride; ++w) {
      any |= in[e * stride + w];
      if (step.kind == StepKind::Range) out[w] |= in[e * stride + w];
    }
    if (step.kind == StepKind::Domain && any != 0) out[e / 64] |= bit(e);
  }
}

bool Machine::is_acyclic(const std::uint64_t* rows) {
  // Repeatedly remove the events that have no successor among the remaining events. If events remain,
  // there is a cycle.
  std::uint64_t* rest = scratch_.data();
  std::fill_n(rest, stride_, 0);
  for (std::size_t e = 0; e < size_; ++e) {
    const std::uint64_t* successors = rows + e * stride_;
    if (std::any_of(successors, successors + stride_, [](std::uint64_t word) { return word != 0; })) {
      rest[e / 64] |= bit(e);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    bool left = false;
    for (std::size_t w = stride_; w-- > 0;) {
      for (std::uint64_t members = rest[w]; members != 0;) {
        const auto highest = static_cast<std::size_t>(63 - std::countl_zero(members));
        members &= ~(std::uint64_t{1} << highest);
        const std::uint64_t* successors = rows + (w * 64 + highest) * stride_;
        bool blocked = false;
        for (std::size_t v = 0; v < stride_ && !blocked; ++v) blocked = (successors[v] & rest[v]) != 0;
        left = left || blocked;
        if (blocked) continue;
        rest[w] &= ~(std::uint64_t{1} << highest);
        changed = true;
      }
    }
    if (!left) return true;
  }
  return false;
}

bool Machine::test(rules::Test test, bool negated, bool is_set, BufferId held) {
  const std::uint64_t* in = buffer(held);
  bool holds = true;
  // A set is treated as its identity relation, so each member is a cycle.
  if (test == rules::Test::Empty || is_set) {
    holds = std::all_of(in, in + words(is_set), [](std::uint64_t word) { return word == 0; });
  } else if (test == rules::Test::Acyclic) {
    holds = is_acyclic(in);
  } else {
    for (std::size_t e = 0; e < size_ && holds; ++e) holds = !has(in + e * stride_, e);
  }
  return holds != negated;
}

}  // namespace ambit::eval
