#include "model/smt/acyclicity.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "model/events/relation.h"

namespace ambit::smt {
namespace {

/// If elimination needs at most this number of clauses, it is used regardless of the size of the alternative.
constexpr std::size_t kMaxEliminationClauses = 50000;

/// Tarjan's algorithm without recursion.
class ComponentFinder {
 public:
  ComponentFinder(std::size_t nodes, const std::vector<Edge>& edges)
      : first_(nodes + 1, 0), targets_(edges.size()), index_(nodes, 0), low_(nodes, 0), on_stack_(nodes, false) {
    for (const Edge& e : edges) ++first_[e.from + 1];
    for (std::size_t i = 1; i <= nodes; ++i) first_[i] += first_[i - 1];
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (const Edge& e : edges) targets_[next[e.from]++] = e.to;
    result_.of.assign(nodes, 0);
    for (std::uint32_t v = 0; v < nodes; ++v) {
      if (index_[v] == 0) visit(v);
    }
    for (const Edge& e : edges) {
      if (e.from == e.to) result_.cyclic[result_.of[e.from]] = true;
    }
  }
  Components take() { return std::move(result_); }

 private:
  struct Frame {
    std::uint32_t node;
    std::size_t next;
  };

  void enter(std::uint32_t v) {
    index_[v] = low_[v] = ++counter_;
    stack_.push_back(v);
    on_stack_[v] = true;
    frames_.push_back({v, first_[v]});
  }

  void visit(std::uint32_t root) {
    enter(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const std::uint32_t v = frame.node;
      if (frame.next < first_[v + 1]) {
        const std::uint32_t w = targets_[frame.next++];
        if (index_[w] == 0) {
          enter(w);
        } else if (on_stack_[w]) {
          low_[v] = std::min(low_[v], index_[w]);
        }
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) low_[frames_.back().node] = std::min(low_[frames_.back().node], low_[v]);
      if (low_[v] == index_[v]) close(v);
    }
  }

  void close(std::uint32_t root) {
    const auto component = static_cast<std::uint32_t>(result_.cyclic.size());
    std::size_t members = 0;
    for (bool done = false; !done; ++members) {
      const std::uint32_t v = stack_.back();
      stack_.pop_back();
      on_stack_[v] = false;
      result_.of[v] = component;
      done = v == root;
    }
    result_.cyclic.push_back(members > 1);
  }

  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> targets_;
  std::vector<std::uint32_t> index_;
  std::vector<std::uint32_t> low_;
  std::vector<bool> on_stack_;
  std::vector<std::uint32_t> stack_;
  std::vector<Frame> frames_;
  std::uint32_t counter_ = 0;
  Components result_;
};

/// One component, with nodes that are renumbered from 0.
class Elimination {
 public:
  Elimination(Literals& literals, std::size_t nodes)
      : literals_(literals), size_(nodes), slots_(nodes * nodes, 0), out_(nodes), in_(nodes), gone_(nodes, false) {}

  void add(std::uint32_t from, std::uint32_t to, Lit literal) {
    if (literal == kFalse) return;
    if (from == to) {
      literals_.require({-literal});
      return;
    }
    std::uint32_t& slot = slots_[from * size_ + to];
    if (slot == 0) {
      contributions_.emplace_back();
      slot = static_cast<std::uint32_t>(contributions_.size());
      out_[from].push_back(to);
      in_[to].push_back(from);
    }
    contributions_[slot - 1].push_back(literal);
  }

  void run(AcyclicityEncoding encoding) {
    const bool automatic = encoding == AcyclicityEncoding::Smaller;
    if (encoding == AcyclicityEncoding::Ranks || (automatic && is_too_large())) {
      require_ranks();
      return;
    }
    for (std::size_t i = 0; i < size_; ++i) eliminate(cheapest());
  }

 private:
  std::uint32_t cheapest() const {
    std::uint32_t best = 0;
    std::size_t best_cost = std::numeric_limits<std::size_t>::max();
    for (std::uint32_t v = 0; v < size_; ++v) {
      if (gone_[v]) continue;
      const std::size_t cost = in_[v].size() * out_[v].size();
      if (cost < best_cost) {
        best_cost = cost;
        best = v;
      }
    }
    return best;
  }

  std::size_t rank_bits() const { return static_cast<std::size_t>(std::bit_width(size_ - 1)); }

  /// Simulates the elimination without creating clauses. Returns whether the elimination would create too many clauses.
  bool is_too_large() const {
    const std::size_t limit = std::max(kMaxEliminationClauses, 4 * contributions_.size() * rank_bits());
    if (size_ * size_ * size_ < limit) return false;
    events::Relation out(size_);
    for (std::uint32_t u = 0; u < size_; ++u) {
      for (const std::uint32_t w : out_[u]) out.insert(u, w);
    }
    events::Relation in = events::inverse(out);
    std::size_t clauses = 0;
    std::vector<bool> gone(size_, false);
    for (std::size_t i = 0; i < size_ && clauses <= limit; ++i) {
      literals_.context().poll(size_ * out.stride() / 20);
      clauses += play_elimination(out, in, gone);
    }
    return clauses > limit;
  }

  static std::size_t degree(const events::Relation& edges, std::uint32_t v) {
    std::size_t result = 0;
    for (std::size_t w = 0; w < edges.stride(); ++w) {
      result += static_cast<std::size_t>(std::popcount(edges.row(v)[w]));
    }
    return result;
  }

  /// Removes the cheapest node from the graph. Returns the number of clauses that the removal would create.
  std::size_t play_elimination(events::Relation& out, events::Relation& in, std::vector<bool>& gone) const {
    std::uint32_t best = 0;
    std::size_t cost = std::numeric_limits<std::size_t>::max();
    for (std::uint32_t v = 0; v < size_; ++v) {
      if (gone[v]) continue;
      if (const std::size_t c = degree(out, v) * degree(in, v); c < cost) {
        cost = c;
        best = v;
      }
    }
    gone[best] = true;
    for (std::uint32_t u = 0; u < size_; ++u) {
      if (in.contains(best, u)) {
        for (std::size_t w = 0; w < out.stride(); ++w) out.row(u)[w] |= out.row(best)[w];
        out.erase(u, best);
        out.erase(u, u);
      }
      if (out.contains(best, u)) {
        for (std::size_t w = 0; w < in.stride(); ++w) in.row(u)[w] |= in.row(best)[w];
        in.erase(u, best);
        in.erase(u, u);
      }
    }
    return cost;
  }

  void require_ranks() {
    std::vector<std::vector<Lit>> ranks(size_);
    for (auto& rank : ranks) {
      for (std::size_t bit = 0; bit < rank_bits(); ++bit) rank.push_back(literals_.fresh());
    }
    for (std::uint32_t u = 0; u < size_; ++u) {
      for (const std::uint32_t w : out_[u]) {
        Lit less = kFalse;
        for (std::size_t bit = 0; bit < rank_bits(); ++bit) {
          const Lit low = ranks[u][bit];
          const Lit high = ranks[w][bit];
          less = literals_.all_of(
              {literals_.any_of({-low, high}), literals_.any_of({literals_.all_of({-low, high}), less})});
        }
        literals_.require({-settled(u, w), less});
      }
    }
  }

  /// Returns the edge's literal. Must be called during the removal of one end of the edge, when all contributions to
  /// the edge are known.
  Lit settled(std::uint32_t from, std::uint32_t to) {
    std::vector<Lit>& parts = contributions_[slots_[from * size_ + to] - 1];
    if (parts.size() > 1) parts = {literals_.any_of(parts)};
    return parts.front();
  }

  void eliminate(std::uint32_t v) {
    literals_.context().poll(size_ / 20);
    gone_[v] = true;
    std::vector<std::pair<std::uint32_t, Lit>> before;
    std::vector<std::pair<std::uint32_t, Lit>> after;
    for (const std::uint32_t u : in_[v]) before.emplace_back(u, settled(u, v));
    for (const std::uint32_t w : out_[v]) after.emplace_back(w, settled(v, w));
    for (const std::uint32_t u : in_[v]) std::erase(out_[u], v);
    for (const std::uint32_t w : out_[v]) std::erase(in_[w], v);
    for (const auto& [u, first] : before) {
      for (const auto& [w, second] : after) {
        if (u == w) {
          literals_.require({-first, -second});
        } else if (!is_constant(u, w)) {
          add(u, w, literals_.all_of({first, second}));
        }
      }
    }
  }

  bool is_constant(std::uint32_t from, std::uint32_t to) const {
    const std::uint32_t slot = slots_[from * size_ + to];
    return slot != 0 && contributions_[slot - 1].back() == kTrue;
  }

  Literals& literals_;
  std::size_t size_;
  /// slots_[from * size_ + to] is 1 + an index into contributions_, or 0 without an edge.
  std::vector<std::uint32_t> slots_;
  std::vector<std::vector<Lit>> contributions_;
  std::vector<std::vector<std::uint32_t>> out_;
  std::vector<std::vector<std::uint32_t>> in_;
  std::vector<bool> gone_;
};

}  // namespace

Components strong_components(std::size_t nodes, const std::vector<Edge>& edges) {
  return ComponentFinder(nodes, edges).take();
}

void require_acyclic(Literals& literals, std::size_t nodes, const std::vector<Edge>& edges,
                     AcyclicityEncoding encoding) {
  const Components components = strong_components(nodes, edges);
  std::vector<std::uint32_t> number(nodes, 0);
  std::vector<std::uint32_t> sizes(components.cyclic.size(), 0);
  for (std::size_t v = 0; v < nodes; ++v) number[v] = sizes[components.of[v]]++;
  std::vector<std::vector<const Edge*>> inside(components.cyclic.size());
  for (const Edge& e : edges) {
    if (components.of[e.from] == components.of[e.to]) inside[components.of[e.from]].push_back(&e);
  }
  for (std::size_t c = 0; c < inside.size(); ++c) {
    if (!components.cyclic[c]) continue;
    Elimination elimination(literals, sizes[c]);
    for (const Edge* e : inside[c]) elimination.add(number[e->from], number[e->to], e->literal);
    elimination.run(encoding);
  }
}

}  // namespace ambit::smt
