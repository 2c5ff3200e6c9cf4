#include "model/repair/barrier_groups.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace ambit::repair {
namespace {

using explain::Site;

/// Returns whether the two threads take part in the same barriers of this kind.
bool share_barriers(BarrierKind kind, const ThreadPlace& a, const ThreadPlace& b) {
  switch (kind) {
    case BarrierKind::Warp: return same_instance(a, b, Scope::Block) && a.warp == b.warp;
    case BarrierKind::Block: return same_instance(a, b, Scope::Block);
    case BarrierKind::Cluster: return same_instance(a, b, Scope::Cluster);
    case BarrierKind::Grid: return true;
  }
  return true;
}

class Grouping {
 public:
  Grouping(const events::EventGraph& graph, const std::vector<Site>& sites)
      : graph_(graph), sites_(sites), parents_(sites.size()), irregular_(sites.size(), false) {
    std::iota(parents_.begin(), parents_.end(), std::size_t{0});
  }

  std::vector<BarrierGroup> groups() {
    read_passes();
    for (auto& [key, threads] : passes_) {
      for (auto a = threads.begin(); a != threads.end(); ++a) {
        for (auto b = a; b != threads.end(); ++b) meet(std::get<0>(key), *a, *b);
      }
      mark_irregular(threads);
    }
    return collected();
  }

 private:
  /// The barriers of a thread, in order. Each element contains the sites of one phase: a barrier, or an arrival and its
  /// separate wait.
  using Passes = std::vector<std::vector<std::size_t>>;
  using Threads = std::map<std::uint32_t, Passes>;
  using Key = std::tuple<BarrierKind, std::uint32_t>;  ///< kind and number

  const Barrier* barrier_at(std::uint32_t thread, std::size_t index) const {
    const auto* barrier = std::get_if<Barrier>(&graph_.program->threads[thread].code[index].operation);
    return barrier == nullptr || barrier->is_boundary ? nullptr : barrier;
  }

  void read_passes() {
    std::map<std::pair<std::uint32_t, std::size_t>, std::size_t> site_of;
    for (std::size_t i = 0; i < sites_.size(); ++i) {
      for (const auto& [thread, index] : sites_[i].instances) {
        if (barrier_at(thread, index) != nullptr) site_of.emplace(std::pair(thread, index), i);
      }
    }
    for (const auto& [instance, site] : site_of) {
      const Barrier& barrier = *barrier_at(instance.first, instance.second);
      Passes& passes = passes_[Key(barrier.kind, barrier.id)][instance.first];
      if (!barrier.wait_only || passes.empty()) passes.emplace_back();
      passes.back().push_back(site);
    }
  }

  std::size_t root(std::size_t site) const {
    while (parents_[site] != site) site = parents_[site];
    return site;
  }
  void join(std::size_t a, std::size_t b) { parents_[root(std::max(a, b))] = root(std::min(a, b)); }

  void meet(BarrierKind kind, const Threads::value_type& a, const Threads::value_type& b) {
    const std::vector<Thread>& threads = graph_.program->threads;
    if (!share_barriers(kind, threads[a.first].place, threads[b.first].place)) return;
    const std::size_t first = a.second.front().front();
    const bool in_step = a.second.size() == b.second.size();
    for (const Passes* passes : {&a.second, &b.second}) {
      for (std::size_t i = 0; i < passes->size(); ++i) {
        for (const std::size_t site : (*passes)[i]) join(site, in_step ? a.second[i].front() : first);
      }
    }
  }

  /// Considers the sites of one kind and number. If some barrier does not wait for all threads, or threads may pass
  /// different numbers of barriers, marks these sites as irregular.
  void mark_irregular(const Threads& threads) {
    const auto is_plain = [&](std::uint32_t thread, std::size_t site) {
      return std::ranges::all_of(sites_[site].instances, [&](const auto& instance) {
        const Barrier* barrier = barrier_at(instance.first, instance.second);
        return instance.first != thread ||
               (barrier != nullptr && !barrier->count && !barrier->resource && !barrier->exchange);
      });
    };
    bool regular = true;
    for (const auto& [thread, passes] : threads) {
      regular = regular && passes.size() == threads.begin()->second.size();
      for (const auto& phase : passes) {
        for (const std::size_t site : phase) regular = regular && is_plain(thread, site) && is_always_passed(site);
      }
    }
    if (regular) return;
    for (const auto& [thread, passes] : threads) {
      for (const auto& phase : passes) {
        for (const std::size_t site : phase) irregular_[site] = true;
      }
    }
  }

  bool is_always_passed(std::size_t site) const {
    return std::ranges::all_of(graph_.events, [&](const events::Event& event) {
      const bool is_here = event.kind == events::EventKind::Barrier && event.span == sites_[site].span;
      return !is_here || event.is_unconditional();
    });
  }

  std::vector<BarrierGroup> collected() const {
    std::map<std::size_t, BarrierGroup> groups;
    for (const auto& [key, threads] : passes_) {
      for (const auto& [thread, passes] : threads) {
        for (const auto& phase : passes) {
          for (const std::size_t site : phase) add(groups[root(site)], site);
        }
      }
    }
    std::vector<BarrierGroup> result;
    for (auto& [first, group] : groups) {
      std::ranges::sort(group.sites, {}, [](const Site& site) { return std::pair(site.span.line, site.span.column); });
      result.push_back(std::move(group));
    }
    return result;
  }

  void add(BarrierGroup& group, std::size_t site) const {
    const bool is_known =
        std::ranges::any_of(group.sites, [&](const Site& other) { return other.instances == sites_[site].instances; });
    if (is_known) return;
    group.is_uniform = (group.sites.empty() || group.is_uniform) && !irregular_[site];
    group.sites.push_back(sites_[site]);
  }

  const events::EventGraph& graph_;
  const std::vector<Site>& sites_;
  std::vector<std::size_t> parents_;  ///< a forest: sites with the same root belong to one group
  std::vector<bool> irregular_;
  std::map<Key, Threads> passes_;
};

}  // namespace

std::vector<BarrierGroup> find_barrier_groups(const events::EventGraph& graph, const std::vector<Site>& sites) {
  return Grouping(graph, sites).groups();
}

}  // namespace ambit::repair
