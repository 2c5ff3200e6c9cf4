#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ambit {

/// The kind of a word of the litmus language, for syntax highlighting.
enum class WordKind : std::uint8_t {
  Keyword,
  Type,      ///< types, qualifiers and memory spaces
  Argument,  ///< memory orders, scopes, levels of the scope tree, schedulers
  Answer,    ///< a verdict that an expectation names
  Function,
};

/// A word of the litmus language (docs/reference/language.md), for highlighting, hovers and completion.
struct LitmusWord {
  std::string_view name;
  WordKind kind = WordKind::Keyword;
  std::string_view snippet;  ///< the text that completion inserts; if empty, the name
  std::string_view meaning;  ///< the text of a hover; empty if the word is only highlighted
};

/// Returns the words of a test's body, with their meanings.
std::span<const LitmusWord> body_words();
/// Returns the words between `expect MODEL :` and the end of the line.
std::span<const LitmusWord> expectation_words();
/// Returns the words after `expect MODEL`.
std::span<const LitmusWord> expectation_heads();
/// Returns the words after `expect MODEL under`.
std::span<const LitmusWord> scheduler_words();
/// Returns the words between `expect MODEL under SCHEDULER :` and the end of the line.
std::span<const LitmusWord> termination_words();

/// Returns the kind of `word`; nothing if the language does not have the word.
std::optional<WordKind> word_kind(std::string_view word);

}  // namespace ambit
