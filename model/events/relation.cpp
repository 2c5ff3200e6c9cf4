#include "model/events/relation.h"

#include <algorithm>
#include <numeric>

namespace ambit::events {
namespace {

std::size_t count_bits(const std::uint64_t* words, std::size_t n) {
  return std::accumulate(words, words + n, std::size_t{0}, [](std::size_t sum, std::uint64_t w) {
    return sum + static_cast<std::size_t>(std::popcount(w));
  });
}

bool all_zero(const std::uint64_t* words, std::size_t n) {
  return std::all_of(words, words + n, [](std::uint64_t w) { return w == 0; });
}

}  // namespace

void EventSet::fill() {
  std::fill(words_.begin(), words_.end(), ~std::uint64_t{0});
  if (size_ % 64 != 0) words_.back() = (std::uint64_t{1} << (size_ % 64)) - 1;
}

bool EventSet::empty() const { return all_zero(words_.data(), words_.size()); }
std::size_t EventSet::count() const { return count_bits(words_.data(), words_.size()); }

EventSet& EventSet::operator|=(const EventSet& other) {
  AMBIT_ASSERT(size_ == other.size_);
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  return *this;
}
EventSet& EventSet::operator&=(const EventSet& other) {
  AMBIT_ASSERT(size_ == other.size_);
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  return *this;
}
EventSet& EventSet::operator-=(const EventSet& other) {
  AMBIT_ASSERT(size_ == other.size_);
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  return *this;
}

void Relation::clear() { std::fill(words_.begin(), words_.end(), 0); }
bool Relation::empty() const { return all_zero(words_.data(), words_.size()); }
std::size_t Relation::count() const { return count_bits(words_.data(), words_.size()); }

Relation& Relation::operator|=(const Relation& other) {
  AMBIT_ASSERT(size_ == other.size_);
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  return *this;
}
Relation& Relation::operator&=(const Relation& other) {
  AMBIT_ASSERT(size_ == other.size_);
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  return *this;
}
Relation& Relation::operator-=(const Relation& other) {
  AMBIT_ASSERT(size_ == other.size_);
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  return *this;
}

Relation compose(const Relation& a, const Relation& b) {
  AMBIT_ASSERT(a.size() == b.size());
  Relation result(a.size());
  const std::size_t stride = a.stride();
  a.for_each([&](EventId x, EventId y) {
    std::uint64_t* out = result.row(x);
    const std::uint64_t* in = b.row(y);
    for (std::size_t w = 0; w < stride; ++w) out[w] |= in[w];
  });
  return result;
}

Relation inverse(const Relation& a) {
  Relation result(a.size());
  a.for_each([&](EventId x, EventId y) { result.insert(y, x); });
  return result;
}

Relation transitive_closure(Relation a) {
  const std::size_t stride = a.stride();
  for (EventId k = 0; k < a.size(); ++k) {
    const std::uint64_t* middle = a.row(k);
    for (EventId i = 0; i < a.size(); ++i) {
      if (i == k || !a.contains(i, k)) continue;
      std::uint64_t* out = a.row(i);
      for (std::size_t w = 0; w < stride; ++w) out[w] |= middle[w];
    }
  }
  return a;
}

Relation identity(const EventSet& set) {
  Relation result(set.size());
  set.for_each([&](EventId e) { result.insert(e, e); });
  return result;
}

Relation product(const EventSet& a, const EventSet& b) {
  AMBIT_ASSERT(a.size() == b.size());
  Relation result(a.size());
  a.for_each([&](EventId e) { std::copy(b.words(), b.words() + b.word_count(), result.row(e)); });
  return result;
}

EventSet domain(const Relation& a) {
  EventSet result(a.size());
  for (EventId e = 0; e < a.size(); ++e) {
    if (!all_zero(a.row(e), a.stride())) result.insert(e);
  }
  return result;
}

EventSet range(const Relation& a) {
  EventSet result(a.size());
  for (EventId e = 0; e < a.size(); ++e) {
    for (std::size_t w = 0; w < a.stride(); ++w) result.words()[w] |= a.row(e)[w];
  }
  return result;
}

bool is_irreflexive(const Relation& a) {
  for (EventId e = 0; e < a.size(); ++e) {
    if (a.contains(e, e)) return false;
  }
  return true;
}

bool is_acyclic(const Relation& a) {
  // Repeatedly remove the events that have no successor among the remaining events. The remaining events
  // contain a cycle.
  EventSet rest(a.size());
  rest.fill();
  bool changed = true;
  while (changed) {
    changed = false;
    rest.for_each([&](EventId e) {
      const std::uint64_t* bits = a.row(e);
      for (std::size_t w = 0; w < a.stride(); ++w) {
        if ((bits[w] & rest.words()[w]) != 0) return;
      }
      rest.erase(e);
      changed = true;
    });
  }
  return rest.empty();
}

std::vector<EventId> find_cycle(const Relation& a) {
  std::vector<EventId> best;
  if (is_acyclic(a)) return best;  // this is the usual case, and the test is much cheaper than the search
  for (EventId start = 0; start < a.size(); ++start) {
    std::vector<EventId> parent(a.size(), kNoEvent);
    std::vector<EventId> queue = {start};
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const EventId at = queue[head];
      if (a.contains(at, start)) {
        std::vector<EventId> cycle;
        for (EventId e = at; e != start; e = parent[e]) cycle.push_back(e);
        cycle.push_back(start);
        std::reverse(cycle.begin(), cycle.end());
        if (best.empty() || cycle.size() < best.size()) best = std::move(cycle);
        break;
      }
      for (EventId next = 0; next < a.size(); ++next) {
        if (next != start && parent[next] == kNoEvent && a.contains(at, next)) {
          parent[next] = at;
          queue.push_back(next);
        }
      }
    }
  }
  return best;
}

}  // namespace ambit::events
