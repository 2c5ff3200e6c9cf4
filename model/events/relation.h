#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/assert.h"

namespace ambit::events {

using EventId = std::uint32_t;
inline constexpr EventId kNoEvent = 0xffffffffU;

/// A set of events from a universe of `size()` events, stored as bits.
class EventSet {
 public:
  EventSet() = default;
  explicit EventSet(std::size_t size) : size_(size), words_((size + 63) / 64, 0) {}

  std::size_t size() const { return size_; }
  std::size_t word_count() const { return words_.size(); }
  std::uint64_t* words() { return words_.data(); }
  const std::uint64_t* words() const { return words_.data(); }

  bool contains(EventId e) const { return ((words_[e / 64] >> (e % 64)) & 1U) != 0; }
  void insert(EventId e) { words_[e / 64] |= std::uint64_t{1} << (e % 64); }
  void erase(EventId e) { words_[e / 64] &= ~(std::uint64_t{1} << (e % 64)); }
  void fill();
  bool empty() const;
  std::size_t count() const;

  EventSet& operator|=(const EventSet& other);
  EventSet& operator&=(const EventSet& other);
  EventSet& operator-=(const EventSet& other);
  friend bool operator==(const EventSet&, const EventSet&) = default;

  template <typename Function>
  void for_each(Function&& function) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t rest = words_[w]; rest != 0; rest &= rest - 1) {
        function(static_cast<EventId>(w * 64 + static_cast<std::size_t>(std::countr_zero(rest))));
      }
    }
  }

 private:
  std::size_t size_ = 0;
  std::vector<std::uint64_t> words_;
};

/// A binary relation over `size()` events, stored as a bit matrix in one allocation. Row a contains the events b for
/// which (a, b) is in the relation.
class Relation {
 public:
  Relation() = default;
  explicit Relation(std::size_t size) : size_(size), stride_((size + 63) / 64), words_(size * stride_, 0) {}

  std::size_t size() const { return size_; }
  std::size_t stride() const { return stride_; }  ///< number of words in a row
  std::uint64_t* row(EventId e) { return words_.data() + e * stride_; }
  const std::uint64_t* row(EventId e) const { return words_.data() + e * stride_; }
  std::uint64_t* words() { return words_.data(); }
  const std::uint64_t* words() const { return words_.data(); }
  std::size_t word_count() const { return words_.size(); }

  bool contains(EventId a, EventId b) const { return ((row(a)[b / 64] >> (b % 64)) & 1U) != 0; }
  void insert(EventId a, EventId b) { row(a)[b / 64] |= std::uint64_t{1} << (b % 64); }
  void erase(EventId a, EventId b) { row(a)[b / 64] &= ~(std::uint64_t{1} << (b % 64)); }
  void clear();
  bool empty() const;
  std::size_t count() const;

  Relation& operator|=(const Relation& other);
  Relation& operator&=(const Relation& other);
  Relation& operator-=(const Relation& other);
  friend bool operator==(const Relation&, const Relation&) = default;

  /// Calls function(a, b) for each pair, by increasing a, then increasing b.
  template <typename Function>
  void for_each(Function&& function) const {
    for (EventId a = 0; a < size_; ++a) {
      const std::uint64_t* bits = row(a);
      for (std::size_t w = 0; w < stride_; ++w) {
        for (std::uint64_t rest = bits[w]; rest != 0; rest &= rest - 1) {
          function(a, static_cast<EventId>(w * 64 + static_cast<std::size_t>(std::countr_zero(rest))));
        }
      }
    }
  }

 private:
  std::size_t size_ = 0;
  std::size_t stride_ = 0;
  std::vector<std::uint64_t> words_;
};

/// Returns a ; b.
Relation compose(const Relation& a, const Relation& b);
Relation inverse(const Relation& a);
/// Returns the transitive closure a+ (Warshall's algorithm on rows).
Relation transitive_closure(Relation a);
/// Returns { (e, e) | e in set }.
Relation identity(const EventSet& set);
/// Returns a * b.
Relation product(const EventSet& a, const EventSet& b);
EventSet domain(const Relation& a);
EventSet range(const Relation& a);
bool is_irreflexive(const Relation& a);
/// Returns whether the relation has no cycle. A depth-first search is cheaper than a closure.
bool is_acyclic(const Relation& a);
/// Returns the events e1, e2, ... of a shortest cycle e1 -> e2 -> ... -> e1, without the second e1. Returns nothing if
/// the relation is acyclic.
std::vector<EventId> find_cycle(const Relation& a);

}  // namespace ambit::events
