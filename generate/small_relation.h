#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace ambit::generate {

inline constexpr std::size_t kMaxEvents = 32;
/// A set of events. Bit e is set if event e is a member.
using Set = std::uint32_t;

constexpr Set single(std::size_t event) { return Set{1} << event; }
constexpr bool contains(Set set, std::size_t event) { return (set >> event & 1U) != 0; }

/// A binary relation over at most kMaxEvents events, as a matrix of bits. The class does not use
/// model/events/relation.h, because the oracle must share no code with the engines.
struct Relation {
  std::array<Set, kMaxEvents> row{};

  void add(std::size_t from, std::size_t to) { row[from] |= single(to); }
  bool has(std::size_t from, std::size_t to) const { return contains(row[from], to); }

  bool empty() const {
    for (Set r : row) {
      if (r != 0) return false;
    }
    return true;
  }
  bool irreflexive() const {
    for (std::size_t e = 0; e < kMaxEvents; ++e) {
      if (has(e, e)) return false;
    }
    return true;
  }
  Relation inverse() const {
    Relation result;
    for (std::size_t e = 0; e < kMaxEvents; ++e) {
      for (Set rest = row[e]; rest != 0; rest &= rest - 1)
        result.add(static_cast<std::size_t>(std::countr_zero(rest)), e);
    }
    return result;
  }
  /// Returns the transitive closure (Warshall's algorithm).
  Relation plus() const {
    Relation result = *this;
    for (std::size_t k = 0; k < kMaxEvents; ++k) {
      for (Set& r : result.row) {
        if (contains(r, k)) r |= result.row[k];
      }
    }
    return result;
  }
  bool acyclic() const { return plus().irreflexive(); }
  /// Returns the pairs that start in `from` and end in `to`.
  Relation between(Set from, Set to) const {
    Relation result;
    for (std::size_t e = 0; e < kMaxEvents; ++e) {
      if (contains(from, e)) result.row[e] = row[e] & to;
    }
    return result;
  }
  bool subset_of(const Relation& other) const {
    for (std::size_t e = 0; e < kMaxEvents; ++e) {
      if ((row[e] & ~other.row[e]) != 0) return false;
    }
    return true;
  }
};

inline Relation identity(Set set) {
  Relation result;
  for (std::size_t e = 0; e < kMaxEvents; ++e) {
    if (contains(set, e)) result.add(e, e);
  }
  return result;
}

template <typename Operation>
Relation combine(const Relation& a, const Relation& b, Operation operation) {
  Relation result;
  for (std::size_t e = 0; e < kMaxEvents; ++e) result.row[e] = operation(a.row[e], b.row[e]);
  return result;
}
inline Relation operator|(const Relation& a, const Relation& b) {
  return combine(a, b, [](Set x, Set y) { return x | y; });
}
inline Relation operator&(const Relation& a, const Relation& b) {
  return combine(a, b, [](Set x, Set y) { return x & y; });
}
inline Relation operator-(const Relation& a, const Relation& b) {
  return combine(a, b, [](Set x, Set y) { return x & ~y; });
}
/// Returns a ; b.
inline Relation operator*(const Relation& a, const Relation& b) {
  Relation result;
  for (std::size_t e = 0; e < kMaxEvents; ++e) {
    for (Set rest = a.row[e]; rest != 0; rest &= rest - 1) {
      result.row[e] |= b.row[static_cast<std::size_t>(std::countr_zero(rest))];
    }
  }
  return result;
}

}  // namespace ambit::generate
