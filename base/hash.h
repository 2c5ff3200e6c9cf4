#pragma once

#include <cstdint>

namespace ambit {

/// Combines the two halves of the product of two words. Each bit of the result depends on all bits of both words. The
/// function is the mixing step of wyhash (Wang Yi, public domain). Returns 0 if a word is 0.
constexpr std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
  __extension__ using Product = unsigned __int128;
  const Product product = static_cast<Product>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

/// Returns the hash of a word, for tables in memory. Do not store hashes in files, because the function may change.
constexpr std::uint64_t hash_word(std::uint64_t word) { return folded_product(word, 0x9e3779b97f4a7c15U); }

/// Returns the hash of a sequence. `word` is the sequence's last word, and `begin` is the hash of the preceding words.
constexpr std::uint64_t combine_hash(std::uint64_t begin, std::uint64_t word) {
  return folded_product(begin ^ 0xa0761d6478bd642fU, word ^ 0x9e3779b97f4a7c15U);
}

}  // namespace ambit
