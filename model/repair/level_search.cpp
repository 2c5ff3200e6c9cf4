#include "model/repair/level_search.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

namespace ambit::repair {
namespace {

class Search {
 public:
  Search(const std::vector<Slot>& slots, const Try& attempt, Context& context, bool highest_is_wanted)
      : slots_(slots), attempt_(attempt), context_(context), highest_is_wanted_(highest_is_wanted) {}

  LevelSearch run(std::size_t most) {
    push(Levels(slots_.size(), 0));
    while (!queue_.empty() && result_.found.size() < most) {
      if (is_over()) break;
      const Levels levels = queue_.top().levels;
      queue_.pop();
      if (is_above_found(levels)) continue;
      visit(levels);
    }
    result_.is_exhausted = queue_.empty();
    if (result_.found.empty() && !result_.is_exhausted) approximate();
    return std::move(result_);
  }

 private:
  struct Node {
    int cost = 0;
    std::size_t changes = 0;
    Levels levels;

    /// Orders nodes first by cost, then by the number of changes, and then by the levels from the first slot on.
    friend bool operator>(const Node& a, const Node& b) {
      return std::tie(a.cost, a.changes, b.levels) > std::tie(b.cost, b.changes, a.levels);
    }
  };

  bool is_over() {
    constexpr std::uint64_t kNode = 1000;  // the time that a node takes, about 0.1 milliseconds
    return context_.should_stop(kNode).has_value();
  }

  void push(Levels levels) {
    if (!seen_.insert(levels).second) return;
    const auto changes = static_cast<std::size_t>(
        std::count_if(levels.begin(), levels.end(), [](std::uint8_t level) { return level > 0; }));
    const int cost = cost_of(slots_, levels);
    queue_.push({cost, changes, std::move(levels)});
  }

  Trial try_levels(const Levels& levels) {
    const auto known = answers_.find(levels);
    if (known != answers_.end()) return known->second;
    const Trial trial = attempt_(levels);
    if (trial != Trial::NoProgram) ++result_.checked;
    if (trial == Trial::Unknown) ++result_.undecided;
    answers_.emplace(levels, trial);
    return trial;
  }

  bool is_above_found(const Levels& levels) const {
    return std::any_of(result_.found.begin(), result_.found.end(), [&](const Levels& found) {
      return std::equal(found.begin(), found.end(), levels.begin(), std::less_equal<>());
    });
  }

  void visit(const Levels& levels) {
    if (const Levels* refuting = refuting_levels(levels)) {
      const Levels unwanted = *refuting;
      return raise(levels, unwanted);
    }
    const Trial trial = try_levels(levels);
    if (trial == Trial::Wanted) {
      if (result_.undecided > 0) result_.is_cheapest = false;
      result_.found.push_back(levels);
    } else if (trial == Trial::Unwanted) {
      const Levels unwanted = grown(levels);
      refuted_.push_back(unwanted);
      raise(levels, unwanted);
    } else {
      raise(levels, levels);
    }
  }

  /// Returns known unwanted levels that prove that `levels` are unwanted; null if no known levels prove it.
  const Levels* refuting_levels(const Levels& levels) const {
    for (const Levels& refuted : refuted_) {
      bool refutes = true;
      for (std::size_t i = 0; i < levels.size() && refutes; ++i) {
        refutes = slots_[i].is_monotone ? levels[i] <= refuted[i] : levels[i] == refuted[i];
      }
      if (refutes) return &refuted;
    }
    return nullptr;
  }

  void raise(const Levels& levels, const Levels& unwanted) {
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (unwanted[i] + 1U >= slots_[i].levels.size()) continue;
      Levels next = levels;
      next[i] = static_cast<std::uint8_t>(unwanted[i] + 1);
      push(std::move(next));
    }
  }

  /// Raises the levels of monotone slots as long as the result is unwanted, and returns the raised levels.
  Levels grown(Levels levels) {
    std::vector<std::size_t> rising;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (slots_[i].is_monotone && levels[i] + 1U < slots_[i].levels.size()) rising.push_back(i);
    }
    grow(levels, rising.data(), rising.size());
    return levels;
  }

  void grow(Levels& levels, const std::size_t* slots, std::size_t count) {
    if (count == 0 || is_over()) return;
    Levels highest = levels;
    for (std::size_t i = 0; i < count; ++i) {
      highest[slots[i]] = static_cast<std::uint8_t>(slots_[slots[i]].levels.size() - 1);
    }
    const Trial trial = try_levels(highest);
    if (trial == Trial::Unwanted) {
      levels = std::move(highest);
    } else if (trial == Trial::Faulty) {
      return;  // halves of these changes are often faulty too, and each answer takes time
    } else if (count > 1) {
      grow(levels, slots, count / 2);
      grow(levels, slots + count / 2, count - count / 2);
    } else {
      climb(levels, *slots);
    }
  }

  void climb(Levels& levels, std::size_t slot) {
    while (levels[slot] + 2U < slots_[slot].levels.size()) {
      Levels next = levels;
      ++next[slot];
      if (try_levels(next) != Trial::Unwanted) return;
      levels = std::move(next);
    }
  }

  /// Starts with the highest levels, and lowers slots while the levels remain wanted. The slots with the largest
  /// savings come first.
  void approximate() {
    result_.is_cheapest = false;
    if (context_.is_cancelled()) return;
    Levels levels(slots_.size(), 0);
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (slots_[i].is_monotone || highest_is_wanted_)
        levels[i] = static_cast<std::uint8_t>(slots_[i].levels.size() - 1);
    }
    if (try_levels(levels) != Trial::Wanted) return;
    std::vector<std::size_t> order(slots_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return slots_[a].levels.back().cost > slots_[b].levels.back().cost;
    });
    for (const std::size_t slot : order) {
      for (std::uint8_t level = 0; level < levels[slot]; ++level) {
        Levels lower = levels;
        lower[slot] = level;
        if (try_levels(lower) != Trial::Wanted) continue;
        levels = std::move(lower);
        break;
      }
    }
    result_.found.push_back(std::move(levels));
  }

  const std::vector<Slot>& slots_;
  const Try& attempt_;
  Context& context_;
  bool highest_is_wanted_;
  std::priority_queue<Node, std::vector<Node>, std::greater<>> queue_;
  std::set<Levels> seen_;
  std::vector<Levels> refuted_;
  std::map<Levels, Trial> answers_;
  LevelSearch result_;
};

}  // namespace

LevelSearch search_levels(const std::vector<Slot>& slots, const Try& attempt, std::size_t most, Context& context,
                          bool highest_is_wanted) {
  return Search(slots, attempt, context, highest_is_wanted).run(most);
}

}  // namespace ambit::repair
