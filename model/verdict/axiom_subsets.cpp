#include "model/verdict/axiom_subsets.h"

#include <utility>
#include <vector>

#include "model/eval/enumerate.h"
#include "model/verdict/verify.h"

namespace ambit::verdict {
namespace {

using events::Answers;
using events::Possibility;

/// Up to this number of candidate executions, enumeration takes less time than the encoding of a problem. The limit is
/// low, because a small set of axioms prunes few candidates.
constexpr double kSmallSearch = 1000;

bool is_in(AxiomSet axioms, std::size_t axiom) { return (axioms >> axiom & 1U) != 0; }

}  // namespace

AxiomSubsets::AxiomSubsets(std::shared_ptr<const events::EventGraph> graph, std::shared_ptr<const rules::Rules> rules,
                           Engine engine, Context& context)
    : graph_(std::move(graph)), rules_(std::move(rules)), engine_(engine), context_(context) {}

AxiomSubsets::Answer AxiomSubsets::query(AxiomSet axioms) {
  auto fewer = std::make_shared<rules::Rules>(*rules_);
  fewer->flags.clear();
  fewer->axioms.clear();
  for (std::size_t i = 0; i < rules_->axioms.size(); ++i) {
    if (is_in(axioms, i)) fewer->axioms.push_back(rules_->axioms[i]);
  }
  Verdict verdict;
  verdict.model = model_name(*rules_) + " without some of its axioms";
  verdict.graph = graph_;
  verdict.rules = fewer;
  verdict.answers = query_engine(*fewer, axioms);
  verify_witnesses(verdict, *verdict.rules, {.holds_only = true}, context_);
  Answers& answers = verdict.answers;
  if (answers.holds.witness) return {Possibility::Possible, std::move(answers.holds.witness), {}};
  const bool is_bounded = graph_->bound_reached != events::ValueGraph::kFalse;
  if (is_bounded && answers.bound.witness) {
    return {Possibility::Unknown, std::move(answers.bound.witness), {}};
  }
  const bool is_known = !answers.unknown && answers.holds.possibility == Possibility::Impossible &&
                        (!is_bounded || answers.bound.possibility == Possibility::Impossible);
  if (!is_known) return {};
  return {Possibility::Impossible, std::nullopt, was_enumerated_ ? std::nullopt : std::optional(used())};
}

AxiomSet AxiomSubsets::used() const {
  AxiomSet set = 0;
  for (std::size_t i = 0; i < rules_->axioms.size(); ++i) set |= AxiomSet{solver_->used()[i] ? 1U : 0U} << i;
  return set;
}

Answers AxiomSubsets::query_engine(const rules::Rules& fewer, AxiomSet axioms) {
  const bool is_small =
      engine_ == Engine::Auto && eval::estimated_candidates(*graph_, fewer, context_, kSmallSearch) <= kSmallSearch;
  was_enumerated_ = engine_ == Engine::Explicit || is_small;
  if (was_enumerated_) {
    return eval::enumerate(*graph_, fewer, {.flags = false, .incidents = false, .holds_only = true}, context_);
  }
  if (!solver_) solver_ = std::make_unique<smt::SubsetSolver>(*graph_, *rules_, context_);
  std::vector<bool> wanted;
  for (std::size_t i = 0; i < rules_->axioms.size(); ++i) wanted.push_back(is_in(axioms, i));
  return solver_->query(wanted);
}

}  // namespace ambit::verdict
