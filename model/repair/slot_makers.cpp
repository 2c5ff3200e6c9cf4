#include "model/repair/slot_makers.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/repair/language_forms.h"

namespace ambit::repair {

SlotMaker::SlotMaker(const events::EventGraph& graph, const SourceText& text, const SlotOptions& options)
    : graph_(graph),
      program_(*graph.program),
      text_(text),
      options_(options),
      forms_(forms_of(program_, text)),
      sites_(explain::find_sites(graph)) {}

const Operation& SlotMaker::operation(const explain::Site& site) const {
  const auto& [thread, index] = site.instances.front();
  return program_.threads[thread].code[index].operation;
}

bool SlotMaker::writes(const explain::Site& site) const {
  return access(site) != nullptr && !std::holds_alternative<Load>(operation(site));
}
bool SlotMaker::reads(const explain::Site& site) const {
  return access(site) != nullptr && !std::holds_alternative<Store>(operation(site));
}

std::optional<Scope> SlotMaker::scope_of(const explain::Site& site) const {
  if (const auto* fence = std::get_if<Fence>(&operation(site))) return fence->scope;
  return is_atomic(site) ? std::optional(access(site)->scope) : std::nullopt;
}

std::optional<Order> SlotMaker::order_of(const explain::Site& site) const {
  if (const auto* fence = std::get_if<Fence>(&operation(site))) return fence->order;
  return is_atomic(site) ? std::optional(access(site)->order) : std::nullopt;
}

std::vector<Scope> SlotMaker::useful_scopes() const {
  std::vector<Scope> scopes;
  for (const Scope scope : {Scope::Block, Scope::Cluster, Scope::Device, Scope::System}) {
    if (scope == Scope::Cluster && !program_.has_clusters()) continue;
    scopes.push_back(scope);
    const bool all = std::all_of(program_.threads.begin(), program_.threads.end(), [&](const Thread& thread) {
      return same_instance(thread.place, program_.threads.front().place, scope);
    });
    if (all) break;
  }
  return scopes;
}

std::string SlotMaker::name_of(const explain::Site& site) const {
  return fmt::format("`{}` (line {})", text_.slice(site.span), site.span.line);
}

Cost SlotMaker::cost_of_scope(Scope scope) {
  switch (scope) {
    case Scope::Cluster: return Cost::ScopeCluster;
    case Scope::System: return Cost::ScopeSystem;
    case Scope::Device: return Cost::ScopeDevice;
    case Scope::Thread:
    case Scope::Block: break;
  }
  return Cost::ScopeOther;
}

Cost SlotMaker::cost_of_fence(Scope scope) {
  if (scope == Scope::System) return Cost::FenceSystem;
  return scope == Scope::Block ? Cost::FenceBlock : Cost::FenceDevice;
}

Cost SlotMaker::cost_of_order(Order order) {
  if (order == Order::SeqCst) return Cost::OrderSeqCst;
  return order == Order::AcqRel ? Cost::OrderBoth : Cost::OrderHalf;
}

void SlotMaker::add(Slot slot) {
  if (slot.levels.size() < 2) return;
  const auto same = [&](const Slot& other) {
    return other.levels.size() == slot.levels.size() && other.levels.back().edits == slot.levels.back().edits &&
           other.levels.front().edits == slot.levels.front().edits;
  };
  if (std::none_of(slots_.begin(), slots_.end(), same)) slots_.push_back(std::move(slot));
}

}  // namespace ambit::repair
