#include "model/eval/fitted_rules.h"

#include <algorithm>
#include <array>
#include <span>

#include "model/eval/plan.h"
#include "model/rules/base_terms.h"
#include "model/rules/implied_axioms.h"

namespace ambit::eval {
namespace {

/// A program feature that most programs do not use, and the base sets and base relations of this feature.
struct Feature {
  std::span<const BaseSet> sets;
  std::span<const BaseRelation> relations;
};

constexpr std::array kProxySets = {BaseSet::ConstantProxy, BaseSet::TextureProxy, BaseSet::SurfaceProxy,
                                   BaseSet::AliasFence};
constexpr std::array kAsyncSets = {BaseSet::AsyncProxy, BaseSet::ProxyFence, BaseSet::Asynchronous, BaseSet::Mbarrier};
constexpr std::array kOneWaySets = {BaseSet::ReleaseProxyFence, BaseSet::AcquireProxyFence};
constexpr std::array kMapSets = {BaseSet::TensormapProxy};
constexpr std::array kSharedFenceSets = {BaseSet::SharedFence};
constexpr std::array kInitFenceSets = {BaseSet::MbarrierInitFence};
constexpr std::array kInitFenceRelations = {BaseRelation::RelaxedArrival};
constexpr std::array kArrivalSets = {BaseSet::LaterArrival};
constexpr std::array kAsyncRelations = {
    BaseRelation::Issue,    BaseRelation::InOperation,   BaseRelation::GroupWait,
    BaseRelation::Tracking, BaseRelation::MbarrierPhase, BaseRelation::MbarrierBlock,
    BaseRelation::InSpace,  BaseRelation::MbarrierSeen,  BaseRelation::HomeBlock};
constexpr std::array kTensorSets = {BaseSet::TensorAccess, BaseSet::TensorFenceBefore, BaseSet::TensorFenceAfter};
constexpr std::array kTensorRelations = {BaseRelation::TensorPipeline};
constexpr std::array kStartSets = {BaseSet::KernelStart};
constexpr std::array kGridRelations = {BaseRelation::GridEnd};
constexpr std::array kTransactionSets = {BaseSet::Transaction};
constexpr std::array kTransactionRelations = {BaseRelation::SameTransaction};
constexpr std::array kAbortRelations = {BaseRelation::SameFailedTransaction};
constexpr std::array kOfBlocks = {BaseSet::TransactionBlock};
constexpr std::array kOfClusters = {BaseSet::TransactionCluster};
constexpr std::array kOfDevices = {BaseSet::TransactionDevice};
constexpr std::array kOfSystems = {BaseSet::TransactionSystem};
const std::array<Feature, 15> kFeatures = {{{kProxySets, {}},
                                            {kAsyncSets, kAsyncRelations},
                                            {kTransactionSets, kTransactionRelations},
                                            {{}, kAbortRelations},
                                            {kOfBlocks, {}},
                                            {kOfClusters, {}},
                                            {kOfDevices, {}},
                                            {kOfSystems, {}},
                                            {kOneWaySets, {}},
                                            {kMapSets, {}},
                                            {kSharedFenceSets, {}},
                                            {kInitFenceSets, kInitFenceRelations},
                                            {kArrivalSets, {}},
                                            {kTensorSets, kTensorRelations},
                                            {kStartSets, kGridRelations}}};

template <typename Members>
bool is_empty(const Members& members) {
  return members.always.empty() && members.sometimes.empty();
}

bool is_unused(const Feature& feature, const events::EventGraph& graph) {
  return std::ranges::all_of(feature.sets, [&](BaseSet set) { return is_empty(graph.set(set)); }) &&
         std::ranges::all_of(feature.relations, [&](BaseRelation r) { return is_empty(graph.relation(r)); });
}

}  // namespace

const FittedModel& FittedRules::of(const std::shared_ptr<const rules::Rules>& rules, const events::EventGraph& graph) {
  constexpr std::size_t kMost = 64;
  if (known_.size() >= kMost) known_.clear();
  rules::BaseTerms empty;
  unsigned unused = 0;
  for (std::size_t i = 0; i < kFeatures.size(); ++i) {
    if (!is_unused(kFeatures[i], graph)) continue;
    unused |= 1U << i;
    for (const BaseSet set : kFeatures[i].sets) empty.sets.set(static_cast<std::size_t>(set));
    for (const BaseRelation relation : kFeatures[i].relations) empty.relations.set(static_cast<std::size_t>(relation));
  }
  FittedModel& fitted = known_[{rules.get(), unused}];
  if (fitted.rules == nullptr) {
    fitted.whole = rules;
    fitted.all_axioms = std::make_shared<const rules::Rules>(rules::without_members(*rules, empty));
    fitted.rules = std::make_shared<const rules::Rules>(rules::without_implied_axioms(*fitted.all_axioms));
    fitted.plan = std::make_shared<const Plan>(*fitted.rules);
  }
  return fitted;
}

}  // namespace ambit::eval
