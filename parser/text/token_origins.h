#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/source.h"

namespace ambit::parser {

/// A span of a generated text, and the corresponding place in the original text. For example, the litmus text of a CUDA
/// source is a generated text.
struct TokenOrigin {
  std::size_t offset = 0;
  std::size_t length = 0;
  SourceSpan span;
  enum class Kind : std::uint8_t {
    Words,
    Name,      ///< a single name that may contain any characters: `f<int, 4>`
    TypeName,  ///< the name of a struct, which may contain any characters
  } kind = Kind::Words;
};

/// All spans of a generated text, in order.
class TokenOrigins {
 public:
  TokenOrigins(std::vector<TokenOrigin> origins, SourceSpan end) : origins_(std::move(origins)), end_(end) {}

  /// Returns the span that contains the character at `offset`.
  const TokenOrigin& at(std::size_t offset) const {
    const auto next = std::upper_bound(origins_.begin(), origins_.end(), offset,
                                       [](std::size_t at, const TokenOrigin& origin) { return at < origin.offset; });
    AMBIT_ASSERT(next != origins_.begin());
    return *(next - 1);
  }
  SourceSpan end() const { return end_; }

 private:
  std::vector<TokenOrigin> origins_;
  SourceSpan end_;  ///< end of the original text
};

}  // namespace ambit::parser
