#include "tests/unit/detector/closure.h"

#include <algorithm>
#include <bitset>
#include <map>
#include <tuple>

#include "detector/inference/sync_inference.h"

namespace ambit::detector {
namespace {

constexpr std::size_t kMax = 256;
using Row = std::bitset<kMax>;

/// A relation over nodes. Each row contains the successors of a node.
struct Relation {
  std::vector<Row> rows;
  explicit Relation(std::size_t n) : rows(n) {}
  bool has(std::size_t a, std::size_t b) const { return rows[a][b]; }
  void add(std::size_t a, std::size_t b) { rows[a].set(b); }
  bool unite(const Relation& other) {
    bool grew = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Row before = rows[i];
      rows[i] |= other.rows[i];
      grew |= rows[i] != before;
    }
    return grew;
  }
};

Relation compose(const Relation& a, const Relation& b) {
  Relation result(a.rows.size());
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    for (std::size_t j = 0; j < a.rows.size(); ++j) {
      if (a.has(i, j)) result.rows[i] |= b.rows[j];
    }
  }
  return result;
}

void close(Relation& relation) {
  for (std::size_t k = 0; k < relation.rows.size(); ++k) {
    for (Row& row : relation.rows) {
      if (row[k]) row |= relation.rows[k];
    }
  }
}

struct Node {
  Action action;
  std::size_t acquire = kMax;  ///< for a Release, the acquire of the section that the release ends
  /// For an Access, the earlier observations of atomic writes to its location: reader, writer, scope.
  std::vector<std::tuple<std::uint32_t, std::uint32_t, Scope>> observers = {};
};

class Closure {
 public:
  Closure(const Trace& trace, const ClosureOptions& options) : trace_(trace), options_(options) {
    read();
    const std::size_t n = nodes_.size();
    po_ = Relation(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) {
        if (thread(i) == thread(j)) po_.add(i, j);
      }
    }
  }

  RacePairs races() {
    const std::size_t n = nodes_.size();
    Relation shb = po_;
    shb.unite(handovers());
    shb.unite(barrier_edges(Edges::All));
    shb.unite(flags(Edges::All));
    shb.unite(forks());
    close(shb);
    Relation ordered = shb;
    if (options_.relation == ClosureOptions::Relation::Causal) {
      Relation hard = po_;
      hard.unite(flags(Edges::OfNoHolder));
      if (options_.hard_barriers) hard.unite(barrier_edges(Edges::OfNoHolder));
      close(hard);
      ordered = precedes(shb);
      ordered.unite(hard);
    }
    RacePairs found;
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < j; ++i) {
        if (is_candidate(i, j) && !ordered.has(i, j) && !is_observed(i, j, ordered))
          found.insert({thread(i), nodes_[j].action.event});
      }
    }
    return found;
  }

 private:
  std::uint32_t thread(std::size_t i) const { return nodes_[i].action.thread; }
  const ThreadPlace& place(std::size_t i) const { return trace_.tables.threads()[thread(i)].place; }

  void take(std::span<const Action> actions, const SyncInference& inference) {
    for (const Action& action : actions) {
      if (action.kind == ActionKind::Barrier) {
        take_barrier(inference.completions()[action.object], action);
        continue;
      }
      if (action.kind == ActionKind::Edge) {
        if (action.is_polled && !options_.polling_acquires) continue;
        for (const std::size_t mark : marks_.at(action.object)) edges_.emplace_back(mark, nodes_.size());
      }
      Node node{action};
      if (action.kind == ActionKind::Acquire && action.is_widening) {
        nodes_[open_.at({action.thread, action.object})].action.scope = action.scope;
      } else if (action.kind == ActionKind::Acquire) {
        open_[{action.thread, action.object}] = nodes_.size();
      } else if (action.kind == ActionKind::Release) {
        node.acquire = open_.at({action.thread, action.object});
      } else if (action.kind == ActionKind::Mark) {
        marks_[action.object] = {nodes_.size()};
      } else if (action.kind == ActionKind::AddToMark) {
        std::vector<std::size_t>& joined = marks_[action.object];
        if (action.is_first) joined.clear();
        const std::vector<std::size_t> added = marks_.at(action.added);
        joined.insert(joined.end(), added.begin(), added.end());
      }
      if (action.kind == ActionKind::Access) node.observers = observers(action, inference);
      nodes_.push_back(node);
    }
  }

  std::vector<std::tuple<std::uint32_t, std::uint32_t, Scope>> observers(const Action& access,
                                                                         const SyncInference& inference) {
    std::vector<std::tuple<std::uint32_t, std::uint32_t, Scope>> found;
    const auto threads = static_cast<std::uint32_t>(trace_.tables.threads().size());
    for (std::uint32_t reader = 0; reader < threads; ++reader) {
      // If the access is atomic, it can itself be the read that observed the write.
      if (reader == access.thread && access.is_atomic && !inference.looks_at(reader, access.object)) continue;
      for (std::uint32_t writer = 0; writer < threads; ++writer) {
        for (const Scope scope : {Scope::Block, Scope::Cluster, Scope::Device, Scope::System}) {
          if (inference.has_observed(reader, access.object, writer, scope)) found.emplace_back(reader, writer, scope);
        }
      }
    }
    return found;
  }

  /// PTX 8.9.5, causality order: returns whether a read that observed the atomic write i is ordered before access j.
  bool is_observed(std::size_t i, std::size_t j, const Relation& ordered) const {
    const Action& write = nodes_[i].action;
    if (!write.is_write || !write.is_atomic) return false;
    return std::ranges::any_of(nodes_[j].observers, [&](const auto& observer) {
      const auto [reader, writer, scope] = observer;
      if (writer != write.thread || scope != write.scope) return false;
      if (reader == thread(j)) return true;
      if (reader == writer) return false;
      // Find the reader's last atomic access before j.
      for (std::size_t k = j; k-- > 0;) {
        const Action& read = nodes_[k].action;
        if (read.kind != ActionKind::Access || read.thread != reader || read.object != write.object) continue;
        if (read.is_atomic) return ordered.has(k, j);
      }
      return false;
    });
  }

  void take_barrier(const BarrierTracker::Completion& done, Action action) {
    std::vector<std::size_t> arrivals;
    for (const std::uint32_t member : done.waiting) {
      action.thread = member;
      arrivals.push_back(nodes_.size());
      nodes_.push_back({action});
    }
    barriers_.emplace_back(arrivals, arrivals);
  }

  void read() {
    SyncInference inference(trace_.tables, SyncInference::Depth::All, options_.rules);
    for (const TraceEvent& event : trace_.events) take(inference.on(event), inference);
    take(inference.finish(), inference);
    AMBIT_ASSERT(nodes_.size() <= kMax);
  }

  bool overlap(std::size_t release, std::size_t acquire) const {
    const Scope s = nodes_[release].action.section;
    const Scope t = nodes_[acquire].action.scope;
    const ThreadPlace& a = place(release);
    const ThreadPlace& b = place(acquire);
    switch (options_.overlap) {
      case Overlap::Mutual: return same_instance(a, b, s) && same_instance(a, b, t);
      case Overlap::Either: return same_instance(a, b, s) || same_instance(a, b, t);
      case Overlap::Exact: return s == t && same_instance(a, b, s);
      case Overlap::All: return true;
    }
    return false;
  }

  /// Returns whether the release synchronises with the acquire. In happens-before, a release reaches the threads in its
  /// own scope. In GWCP, a release reaches the threads in the scope of its lock.
  bool hands_over(std::size_t release, std::size_t acquire) const {
    if (options_.relation == ClosureOptions::Relation::Causal) return overlap(release, acquire);
    const Scope s = narrower(nodes_[release].action.scope, nodes_[acquire].action.scope);
    return same_instance(place(release), place(acquire), s);
  }

  bool is(std::size_t i, ActionKind kind) const { return nodes_[i].action.kind == kind; }

  Relation handovers() const {
    Relation result(nodes_.size());
    for (std::size_t j = 0; j < nodes_.size(); ++j) {
      if (!is(j, ActionKind::Acquire) || nodes_[j].action.is_widening) continue;
      for (std::size_t i = 0; i < j; ++i) {
        if (is(i, ActionKind::Release) && nodes_[i].action.object == nodes_[j].action.object && hands_over(i, j)) {
          result.add(i, j);
        }
      }
    }
    return result;
  }

  /// Selects all barriers, or only barriers at which some thread (or no thread) holds a lock. If a thread holds a lock,
  /// the edges are not hard: an event that they order into the critical section counts as part of it.
  enum class Edges : std::uint8_t { All, OfHolders, OfNoHolder };
  bool is_wanted(Edges wanted, const std::vector<std::size_t>& ends) const {
    const bool has_holder = std::any_of(ends.begin(), ends.end(), [&](std::size_t e) { return is_inside(e); });
    return wanted == Edges::All || has_holder == (wanted == Edges::OfHolders);
  }

  /// Returns edges of barriers: from each arrival to every event that follows another thread's arrival.
  Relation barrier_edges(Edges wanted) const {
    Relation result(nodes_.size());
    for (const auto& [sources, arrivals] : barriers_) {
      if (!is_wanted(wanted, sources)) continue;
      for (const std::size_t from : sources) {
        for (const std::size_t to : arrivals) {
          if (thread(from) == thread(to)) continue;
          for (std::size_t e = to + 1; e < nodes_.size(); ++e) {
            if (thread(e) == thread(to)) result.add(from, e);
          }
        }
      }
    }
    return result;
  }

  Relation flags(Edges wanted) const {
    Relation result(nodes_.size());
    for (const auto& [mark, edge] : edges_) {
      if (thread(mark) != thread(edge) && is_wanted(wanted, {mark, edge})) result.add(mark, edge);
    }
    return result;
  }

  Relation forks() const {
    Relation result(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      for (std::size_t j = 0; j < nodes_.size(); ++j) {
        if (is(i, ActionKind::Fork) && thread(j) == nodes_[i].action.object) result.add(i, j);
        if (is(j, ActionKind::Join) && thread(i) == nodes_[j].action.object) result.add(i, j);
      }
    }
    return result;
  }

  /// Returns whether event e is in the critical section that release r ends. The section includes its acquire and its
  /// release.
  bool in_section(std::size_t e, std::size_t r) const {
    return thread(e) == thread(r) && nodes_[r].acquire <= e && e <= r;
  }

  bool conflict(std::size_t i, std::size_t j) const {
    const Action& a = nodes_[i].action;
    const Action& b = nodes_[j].action;
    return a.kind == ActionKind::Access && b.kind == ActionKind::Access && a.thread != b.thread &&
           a.object == b.object && (a.is_write || b.is_write);
  }
  bool is_candidate(std::size_t i, std::size_t j) const {
    if (!conflict(i, j)) return false;
    const Action& a = nodes_[i].action;
    const Action& b = nodes_[j].action;
    return !(a.is_atomic && b.is_atomic && same_instance(place(i), place(j), narrower(a.scope, b.scope)));
  }

  /// Returns the acquires of the sections that contain node e.
  std::vector<std::size_t> sections_around(std::size_t e) const {
    std::vector<std::size_t> around;
    for (std::size_t a = 0; a < e; ++a) {
      if (!is(a, ActionKind::Acquire) || nodes_[a].action.is_widening || thread(a) != thread(e)) continue;
      bool is_closed = false;
      for (std::size_t r = a; r < e; ++r) {
        const bool ends = is(r, ActionKind::Release) || is(r, ActionKind::Abandon);
        is_closed |= ends && thread(r) == thread(a) && nodes_[r].action.object == nodes_[a].action.object;
      }
      if (!is_closed) around.push_back(a);
    }
    return around;
  }

  bool is_inside(std::size_t e) const { return !sections_around(e).empty(); }

  Relation rule_i() const {
    Relation result(nodes_.size());
    for (std::size_t e = 0; e < nodes_.size(); ++e) {
      if (!is(e, ActionKind::Access)) continue;
      for (const std::size_t a : sections_around(e)) {
        for (std::size_t r = 0; r < a; ++r) {
          if (!is(r, ActionKind::Release) || nodes_[r].action.object != nodes_[a].action.object || !overlap(r, a))
            continue;
          for (std::size_t other = 0; other < r; ++other) {
            if (in_section(other, r) && conflict(other, e)) result.add(r, e);
          }
        }
      }
    }
    return result;
  }

  /// Applies rule (ii) once to the current relation `less`.
  bool rule_ii(Relation& less) const {
    bool grew = false;
    for (std::size_t r2 = 0; r2 < nodes_.size(); ++r2) {
      if (!is(r2, ActionKind::Release)) continue;
      for (std::size_t r1 = 0; r1 < r2; ++r1) {
        if (!is(r1, ActionKind::Release) || nodes_[r1].action.object != nodes_[r2].action.object) continue;
        if (thread(r1) == thread(r2) || less.has(r1, r2) || !sections_overlap(r1, r2)) continue;
        for (std::size_t e1 = 0; e1 < nodes_.size() && !less.has(r1, r2); ++e1) {
          for (std::size_t e2 = 0; e2 < nodes_.size() && in_section(e1, r1); ++e2) {
            if (in_section(e2, r2) && less.has(e1, e2)) less.add(r1, r2);
          }
        }
        grew |= less.has(r1, r2);
      }
    }
    return grew;
  }

  bool sections_overlap(std::size_t r1, std::size_t r2) const {
    const Scope s = nodes_[r1].action.section;
    const Scope t = nodes_[r2].action.section;
    switch (options_.overlap) {
      case Overlap::Mutual: return same_instance(place(r1), place(r2), narrower(s, t));
      case Overlap::Either: return same_instance(place(r1), place(r2), std::max(s, t));
      case Overlap::Exact: return s == t && same_instance(place(r1), place(r2), s);
      case Overlap::All: return true;
    }
    return false;
  }

  Relation precedes(const Relation& shb) const {
    Relation less = rule_i();
    less.unite(forks());
    less.unite(flags(Edges::OfHolders));
    less.unite(barrier_edges(options_.hard_barriers ? Edges::OfHolders : Edges::All));
    for (bool grew = true; grew;) {
      grew = less.unite(compose(shb, less));
      grew |= less.unite(compose(less, shb));
      grew |= rule_ii(less);
    }
    return less;
  }

  const Trace& trace_;
  ClosureOptions options_;
  std::vector<Node> nodes_;
  Relation po_{0};
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> open_;
  std::map<std::uint32_t, std::vector<std::size_t>> marks_;
  std::vector<std::pair<std::size_t, std::size_t>> edges_;
  std::vector<std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> barriers_;
};

}  // namespace

RacePairs races_by_closure(const Trace& trace, const ClosureOptions& options) {
  return Closure(trace, options).races();
}

}  // namespace ambit::detector
