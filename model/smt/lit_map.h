#pragma once

#include <cstdint>
#include <vector>

#include "base/hash.h"
#include "model/smt/formula.h"

namespace ambit::smt {

/// Maps 64-bit keys to literals, by open addressing. The encoder uses this map as a cache.
class LitMap {
 public:
  LitMap() : slots_(256) {}

  /// Returns the literal of `key`; 0 if the map does not have the key.
  Lit find(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash_word(key) & mask; slots_[i].literal != 0; i = (i + 1) & mask) {
      if (slots_[i].key == key) return slots_[i].literal;
    }
    return 0;
  }

  /// Inserts a literal. `key` must be new, and `literal` must not be 0.
  void insert(std::uint64_t key, Lit literal) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    place(key, literal);
    ++count_;
  }

  void clear() {
    slots_.assign(256, Slot{});
    count_ = 0;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    Lit literal = 0;
  };

  void place(std::uint64_t key, Lit literal) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = hash_word(key) & mask;
    while (slots_[i].literal != 0) i = (i + 1) & mask;
    slots_[i] = {key, literal};
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.literal != 0) place(slot.key, slot.literal);
    }
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace ambit::smt
