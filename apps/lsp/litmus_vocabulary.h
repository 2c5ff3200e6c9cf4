#pragma once

#include <span>
#include <string_view>

namespace ambit::lsp {

/// A word of the litmus language with what it means, for hovers and completion (docs/language.md).
struct Word {
  std::string_view name;
  std::string_view snippet;  ///< what completion inserts; empty: the name
  std::string_view meaning;
};
std::span<const Word> words();

/// The words between `expect MODEL :` and the end of the line.
std::span<const Word> expectation_words();
/// The words behind `expect MODEL`.
std::span<const Word> expectation_heads();
/// The words behind `expect MODEL under`.
std::span<const Word> schedulers();
/// The words between `expect MODEL under SCHEDULER :` and the end of the line.
std::span<const Word> termination_words();

}  // namespace ambit::lsp
