#include "synthesis/enumeration.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace ambit::synthesis {
namespace {

constexpr std::size_t kMaxThreads = 8;
constexpr std::uint8_t kNoName = 255;
using Names = std::array<std::uint8_t, 16>;

/// Returns a numeric code for a statement without its cell. Codes are ordered by kind, access, order, scope and guard.
std::uint32_t code_of(const Act& act) {
  return (static_cast<std::uint32_t>(act.kind) << 16) | (static_cast<std::uint32_t>(act.access) << 13) |
         (static_cast<std::uint32_t>(act.order) << 9) | (static_cast<std::uint32_t>(act.scope) << 5) |
         (act.is_guarded ? 16U : 0U);
}

/// Compares two orders of a program's threads. For each order, the comparison numbers cells and blocks by first use.
class Comparison {
 public:
  explicit Comparison(const std::vector<SkeletonThread>& threads) : threads_(threads) {}

  /// Returns whether `order` makes the program smaller than the current order of its threads.
  bool is_smaller(const std::array<std::uint8_t, kMaxThreads>& order, std::size_t count) {
    Naming mine;
    Naming other;
    for (std::size_t i = 0; i < count; ++i) {
      const SkeletonThread& a = threads_[order[i]];
      const SkeletonThread& b = threads_[i];
      const std::uint32_t place_a = mine.place(a);
      const std::uint32_t place_b = other.place(b);
      if (place_a != place_b) return place_a < place_b;
      const std::size_t common = std::min(a.acts.size(), b.acts.size());
      for (std::size_t k = 0; k < common; ++k) {
        const std::uint32_t code_a = code_of(a.acts[k]) | mine.cell(a.acts[k]);
        const std::uint32_t code_b = code_of(b.acts[k]) | other.cell(b.acts[k]);
        if (code_a != code_b) return code_a < code_b;
      }
      if (a.acts.size() != b.acts.size()) return a.acts.size() < b.acts.size();
    }
    return false;
  }

 private:
  struct Naming {
    Names blocks, variables, locks;
    std::uint8_t next_block = 0, next_variable = 0, next_lock = 0;
    Naming() {
      blocks.fill(kNoName);
      variables.fill(kNoName);
      locks.fill(kNoName);
    }
    static std::uint8_t name(Names& names, std::uint8_t of, std::uint8_t& next) {
      if (names[of] == kNoName) names[of] = next++;
      return names[of];
    }
    std::uint32_t place(const SkeletonThread& thread) {
      return thread.gpu * 16U + name(blocks, thread.block, next_block);
    }
    std::uint32_t cell(const Act& act) {
      if (act.is_access()) return name(variables, act.cell, next_variable);
      return act.is_lock() ? name(locks, act.cell, next_lock) : 0;
    }
  };
  const std::vector<SkeletonThread>& threads_;
};

bool is_smallest(const std::vector<SkeletonThread>& threads) {
  std::array<std::uint8_t, kMaxThreads> order{};
  std::iota(order.begin(), order.end(), std::uint8_t{0});
  Comparison comparison(threads);
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(threads.size());
  while (std::next_permutation(order.begin(), end)) {
    if (comparison.is_smaller(order, threads.size())) return false;
  }
  return true;
}

/// The program under construction: complete threads, and one thread that is being extended.
class Growing {
 public:
  Growing(const Bounds& bounds, const Alphabet& alphabet) : bounds_(bounds), alphabet_(alphabet) { start_thread(0); }

  const Skeleton& skeleton() const { return skeleton_; }

  struct Move {
    bool ends_thread = false;
    std::uint8_t block = 0;  ///< the block of the thread that begins with this move
    Act act = {};
  };

  /// Returns all statements that can come next in the thread. The end of the thread is not among these moves.
  void moves(std::vector<Move>& result) const {
    result.clear();
    if (size_ >= bounds_.events) return;
    const Progress& now = progress_.back();
    for (const Act& act : alphabet_.acts()) {
      if (act.is_guarded && !now.has_read) continue;
      if (act.is_lock()) {
        lock_moves(act, now, result);
      } else if (act.is_access()) {
        const unsigned last = std::min(now.variables, bounds_.variables - 1);
        for (unsigned cell = 0; cell <= last; ++cell) result.push_back({false, 0, with_cell(act, cell)});
      } else if (bounds_.all || !is_idle(act)) {
        result.push_back({false, 0, act});
      }
    }
  }

  bool can_end_thread() const {
    const std::vector<Act>& acts = skeleton_.threads.back().acts;
    if (acts.empty() || progress_.back().held != 0) return false;
    if (!bounds_.all && acts.back().kind == Act::Kind::Fence) return false;
    return is_smallest(skeleton_.threads);
  }
  bool can_start_thread() const { return skeleton_.threads.size() < bounds_.threads && size_ < bounds_.events; }
  unsigned block_choices() const { return std::min(progress_.back().blocks + 1U, bounds_.blocks); }

  void append(const Act& act) {
    Progress next = progress_.back();
    if (act.is_access()) next.variables = std::max<unsigned>(next.variables, act.cell + 1U);
    if (act.is_lock()) {
      next.locks = std::max<unsigned>(next.locks, act.cell + 1U);
      next.held ^= 1U << act.cell;
    }
    next.has_read = next.has_read || act.kind == Act::Kind::Read || act.kind == Act::Kind::Update;
    skeleton_.threads.back().acts.push_back(act);
    progress_.push_back(next);
    ++size_;
  }
  void retract() {
    skeleton_.threads.back().acts.pop_back();
    progress_.pop_back();
    --size_;
  }
  void start_thread(std::uint8_t block) {
    Progress next = progress_.empty() ? Progress{} : progress_.back();
    next.blocks = std::max<unsigned>(next.blocks, block + 1U);
    next.held = 0;
    next.has_read = false;
    skeleton_.threads.push_back({0, block, {}});
    progress_.push_back(next);
  }
  void drop_thread() {
    skeleton_.threads.pop_back();
    progress_.pop_back();
  }

  /// Returns whether for_each_program() visits this program if it gets no further threads.
  bool is_wanted() const { return bounds_.all ? has_equal_barriers(skeleton_) : is_relevant(skeleton_); }

  static bool has_equal_barriers(const Skeleton& skeleton) {
    std::array<int, 256> counts{};
    counts.fill(-1);
    for (const SkeletonThread& thread : skeleton.threads) {
      const auto count = static_cast<int>(std::count_if(thread.acts.begin(), thread.acts.end(),
                                                        [](const Act& act) { return act.kind == Act::Kind::Barrier; }));
      int& known = counts[thread.block];
      if (known >= 0 && known != count) return false;
      known = count;
    }
    return true;
  }

 private:
  struct Progress {
    unsigned variables = 0, locks = 0, blocks = 0;
    unsigned held = 0;  ///< bit l is set if the thread holds lock l
    bool has_read = false;
  };

  static Act with_cell(Act act, unsigned cell) {
    act.cell = static_cast<std::uint8_t>(cell);
    return act;
  }
  /// Returns whether the statement is a fence at the beginning of its thread or next to another fence.
  bool is_idle(const Act& act) const {
    const std::vector<Act>& acts = skeleton_.threads.back().acts;
    return act.kind == Act::Kind::Fence && (acts.empty() || acts.back().kind == Act::Kind::Fence);
  }
  void lock_moves(const Act& act, const Progress& now, std::vector<Move>& result) const {
    const bool takes = act.kind == Act::Kind::Lock;
    for (unsigned cell = 0; cell <= std::min(now.locks, bounds_.locks - 1) && bounds_.locks > 0; ++cell) {
      const bool is_held = (now.held >> cell & 1U) != 0;
      if (takes != is_held) result.push_back({false, 0, with_cell(act, cell)});
    }
  }

  const Bounds& bounds_;
  const Alphabet& alphabet_;
  Skeleton skeleton_;
  std::vector<Progress> progress_;
  std::size_t size_ = 0;
};

class Enumerator {
 public:
  Enumerator(const Bounds& bounds, const Alphabet& alphabet, const std::function<bool(const Skeleton&)>& visit)
      : growing_(bounds, alphabet), visit_(visit), moves_(bounds.events + bounds.threads + 2) {}

  std::uint64_t run() {
    extend(0);
    return visited_;
  }

 private:
  bool extend(std::size_t depth) {
    if (growing_.can_end_thread() && !end_thread(depth)) return false;
    std::vector<Growing::Move>& moves = moves_[depth];
    growing_.moves(moves);
    for (const Growing::Move& move : moves) {
      growing_.append(move.act);
      const bool goes_on = extend(depth + 1);
      growing_.retract();
      if (!goes_on) return false;
    }
    return true;
  }

  bool end_thread(std::size_t depth) {
    if (growing_.is_wanted()) {
      ++visited_;
      if (!visit_(growing_.skeleton())) return false;
    }
    if (!growing_.can_start_thread()) return true;
    for (unsigned block = 0; block < growing_.block_choices(); ++block) {
      growing_.start_thread(static_cast<std::uint8_t>(block));
      const bool goes_on = extend(depth + 1);
      growing_.drop_thread();
      if (!goes_on) return false;
    }
    return true;
  }

  Growing growing_;
  const std::function<bool(const Skeleton&)>& visit_;
  std::vector<std::vector<Growing::Move>> moves_;  ///< the possible moves at each depth of the search
  std::uint64_t visited_ = 0;
};

/// A simple random number generator that gives the same results on every platform (splitmix64; Steele, Lea, Flood,
/// OOPSLA 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::size_t below(std::size_t bound) {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<std::size_t>((z ^ (z >> 31)) % bound);
  }

 private:
  std::uint64_t state_;
};

/// Makes one random descent. The weight of a state on the path is the product of the numbers of choices at all earlier
/// states. Returns the sum of the weights.
double descend(const Bounds& bounds, const Alphabet& alphabet, Random& random) {
  Growing growing(bounds, alphabet);
  std::vector<Growing::Move> moves;
  double states = 0;
  double ways = 1;
  while (true) {
    states += ways;
    growing.moves(moves);
    const bool ends = growing.can_end_thread() && growing.can_start_thread();
    const std::size_t choices = moves.size() + (ends ? growing.block_choices() : 0);
    if (choices == 0) return states;
    ways *= static_cast<double>(choices);
    const std::size_t choice = random.below(choices);
    if (choice < moves.size()) {
      growing.append(moves[choice].act);
    } else {
      growing.start_thread(static_cast<std::uint8_t>(choice - moves.size()));
    }
  }
}

}  // namespace

bool is_relevant(const Skeleton& skeleton) {
  if (!Growing::has_equal_barriers(skeleton)) return false;
  std::array<std::uint8_t, 16> variables{};
  std::array<std::uint8_t, 16> locks{};
  std::array<bool, 16> written{};
  for (std::size_t t = 0; t < skeleton.threads.size(); ++t) {
    const SkeletonThread& thread = skeleton.threads[t];
    const auto bit = static_cast<std::uint8_t>(1U << t);
    for (std::size_t i = 0; i < thread.acts.size(); ++i) {
      const Act& act = thread.acts[i];
      if (act.is_access()) variables[act.cell] |= bit;
      if (act.is_lock()) locks[act.cell] |= bit;
      if (act.kind == Act::Kind::Write || act.kind == Act::Kind::Update) written[act.cell] = true;
      const bool is_fence = act.kind == Act::Kind::Fence;
      const bool is_last = i + 1 == thread.acts.size();
      if (is_fence && (i == 0 || is_last || thread.acts[i + 1].kind == Act::Kind::Fence)) return false;
      if (act.kind != Act::Kind::Barrier) continue;
      const auto in_block =
          std::count_if(skeleton.threads.begin(), skeleton.threads.end(),
                        [&](const SkeletonThread& o) { return o.gpu == thread.gpu && o.block == thread.block; });
      if (in_block < 2) return false;
    }
  }
  const auto is_shared = [](std::uint8_t threads) { return (threads & (threads - 1)) != 0; };
  for (std::size_t cell = 0; cell < 16; ++cell) {
    if (variables[cell] != 0 && (!written[cell] || !is_shared(variables[cell]))) return false;
    if (locks[cell] != 0 && !is_shared(locks[cell])) return false;
  }
  return !skeleton.threads.empty();
}

Skeleton canonical(const Skeleton& skeleton) {
  std::array<std::uint8_t, kMaxThreads> order{};
  std::iota(order.begin(), order.end(), std::uint8_t{0});
  std::vector<SkeletonThread> best = skeleton.threads;
  std::vector<std::size_t> permutation(skeleton.threads.size());
  std::iota(permutation.begin(), permutation.end(), std::size_t{0});
  do {
    std::vector<SkeletonThread> threads;
    for (const std::size_t t : permutation) threads.push_back(skeleton.threads[t]);
    std::vector<SkeletonThread> both = threads;  // two orders of the same threads, for comparison
    std::array<std::uint8_t, kMaxThreads> to_best{};
    for (std::size_t i = 0; i < threads.size(); ++i) {
      const auto found = std::find(best.begin(), best.end(), threads[i]);
      to_best[i] = static_cast<std::uint8_t>(found - best.begin());
    }
    if (Comparison(best).is_smaller(to_best, threads.size())) best = std::move(both);
  } while (std::next_permutation(permutation.begin(), permutation.end()));
  std::array<std::uint8_t, 256> blocks{};
  std::array<std::uint8_t, 256> variables{};
  std::array<std::uint8_t, 256> locks{};
  std::uint8_t next_block = 1;
  std::uint8_t next_variable = 1;
  std::uint8_t next_lock = 1;
  const auto rename = [](std::array<std::uint8_t, 256>& names, std::uint8_t& name, std::uint8_t& next) {
    if (names[name] == 0) names[name] = next++;
    name = static_cast<std::uint8_t>(names[name] - 1);
  };
  for (SkeletonThread& thread : best) {
    rename(blocks, thread.block, next_block);
    for (Act& act : thread.acts) {
      if (act.is_access()) rename(variables, act.cell, next_variable);
      if (act.is_lock()) rename(locks, act.cell, next_lock);
    }
  }
  return {std::move(best)};
}

std::uint64_t for_each_program(const Bounds& bounds, const Alphabet& alphabet,
                               const std::function<bool(const Skeleton&)>& visit) {
  return Enumerator(bounds, alphabet, visit).run();
}

double estimated_states(const Bounds& bounds, const Alphabet& alphabet, int descents) {
  Random random(1);
  double sum = 0;
  for (int i = 0; i < descents; ++i) sum += descend(bounds, alphabet, random);
  return sum / descents;
}

std::optional<Skeleton> random_program(const Bounds& bounds, const Alphabet& alphabet, std::uint64_t seed) {
  constexpr int kAttempts = 5000;
  Random random(seed * 1'000'003U + 17);
  std::vector<Growing::Move> moves;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Growing growing(bounds, alphabet);
    const std::size_t length = 1 + bounds.events / std::max(1U, bounds.threads);
    while (true) {
      growing.moves(moves);
      const bool can_end = !growing.skeleton().threads.back().acts.empty() && growing.can_start_thread();
      const bool ends = can_end && growing.skeleton().threads.back().acts.size() >= length;
      if (moves.empty() && !can_end) break;
      if (moves.empty() || ends || (can_end && random.below(4) == 0)) {
        growing.start_thread(static_cast<std::uint8_t>(random.below(growing.block_choices())));
      } else {
        growing.append(moves[random.below(moves.size())].act);
      }
    }
    const Skeleton& made = growing.skeleton();
    const bool is_open = std::any_of(made.threads.begin(), made.threads.end(), [](const SkeletonThread& thread) {
      int held = 0;
      for (const Act& act : thread.acts)
        held += act.kind == Act::Kind::Lock ? 1 : act.kind == Act::Kind::Unlock ? -1 : 0;
      return held != 0 || thread.acts.empty();
    });
    if (!is_open && growing.is_wanted()) return canonical(made);
  }
  return std::nullopt;
}

}  // namespace ambit::synthesis
