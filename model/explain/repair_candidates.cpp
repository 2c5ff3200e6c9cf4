#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

#include "model/explain/repair.h"

namespace ambit::explain {
namespace {

// Weights. The most likely mistakes have the repairs with the smallest weights: first scopes that are too narrow and
// orders that are too weak, then missing scopes and orders, then misplaced code.
constexpr int kNarrow = 10;
constexpr int kNarrowTogether = 15;
constexpr int kMissing = 20;
constexpr int kMissingTogether = 25;
constexpr int kTwo = 27;
constexpr int kOtherStyle = 28;
constexpr int kMisplaced = 30;
constexpr int kUnlocked = 35;
constexpr int kFewBarriers = 37;  // used if the program already has barriers
constexpr int kNotAtomic = 40;
constexpr int kNotAtomicTogether = 45;
constexpr int kSequential = 42;
constexpr int kNoBarrier = 50;

class Candidates {
 public:
  Candidates(const events::EventGraph& graph, const RacingSites& race)
      : program_(*graph.program), race_(race), sites_(find_sites(graph)), span_(spanning_scope()) {
    for (const Site& site : sites_) {
      const auto* rmw = std::get_if<Rmw>(&operation(site));
      if (rmw != nullptr && rmw->op == RmwOp::CompareExchange)
        locks_.insert(site.locations.begin(), site.locations.end());
      const MemoryAccess* access = this->access(site);
      if (access == nullptr || access->is_atomic || access->is_volatile) has_use_for_fences_ = true;
    }
  }

  CandidateRepairs find() {
    for (const Site& site : sites_) single(site);
    together();
    two();
    misplaced();
    unlocked();
    barriers();
    std::stable_sort(repairs_.begin(), repairs_.end(),
                     [](const Repair& a, const Repair& b) { return a.weight < b.weight; });
    return {std::move(repairs_), left_out_, kTwo};
  }

 private:
  const Operation& operation(const Site& site) const {
    const auto& [thread, index] = site.instances.front();
    return program_.threads[thread].code[index].operation;
  }
  const MemoryAccess* access(const Site& site) const { return access_of(operation(site)); }
  bool is_atomic(const Site& site) const { return access(site) != nullptr && access(site)->is_atomic; }
  bool writes(const Site& site) const {
    return access(site) != nullptr && !std::holds_alternative<Load>(operation(site));
  }
  bool reads(const Site& site) const {
    return access(site) != nullptr && !std::holds_alternative<Store>(operation(site));
  }

  /// Returns the narrowest scope that contains all threads of the program.
  Scope spanning_scope() const {
    for (const Scope scope : {Scope::Block, Scope::Cluster, Scope::Device}) {
      const bool all = std::all_of(program_.threads.begin(), program_.threads.end(), [&](const Thread& thread) {
        return same_instance(thread.place, program_.threads.front().place, scope);
      });
      if (all && (scope != Scope::Cluster || program_.has_clusters())) return scope;
    }
    return Scope::System;
  }
  bool runs(const Site& site, std::uint32_t thread, std::size_t index) const {
    return std::find(site.instances.begin(), site.instances.end(), std::pair(thread, index)) != site.instances.end();
  }
  bool is_racing(const Site& site) const {
    return runs(site, race_.first_thread, race_.first) || runs(site, race_.second_thread, race_.second);
  }

  void add(int weight, std::vector<Edit> edits) {
    if (!edits.empty()) repairs_.push_back({std::move(edits), weight});
  }

  Edit edit(Edit::Kind kind, const Site& site, Scope scope) const {
    Edit result;
    result.kind = kind;
    result.site = site;
    result.scope = scope;
    if (const MemoryAccess* access = this->access(site)) {
      result.old_scope = access->scope;
      result.old_order = access->order;
    } else if (const auto* fence = std::get_if<Fence>(&operation(site))) {
      result.old_scope = fence->scope;
    }
    return result;
  }
  std::optional<Edit> wider(const Site& site) const {
    if (const auto* fence = std::get_if<Fence>(&operation(site))) {
      if (fence->scope < span_) return edit(Edit::Kind::WidenFence, site, span_);
    } else if (is_atomic(site) && access(site)->scope < span_) {
      return edit(Edit::Kind::SetScope, site, span_);
    }
    return std::nullopt;
  }
  std::optional<Edit> stronger(const Site& site) const {
    if (!is_atomic(site) || access(site)->order != Order::Relaxed) return std::nullopt;
    Edit result = edit(Edit::Kind::Strengthen, site, span_);
    result.order = !writes(site) ? Order::Acquire : reads(site) ? Order::AcqRel : Order::Release;
    return result;
  }
  std::optional<Edit> atomic(const Site& site) const {
    if (access(site) == nullptr || is_atomic(site) || access(site)->proxy != Proxy::Generic) return std::nullopt;
    return edit(Edit::Kind::MakeAtomic, site, span_);
  }
  /// Returns a fence directly before the site; nothing if the site comes first or a fence already precedes it.
  std::optional<Edit> fenced(const Site& site) const {
    // Fences do not remove races between plain accesses. But seq_cst fences can forbid an outcome of plain accesses
    // (docs/detectors/order.md, "Two fences of order seq_cst").
    const bool is_about_outcome = race_.first_thread == events::kNoThread;
    if (access(site) == nullptr || (!has_use_for_fences_ && !is_about_outcome)) return std::nullopt;
    for (const auto& [thread, index] : site.instances) {
      bool is_first = true;
      for (const Site& other : sites_) {
        for (const auto& [its_thread, its_index] : other.instances) {
          if (its_thread == thread && its_index < index) is_first = false;
        }
      }
      const auto& code = program_.threads[thread].code;
      if (is_first || (index > 0 && std::holds_alternative<Fence>(code[index - 1].operation))) return std::nullopt;
    }
    return edit(Edit::Kind::AddFence, site, span_);
  }

  void single(const Site& site) {
    if (auto found = wider(site)) add(kNarrow, {*found});
    if (is_atomic(site)) other_scopes(site);
    if (const auto* barrier = std::get_if<Barrier>(&operation(site))) {
      if (barrier->kind == BarrierKind::Block && span_ > Scope::Block) {
        // A single grid barrier would order the blocks. But if the program synchronises through accesses, a missing
        // fence or order is the more likely mistake.
        const bool joins_blocks = has_use_for_fences_ && spans_blocks(site, program_);
        add(joins_blocks ? kFewBarriers : kNarrow + 1, {edit(Edit::Kind::WidenBarrier, site, Scope::Device)});
      }
    }
    if (auto found = fenced(site)) {
      add(kMissing, {*found});
      other_fences(*found);
    }
    if (auto found = stronger(site)) add(kMissing + (uses_fences() ? 2 : 1), {*found});
    if (is_racing(site)) {
      if (auto found = atomic(site)) add(kNotAtomic, {*found});
    }
  }

  /// Tries the scopes of other accesses to the same location, for models that require equal scopes.
  void other_scopes(const Site& site) {
    std::set<Scope> used;
    for (const Site& other : sites_) {
      if (is_atomic(other) && shares_location(other, site)) used.insert(access(other)->scope);
    }
    used.erase(access(site)->scope);
    used.erase(span_);
    for (const Scope scope : used) add(kNarrow + 2, {edit(Edit::Kind::SetScope, site, scope)});
  }
  /// Tries the fence with the other scopes that the program uses, for models that require equal scopes.
  void other_fences(const Edit& fence) {
    std::set<Scope> used;
    for (const Site& other : sites_) {
      if (is_atomic(other)) used.insert(access(other)->scope);
    }
    used.erase(span_);
    for (const Scope scope : used) {
      Edit result = fence;
      result.scope = scope;
      add(kMissing + (uses_fences() ? 1 : 2), {std::move(result)});
    }
  }
  static bool shares_location(const Site& a, const Site& b) {
    return std::any_of(a.locations.begin(), a.locations.end(), [&](LocationId location) {
      return std::binary_search(b.locations.begin(), b.locations.end(), location);
    });
  }

  std::vector<Edit> all(const std::function<std::optional<Edit>(const Site&)>& make,
                        const std::function<bool(const Site&)>& wanted) const {
    std::vector<Edit> edits;
    for (const Site& site : sites_) {
      if (!wanted(site)) continue;
      if (auto found = make(site)) edits.push_back(*std::move(found));
    }
    return edits;
  }

  void together() {
    const auto widen = [&](const Site& site) { return wider(site); };
    const auto strengthen = [&](const Site& site) { return stronger(site); };
    const auto fence = [&](const Site& site) { return fenced(site); };
    const auto is_fence = [&](const Site& site) { return std::holds_alternative<Fence>(operation(site)); };
    for (LocationId location = 0; location < program_.locations.size(); ++location) {
      const auto touches = [&](const Site& site) {
        return std::binary_search(site.locations.begin(), site.locations.end(), location);
      };
      add_group(kNarrowTogether, all(widen, touches));
      add_group(kNarrowTogether + 1, all(widen, [&](const Site& s) { return touches(s) || is_fence(s); }));
      add_group(orders_weight(), all(strengthen, touches));
      add_group(fences_weight(), all(fence, [&](const Site& s) { return touches(s) && is_atomic(s); }));
      add_group(kNotAtomicTogether, all([&](const Site& s) { return atomic(s); }, touches));
    }
    add_group(kNarrowTogether + 2, all(widen, is_fence));
    add_group(kNarrowTogether + 3, all(widen, [](const Site&) { return true; }));
    add_group(orders_weight() + 1, all(strengthen, [](const Site&) { return true; }));
    add_group(fences_weight() + 1, all(fence, [](const Site&) { return true; }));
    add_group(kSequential, all(
                               [&](const Site& site) -> std::optional<Edit> {
                                 if (!is_atomic(site) || access(site)->order == Order::SeqCst) return std::nullopt;
                                 Edit result = edit(Edit::Kind::Strengthen, site, span_);
                                 result.order = Order::SeqCst;
                                 return result;
                               },
                               [](const Site&) { return true; }));
    std::vector<Edit> everything = all(widen, [](const Site&) { return true; });
    for (Edit& more : all(fence, [](const Site&) { return true; })) everything.push_back(std::move(more));
    add_group(kSequential + 1, std::move(everything));
  }
  /// Returns whether the program uses fences. Repairs of a program with fences should add fences, not access orders.
  bool uses_fences() const {
    return std::any_of(sites_.begin(), sites_.end(), [&](const Site& site) {
      const bool names_order = is_atomic(site) && access(site)->order != Order::Relaxed;
      return !names_order && std::holds_alternative<Fence>(operation(site));
    });
  }
  int fences_weight() const { return uses_fences() ? kMissingTogether : kOtherStyle; }
  int orders_weight() const { return uses_fences() ? kOtherStyle : kMissingTogether; }

  /// Tries pairs of single changes at different places: first the pairs in the program's style, then all other pairs.
  void two() {
    const std::vector<Repair> singles = single_changes();
    std::size_t made = 0;
    for (const bool in_style : {true, false}) {
      for (std::size_t i = 0; i < singles.size(); ++i) {
        for (std::size_t j = i + 1; j < singles.size(); ++j) {
          if (in_style == (is_of_style(singles[i]) && is_of_style(singles[j])))
            pair(singles[i], singles[j], in_style, made);
        }
      }
    }
  }
  /// Returns the single changes that are likely enough for a pair.
  std::vector<Repair> single_changes() const {
    std::vector<Repair> singles;
    for (const Repair& repair : repairs_) {
      const Edit& edit = repair.edits.front();
      const bool is_other_fence = edit.kind == Edit::Kind::AddFence && edit.scope != span_;
      if (repair.edits.size() == 1 && repair.weight < kMissingTogether && !is_other_fence) singles.push_back(repair);
    }
    return singles;
  }
  bool is_of_style(const Repair& repair) const {
    return repair.edits.front().kind != (uses_fences() ? Edit::Kind::Strengthen : Edit::Kind::AddFence);
  }
  /// Adds a pair of single changes, unless both change one place in the same way, or too many pairs exist.
  void pair(const Repair& first, const Repair& second, bool in_style, std::size_t& made) {
    constexpr std::size_t kMost = 150;
    const Edit& a = first.edits.front();
    const Edit& b = second.edits.front();
    if (a.kind == b.kind && a.site.instances == b.site.instances) return;
    if (++made <= kMost) {
      add(in_style ? kTwo : kOtherStyle, {a, b});
    } else {
      ++left_out_;
    }
  }

  void add_group(int weight, std::vector<Edit> edits) {
    if (edits.size() > 1) add(weight, std::move(edits));
  }

  /// Handles a racing access that should precede the write for which other threads wait, but follows this write.
  void misplaced() {
    for (const Site& site : sites_) {
      if (!is_racing(site) || is_atomic(site)) continue;
      Edit result = edit(Edit::Kind::MoveLater, site, span_);
      for (const auto& [thread, index] : site.instances) find_moved(thread, index, result);
      if (!result.moved.empty()) add(kMisplaced, {std::move(result)});
    }
  }
  /// Finds the last synchronising write before the access, and the fences directly before this write.
  void find_moved(std::uint32_t thread, std::size_t index, Edit& edit) const {
    const auto& code = program_.threads[thread].code;
    for (std::size_t i = index; i-- > 0;) {
      const MemoryAccess* access = access_of(code[i].operation);
      const auto* rmw = std::get_if<Rmw>(&code[i].operation);
      const bool polls = rmw != nullptr && rmw->op == RmwOp::CompareExchange;
      if (access == nullptr || !access->is_atomic || polls || std::holds_alternative<Load>(code[i].operation)) continue;
      std::size_t begin = i;
      while (begin > 0 && std::holds_alternative<Fence>(code[begin - 1].operation)) --begin;
      if (is_jumped_over(code, begin, index)) return;
      for (std::size_t moved = begin; moved <= i; ++moved) edit.moved.emplace_back(thread, moved);
      return;
    }
  }
  static bool is_jumped_over(const std::vector<Instruction>& code, std::size_t begin, std::size_t end) {
    return std::any_of(code.begin() + static_cast<std::ptrdiff_t>(begin),
                       code.begin() + static_cast<std::ptrdiff_t>(end), [](const Instruction& instruction) {
                         return std::holds_alternative<Branch>(instruction.operation) ||
                                std::holds_alternative<Jump>(instruction.operation);
                       });
  }

  /// Handles a racing access by a thread that holds no lock of the program.
  void unlocked() {
    for (const Site& site : sites_) {
      if (!is_racing(site) || is_atomic(site)) continue;
      for (const LocationId lock : locks_) {
        Edit result = edit(Edit::Kind::HoldLock, site, span_);
        result.lock = lock;
        add(kUnlocked, {std::move(result)});
      }
    }
  }

  /// Returns whether the program uses barriers, or the race is in a block's shared memory.
  bool wants_barriers() const {
    for (const Site& site : sites_) {
      if (!is_racing(site)) continue;
      for (const LocationId location : site.locations) {
        if (program_.objects[program_.locations[location].object].space == MemorySpace::Shared) return true;
      }
    }
    return std::any_of(sites_.begin(), sites_.end(),
                       [&](const Site& site) { return std::holds_alternative<Barrier>(operation(site)); });
  }

  void barriers() {
    if (race_.first_thread == race_.second_thread) return;
    const Thread& first = program_.threads[race_.first_thread];
    const Thread& second = program_.threads[race_.second_thread];
    if (!same_instance(first.place, second.place, Scope::Block)) return;
    const std::uint32_t first_line = first.code[race_.first].span.line;
    const std::uint32_t second_line = second.code[race_.second].span.line;
    // If two threads race at one statement, no barrier can separate the accesses, unless the statement is
    // repeated.
    if (first_line == second_line && !is_repeated(first_line)) return;
    for (const bool swapped : {false, true}) {
      Edit result;
      result.kind = Edit::Kind::AddBarrier;
      result.site.instances = {{race_.first_thread, race_.first}};
      result.site.span = first.code[race_.first].span;
      result.second = Site{second.code[race_.second].span, {{race_.second_thread, race_.second}}, {}};
      if (swapped) std::swap(result.site, *result.second);
      const bool against_text =
          result.site.span.line > result.second->span.line || (swapped && first_line == second_line);
      add((wants_barriers() ? kFewBarriers : kNoBarrier) + (against_text ? 1 : 0), {std::move(result)});
    }
  }
  /// Returns whether some thread runs the line more than once.
  bool is_repeated(std::uint32_t line) const {
    return std::any_of(sites_.begin(), sites_.end(), [&](const Site& site) {
      const auto same_thread = [](const auto& a, const auto& b) { return a.first == b.first; };
      return site.span.line == line &&
             std::adjacent_find(site.instances.begin(), site.instances.end(), same_thread) != site.instances.end();
    });
  }

  const Program& program_;
  const RacingSites& race_;
  std::vector<Site> sites_;
  Scope span_;
  std::set<LocationId> locks_;
  bool has_use_for_fences_ = false;  ///< whether some access is atomic or volatile, or another instruction synchronises
  std::vector<Repair> repairs_;
  std::size_t left_out_ = 0;
};

}  // namespace

CandidateRepairs candidate_repairs(const events::EventGraph& graph, const RacingSites& race) {
  return Candidates(graph, race).find();
}

CandidateRepairs candidate_repairs(const events::EventGraph& graph) {
  constexpr RacingSites kNone = {events::kNoThread, 0, events::kNoThread, 0};
  return Candidates(graph, kNone).find();
}

}  // namespace ambit::explain
