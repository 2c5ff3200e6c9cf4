#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/repair/slot_makers.h"

namespace ambit::repair {
namespace {

using explain::Site;

class Strengthenings : public SlotMaker {
 public:
  using SlotMaker::SlotMaker;

  std::vector<Slot> make() {
    scopes_ = useful_scopes();
    if (!options_.wider_is_stronger) add_used_scopes();
    for (const Site& site : sites_) {
      scope(site);
      order(site);
      fence(site);
    }
    atomics();
    locks();
    barriers();
    placements();
    return std::move(slots_);
  }

 private:
  /// Adds the scopes of the program's atomics, which are useful in models that require equal scopes.
  void add_used_scopes() {
    for (const Site& site : sites_) {
      if (is_atomic(site)) scopes_.push_back(access(site)->scope);
    }
    std::sort(scopes_.begin(), scopes_.end());
    scopes_.erase(std::unique(scopes_.begin(), scopes_.end()), scopes_.end());
  }

  Slot unchanged(const Site& site, bool is_monotone = true) const {
    return {site.span, {Level{0, {}, ""}}, is_monotone};
  }
  void level(Slot& slot, Cost cost, const Forms::Edits& edits, std::string words) const {
    if (!edits || !options_.costs.allows(cost)) return;
    const int price = options_.costs.of(cost);
    // The search requires that costs in a chain never decrease from level to level.
    slot.levels.push_back({std::max(price, slot.levels.back().cost), *edits, std::move(words)});
  }

  void scope(const Site& site) {
    const auto old = scope_of(site);
    if (!old) return;
    const bool chain = is_fence(site) || options_.wider_is_stronger;
    Slot slot = unchanged(site, chain);
    for (const Scope scope : scopes_) {
      if (scope <= *old) continue;
      level(slot, cost_of_scope(scope), forms_->with_scope(place_of(site), scope),
            fmt::format("give {} {} scope instead of {} scope", name_of(site), to_string(scope), to_string(*old)));
    }
    for (const Scope scope : scopes_) {
      if (chain || scope >= *old) continue;
      level(slot, Cost::ScopeOther, forms_->with_scope(place_of(site), scope),
            fmt::format("give {} {} scope instead of {} scope", name_of(site), to_string(scope), to_string(*old)));
    }
    add(std::move(slot));
  }

  void order(const Site& site) {
    const auto old = order_of(site);
    if (!old) return;
    std::vector<Order> orders;
    if (!is_fence(site) && !writes(site)) {
      orders = {Order::Acquire, Order::SeqCst};
    } else if (!is_fence(site) && !reads(site)) {
      orders = {Order::Release, Order::SeqCst};
    } else {
      orders = {Order::AcqRel, Order::SeqCst};
    }
    Slot slot = unchanged(site);
    for (const Order order : orders) {
      if (order <= *old) continue;
      level(slot, cost_of_order(order), forms_->with_order(place_of(site), order),
            fmt::format("give {} the order {} instead of {}", name_of(site), to_string(order), to_string(*old)));
    }
    add(std::move(slot));
  }

  /// Returns whether a thread has another memory operation or fence before the site.
  bool follows_another(const Site& site) const {
    return std::any_of(site.instances.begin(), site.instances.end(), [&](const auto& instance) {
      return std::any_of(sites_.begin(), sites_.end(), [&](const Site& other) {
        return std::any_of(other.instances.begin(), other.instances.end(), [&](const auto& earlier) {
          return earlier.first == instance.first && earlier.second < instance.second;
        });
      });
    });
  }

  void fence(const Site& site) {
    if (access(site) == nullptr || !follows_another(site)) return;
    Slot slot = unchanged(site);
    for (const Order order : forms_->fence_orders()) {
      for (const Scope scope : scopes_) {
        // The levels form a chain: acq_rel of each scope, followed by seq_cst of the widest scope.
        if (forms_->fence_orders().size() > 1 && order == Order::SeqCst && scope != scopes_.back()) continue;
        const auto words = forms_->fence_words(order, scope);
        level(slot, cost_of_fence(scope), forms_->fence_before(place_of(site), order, scope),
              fmt::format("add `{}` before {}", words.value_or(""), name_of(site)));
      }
    }
    add(std::move(slot));
  }

  bool runs(const Site& site, std::pair<std::uint32_t, std::size_t> instance) const {
    return std::find(site.instances.begin(), site.instances.end(), instance) != site.instances.end();
  }
  bool is_racing(const Site& site) const {
    return std::any_of(options_.races.begin(), options_.races.end(),
                       [&](const auto& race) { return runs(site, race.first) || runs(site, race.second); });
  }
  bool is_shared(const Site& site) const {
    return std::any_of(sites_.begin(), sites_.end(), [&](const Site& other) {
      const bool other_thread = other.instances.front().first != site.instances.front().first ||
                                other.instances.back().first != site.instances.front().first;
      return other_thread && std::any_of(other.locations.begin(), other.locations.end(), [&](LocationId location) {
               return std::binary_search(site.locations.begin(), site.locations.end(), location);
             });
    });
  }
  bool is_candidate(const Site& site) const {
    const bool is_plain = access(site) != nullptr && !is_atomic(site) && access(site)->proxy == Proxy::Generic;
    return is_plain && (options_.races.empty() ? is_shared(site) : is_racing(site) || shares_cell_of_race(site));
  }
  /// Returns whether the site is a plain access of a racy cell. If another access of the cell becomes atomic, the plain
  /// access can race with it.
  bool shares_cell_of_race(const Site& site) const {
    return std::any_of(sites_.begin(), sites_.end(), [&](const Site& other) {
      return is_racing(other) && std::any_of(other.locations.begin(), other.locations.end(), [&](LocationId location) {
               return std::binary_search(site.locations.begin(), site.locations.end(), location);
             });
    });
  }

  void atomics() {
    for (const Site& site : sites_) {
      if (!is_candidate(site)) continue;
      const bool keeps_reads = writes(site) || forms_->has_atomic_loads();
      const bool is_monotone = options_.wider_is_stronger && options_.is_about_races && keeps_reads;
      for (const bool update : {true, false}) {
        Slot slot = unchanged(site, is_monotone);
        slot.kind = Slot::Kind::Data;
        for (const Scope scope : scopes_) {
          if (options_.wider_is_stronger && scope != scopes_.back()) continue;
          level(slot, update ? Cost::AtomicUpdate : Cost::Atomic,
                update ? forms_->as_atomic_update(place_of(site), scope) : all_atomic(site, scope),
                fmt::format("make {} atomic, of {} scope", name_of(site), to_string(scope)));
        }
        add(std::move(slot));
      }
    }
  }

  /// Makes the access atomic, together with all reads on the same line that have the same text.
  Forms::Edits all_atomic(const Site& site, Scope scope) const {
    Forms::Edits edits = forms_->as_atomic(place_of(site), scope);
    if (!edits || writes(site)) return edits;
    for (const Site& other : sites_) {
      const bool is_alike = other.span.line == site.span.line && text_.slice(other.span) == text_.slice(site.span);
      if (!is_alike || other.span == site.span || writes(other) || !is_candidate(other)) continue;
      const Forms::Edits more = forms_->as_atomic(place_of(other), scope);
      if (more) edits->insert(edits->end(), more->begin(), more->end());
    }
    std::sort(edits->begin(), edits->end(), [](const TextEdit& a, const TextEdit& b) { return a.begin < b.begin; });
    return edits;
  }

  void locks() {
    std::map<std::string, LockWords> locks;
    for (const Site& site : sites_) {
      const auto* rmw = std::get_if<Rmw>(&operation(site));
      if (rmw == nullptr || rmw->op != RmwOp::CompareExchange) continue;
      auto lock = forms_->lock_of(place_of(site));
      if (!lock) continue;
      const std::string take = lock->take;
      locks.emplace(take, *std::move(lock));
    }
    for (const Site& site : sites_) {
      if (!is_racing(site) || is_atomic(site)) continue;
      for (const auto& [words, lock] : locks) {
        Slot slot = unchanged(site, false);
        slot.kind = Slot::Kind::Data;
        level(slot, Cost::Lock, forms_->in_lock(place_of(site), lock),
              fmt::format("hold the lock `{}` around {}", lock.name, name_of(site)));
        add(std::move(slot));
      }
    }
  }

  const Site* site_of(std::pair<std::uint32_t, std::size_t> instance) const {
    const auto found =
        std::find_if(sites_.begin(), sites_.end(), [&](const Site& site) { return runs(site, instance); });
    return found == sites_.end() ? nullptr : &*found;
  }

  bool share_warp(const ThreadPlace& a, const ThreadPlace& b) const {
    return same_instance(a, b, Scope::Block) && a.warp == b.warp;
  }
  bool has_partner(const ThreadPlace& place) const {
    return std::any_of(program_.threads.begin(), program_.threads.end(), [&](const Thread& thread) {
      return thread.place != place && same_instance(thread.place, place, Scope::Block);
    });
  }

  /// Offers barriers before and after each racing access and each control statement around the access. Offers a barrier
  /// of the block if the block has further threads, because one of these threads may publish the accesses after the
  /// barrier. Offers a barrier of the warp if the race is between lanes.
  void barriers() {
    for (const auto& [first, second] : options_.races) {
      const Site* one = site_of(first);
      const Site* other = site_of(second);
      if (one == nullptr || other == nullptr || first.first == second.first) continue;
      const Thread& a = program_.threads[first.first];
      const Thread& b = program_.threads[second.first];
      const std::string block_words = "__syncthreads();";
      for (const auto& [site, thread] : {std::pair(one, &a), std::pair(other, &b)}) {
        if (share_warp(a.place, b.place)) around(*site, Cost::WarpBarrier, warp_barrier(*site, *thread));
        if (has_partner(thread->place)) around(*site, Cost::Barrier, block_words);
      }
      if (same_instance(a.place, b.place, Scope::Block) && a.span != b.span) between(*one, *other, block_words);
    }
  }

  /// Returns `__syncwarp();`, with a mask if only some lanes of the warp run the site.
  std::string warp_barrier(const Site& site, const Thread& thread) const {
    std::uint32_t all = 0;
    std::uint32_t running = 0;
    for (std::uint32_t i = 0; i < program_.threads.size(); ++i) {
      const ThreadPlace& place = program_.threads[i].place;
      if (!share_warp(place, thread.place) || place.lane < 0 || place.lane > 31) continue;
      const std::uint32_t lane = 1U << static_cast<unsigned>(place.lane);
      all |= lane;
      const bool runs_site = std::any_of(site.instances.begin(), site.instances.end(),
                                         [&](const auto& instance) { return instance.first == i; });
      if (runs_site) running |= lane;
    }
    return running == all ? "__syncwarp();" : fmt::format("__syncwarp({:#x}u);", running);
  }

  void around(const Site& site, Cost cost, const std::string& words) {
    constexpr unsigned kLevels = 4;  // the number of nested control statements to try
    for (unsigned out = 0; out <= kLevels; ++out) {
      for (const bool is_after : {true, false}) {
        Slot slot = unchanged(site, false);
        slot.kind = Slot::Kind::Barrier;
        level(slot, cost, forms_->barrier(place_of(site), {is_after, out}, words),
              fmt::format("add `{}` {} {}{}", words, is_after ? "after" : "before",
                          out == 0 ? "" : "the control statement around ", name_of(site)));
        add(std::move(slot));
      }
    }
  }

  /// If the threads have separate source texts: offers a barrier after the first access in one text, together with a
  /// barrier before the second access in the other text.
  void between(const Site& one, const Site& other, const std::string& words) {
    for (const auto& [from, to] : {std::pair(&one, &other), std::pair(&other, &one)}) {
      Forms::Edits edits = forms_->barrier(place_of(*from), {.is_after = true}, words);
      const Forms::Edits more = forms_->barrier(place_of(*to), {.is_after = false}, words);
      if (!edits || !more || from == to) continue;
      edits->insert(edits->end(), more->begin(), more->end());
      Slot slot = unchanged(*from, false);
      slot.kind = Slot::Kind::Barrier;
      level(slot, Cost::Barrier, edits,
            fmt::format("add `{}` after {} and before {}", words, name_of(*from), name_of(*to)));
      add(std::move(slot));
    }
  }

  void placements() {
    std::set<int> blocks;
    for (const Thread& thread : program_.threads) blocks.insert(thread.place.block);
    for (const Thread& thread : program_.threads) {
      Slot slot{thread.span, {Level{0, {}, ""}}, false, Slot::Kind::Placement};
      for (const int block : blocks) {
        if (block == thread.place.block) continue;
        level(slot, Cost::Placement, forms_->in_block(thread, block),
              fmt::format("move thread {} to block {}", thread.name, block));
      }
      add(std::move(slot));
    }
  }

  std::vector<Scope> scopes_;
};

}  // namespace

std::vector<Slot> strengthenings(const events::EventGraph& graph, const SourceText& text, const SlotOptions& options) {
  return Strengthenings(graph, text, options).make();
}

}  // namespace ambit::repair
