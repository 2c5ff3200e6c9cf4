#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "parser/ptx/test_tree.h"
#include "ptx/modifier.h"

namespace ambit::parser::ptx {

template <typename Enum, std::size_t N>
using NameTable = std::array<std::pair<std::string_view, Enum>, N>;

template <typename Enum, std::size_t N>
std::optional<Enum> find_name(const NameTable<Enum, N>& table, std::string_view name) {
  const auto* found = std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.first == name; });
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

template <typename Enum, std::size_t N>
std::vector<std::string_view> names_of(const NameTable<Enum, N>& table) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : table) names.push_back(name);
  return names;
}

/// The operations of atom and red.
inline constexpr NameTable<RmwOp, 11> kRmwOps = {{{"add", RmwOp::Add},
                                                  {"sub", RmwOp::Subtract},
                                                  {"exch", RmwOp::Exchange},
                                                  {"min", RmwOp::Min},
                                                  {"max", RmwOp::Max},
                                                  {"inc", RmwOp::IncrementWrap},
                                                  {"dec", RmwOp::DecrementWrap},
                                                  {"and", RmwOp::And},
                                                  {"or", RmwOp::Or},
                                                  {"xor", RmwOp::Xor},
                                                  {"cas", RmwOp::CompareExchange}}};

inline constexpr NameTable<Scope, 4> kScopes = {{{to_string(ambit::ptx::Modifier::Cta), Scope::Block},
                                                 {to_string(ambit::ptx::Modifier::Cluster), Scope::Cluster},
                                                 {to_string(ambit::ptx::Modifier::Gpu), Scope::Device},
                                                 {to_string(ambit::ptx::Modifier::Sys), Scope::System}}};

/// Reads the modifiers of an opcode from left to right. For hints, stores the words that are possible at the current
/// modifier.
class Modifiers {
 public:
  /// `opcode` contains the parts of an opcode. The first part is the instruction's name.
  explicit Modifiers(const std::vector<Word>& opcode) : opcode_(opcode) {}

  bool more() const { return at_ < opcode_.size(); }
  const Word& current() const { return opcode_[at_]; }
  const Word& current_or_last() const { return opcode_[std::min(at_, opcode_.size() - 1)]; }
  void step() {
    ++at_;
    tables_ = 0;
  }

  bool take_word(std::string_view word) {
    if (!more()) return false;
    if (current().text == word) {
      step();
      return true;
    }
    if (tables_ < tried_.size())
      tried_[tables_++] = {[](const void*) { return std::vector<std::string_view>{}; }, nullptr, word};
    return false;
  }
  template <typename Enum, std::size_t N>
  std::optional<Enum> take(const NameTable<Enum, N>& table) {
    if (!more()) return std::nullopt;
    const std::optional<Enum> found = find_name(table, current().text);
    if (found) {
      step();
    } else if (tables_ < tried_.size()) {
      tried_[tables_++] = {
          [](const void* names) { return names_of(*static_cast<const NameTable<Enum, N>*>(names)); }, &table, {}};
    }
    return found;
  }

  /// Returns the words that are possible at the current modifier.
  std::vector<std::string_view> tried() const {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < tables_; ++i) {
      const std::vector<std::string_view> more = tried_[i].names(tried_[i].table);
      names.insert(names.end(), more.begin(), more.end());
      if (!tried_[i].word.empty()) names.push_back(tried_[i].word);
    }
    return names;
  }

 private:
  struct Tried {
    std::vector<std::string_view> (*names)(const void*) = nullptr;
    const void* table = nullptr;
    std::string_view word;
  };

  const std::vector<Word>& opcode_;
  std::size_t at_ = 1;
  std::array<Tried, 8> tried_;
  std::size_t tables_ = 0;
};

}  // namespace ambit::parser::ptx
