#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/assert.h"

namespace ambit {

/// A text with its name. All objects that point into the text share this object.
struct SourceFile {
  std::string path;  ///< the path that the user gave; "<name>" for text that does not come from a file
  std::string text;

  /// Returns line `line` (1-based) without its newline; empty if the file has fewer lines.
  std::string_view line(std::uint32_t line) const;
};
using SourceFilePtr = std::shared_ptr<const SourceFile>;

/// A part of one line. Line and column start at 1. The length is in characters; 0 if the place is unknown.
struct SourceSpan {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t length = 0;

  friend bool operator==(const SourceSpan&, const SourceSpan&) = default;
};

/// Note marks a remark: how Ambit interprets an input that the user may mean differently.
enum class Severity : std::uint8_t { Error, Note };

/// An error in the user's input, or a remark. An error says what was expected and how to fix the input.
struct Diagnostic {
  SourceFilePtr file;
  SourceSpan span;
  std::string message;
  std::string hint;  ///< may be empty
  Severity severity = Severity::Error;

  /// Returns `file:line:col: error: message`, the line, a caret line, and `hint: ...`, with a newline at the end. A
  /// remark has the word `note` in place of `error`.
  std::string render() const;
};
using Diagnostics = std::vector<Diagnostic>;

/// Returns an error without a place in a file.
inline Diagnostic error_without_place(std::string message, std::string hint = {}) {
  return {nullptr, {}, std::move(message), std::move(hint)};
}

/// The maximum number of errors that one run shows (language.md).
inline constexpr std::size_t kMaxDiagnostics = 20;

/// Returns at most kMaxDiagnostics diagnostics in order of place, and a line with the number of omitted diagnostics.
std::string render(const Diagnostics& diagnostics);

/// A value, or a non-empty list of errors.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT(google-explicit-constructor)
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(Diagnostics errors) : state_(std::in_place_index<1>, std::move(errors)) {
    AMBIT_ASSERT(!std::get<1>(state_).empty());
  }
  Result(Diagnostic error) : Result(Diagnostics{std::move(error)}) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  const T& value() const& {
    AMBIT_ASSERT(ok());
    return std::get<0>(state_);
  }
  T& value() & {
    AMBIT_ASSERT(ok());
    return std::get<0>(state_);
  }
  T&& value() && {
    AMBIT_ASSERT(ok());
    return std::get<0>(std::move(state_));
  }
  const Diagnostics& errors() const {
    AMBIT_ASSERT(!ok());
    return std::get<1>(state_);
  }

 private:
  std::variant<T, Diagnostics> state_;
};

/// Returns the candidate nearest to `name`, for "did you mean" hints. A candidate is near if it differs only in case or
/// by one edit (insertion, deletion, replacement, swap of adjacent characters). Names of at least six characters may
/// differ by two edits. Returns an empty name if no candidate is near.
std::string_view nearest_name(std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace ambit
