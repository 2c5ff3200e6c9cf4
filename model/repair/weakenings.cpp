#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/repair/barrier_groups.h"
#include "model/repair/slot_makers.h"

namespace ambit::repair {
namespace {

using explain::Site;

class Weakenings : public SlotMaker {
 public:
  using SlotMaker::SlotMaker;

  WeakerForms make() {
    for (const Site& site : sites_) {
      if (is_fence(site)) {
        fence(site);
      } else if (is_atomic(site)) {
        scope(site);
      }
      order(site);
    }
    for (const BarrierGroup& group : find_barrier_groups(graph_, sites_)) barriers(group);
    return {std::move(slots_), std::move(fixed_barriers_)};
  }

 private:
  /// Returns a slot whose levels go from the weakest form to the unchanged source. Each step from one level to the next
  /// is one kind of change, with its cost.
  Slot chain(const Site& site, std::vector<Level> weaker, int cost_of_source, bool is_monotone) const {
    Slot slot{site.span, std::move(weaker), is_monotone};
    slot.levels.push_back({cost_of_source, {}, ""});
    const int base = slot.levels.front().cost;
    int last = 0;
    for (Level& level : slot.levels) {
      level.cost = std::max(level.cost - base, last);
      last = level.cost;
    }
    return slot;
  }
  int cost(Cost cost) const { return options_.costs.allows(cost) ? options_.costs.of(cost) : 1; }
  int scope_cost(Scope scope) const { return scope == Scope::Block ? 0 : cost(cost_of_scope(scope)); }

  static constexpr Scope kScopes[] = {Scope::Block, Scope::Cluster, Scope::Device, Scope::System};

  bool is_used(Scope scope) const {
    const std::vector<Scope> useful = useful_scopes();
    return std::find(useful.begin(), useful.end(), scope) != useful.end();
  }

  void fence(const Site& site) {
    const Scope old = *scope_of(site);
    std::vector<Level> levels;
    if (const auto edits = forms_->without(place_of(site))) {
      levels.push_back({0, *edits, fmt::format("remove {}", name_of(site))});
    }
    for (const Scope scope : kScopes) {
      if (scope >= old || !is_used(scope)) continue;
      const auto edits = forms_->with_scope(place_of(site), scope);
      if (edits) levels.push_back({cost(cost_of_fence(scope)), *edits, narrower_words(site, scope, old)});
    }
    add(chain(site, std::move(levels), cost(cost_of_fence(old)), true));
  }

  void scope(const Site& site) {
    const Scope old = *scope_of(site);
    std::vector<Level> levels;
    for (const Scope scope : kScopes) {
      if (scope >= old || !is_used(scope)) continue;
      const auto edits = forms_->with_scope(place_of(site), scope);
      if (edits) levels.push_back({scope_cost(scope), *edits, narrower_words(site, scope, old)});
    }
    add(chain(site, std::move(levels), scope_cost(old), options_.wider_is_stronger));
  }

  std::string narrower_words(const Site& site, Scope scope, Scope old) const {
    return fmt::format("give {} {} scope instead of {} scope", name_of(site), to_string(scope), to_string(old));
  }

  void order(const Site& site) {
    const auto old = order_of(site);
    if (!old) return;
    std::vector<Order> orders;
    if (is_fence(site)) {
      orders = {Order::Release, Order::Acquire, Order::AcqRel};
    } else if (reads(site) && writes(site)) {
      orders = {Order::Relaxed, Order::Release, Order::Acquire, Order::AcqRel};
    } else {
      orders = {Order::Relaxed, writes(site) ? Order::Release : Order::Acquire};
    }
    const auto is_weaker = [&](Order order) {
      if (*old == Order::Acquire || *old == Order::Release) return order == Order::Relaxed;
      return order < *old;
    };
    std::vector<Level> levels;
    for (const Order order : orders) {
      if (!is_weaker(order)) continue;
      const auto edits = forms_->with_order(place_of(site), order);
      const int price = order == Order::Relaxed ? 0 : cost(cost_of_order(order));
      if (edits) {
        levels.push_back(
            {price, *edits,
             fmt::format("give {} the order {} instead of {}", name_of(site), to_string(order), to_string(*old))});
      }
    }
    // Release is not weaker than acquire, and acquire is not weaker than release, so the two do not form a chain.
    const bool is_whole = levels.size() < 2;
    add(chain(site, std::move(levels), *old == Order::Relaxed ? 0 : cost(cost_of_order(*old)), is_whole));
  }

  /// Returns the cost of a barrier that stays. A barrier orders accesses like a fence of equal scope, and also waits.
  int cost_of(const Barrier& barrier) const {
    const int fence = barrier.kind == BarrierKind::Warp ? 0 : cost(cost_of_fence(scope_of_group(barrier.kind)));
    return cost(Cost::Barrier) + fence;
  }
  static Scope scope_of_group(BarrierKind kind) {
    return kind == BarrierKind::Grid ? Scope::System : kind == BarrierKind::Cluster ? Scope::Cluster : Scope::Block;
  }

  /// Offers to remove all barriers of the group together.
  void barriers(const BarrierGroup& group) {
    std::string names;
    int price = 0;
    std::vector<TextEdit> edits;
    bool is_removable = true;
    for (const Site& site : group.sites) {
      const auto& barrier = std::get<Barrier>(operation(site));
      const std::string name = name_of(site);  // a row of a PTX litmus file may contain the same barrier several times
      if (names.find(name) == std::string::npos) names += (names.empty() ? "" : " and ") + name;
      price += cost_of(barrier);
      const Forms::Edits removed = barrier.exchange ? std::nullopt : forms_->without(place_of(site));
      is_removable = is_removable && removed.has_value();
      if (removed) edits.insert(edits.end(), removed->begin(), removed->end());
    }
    if (!is_removable) return fixed_barriers_.push_back(std::move(names));
    const bool is_monotone = group.is_uniform && options_.wider_is_stronger && graph_.spin_loops.empty();
    Slot slot{group.sites.front().span,
              {Level{0, std::move(edits), "remove " + names}, Level{price, {}, ""}},
              is_monotone,
              Slot::Kind::Barrier,
              std::move(names)};
    add(std::move(slot));
  }

  std::vector<std::string> fixed_barriers_;
};

}  // namespace

WeakerForms weakenings(const events::EventGraph& graph, const SourceText& text, const SlotOptions& options) {
  return Weakenings(graph, text, options).make();
}

}  // namespace ambit::repair
