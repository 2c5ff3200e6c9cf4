#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hash.h"

namespace ambit::detector {

/// Hash map from 64-bit keys to small values, with open addressing in one array. Single entries cannot be removed;
/// assigning an empty map removes all entries.
template <typename T>
class FlatMap {
 public:
  /// Returns the value of the key, or null if the key is absent.
  T* find(std::uint64_t key) {
    if (slots_.empty()) return nullptr;
    for (std::size_t at = hash_word(key) & mask();; at = (at + 1) & mask()) {
      if (!slots_[at].is_used) return nullptr;
      if (slots_[at].key == key) return &slots_[at].value;
    }
  }
  /// Returns the value of the key. Inserts a default value if the key is absent. Invalidates pointers to values.
  T& operator[](std::uint64_t key) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    for (std::size_t at = hash_word(key) & mask();; at = (at + 1) & mask()) {
      if (!slots_[at].is_used) {
        slots_[at].is_used = true;
        slots_[at].key = key;
        ++size_;
        return slots_[at].value;
      }
      if (slots_[at].key == key) return slots_[at].value;
    }
  }
  std::size_t size() const { return size_; }
  std::size_t memory() const { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    std::uint64_t key = 0;
    T value{};
    bool is_used = false;
  };
  std::size_t mask() const { return slots_.size() - 1; }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : slots_.size() * 2);
    old.swap(slots_);
    size_ = 0;
    for (Slot& slot : old) {
      if (slot.is_used) (*this)[slot.key] = std::move(slot.value);
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace ambit::detector
