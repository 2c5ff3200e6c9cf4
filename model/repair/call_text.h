#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace ambit::repair {

bool is_word_character(char c);

/// A call as C++ writes it: "atomicAdd(&x, 1)", "flag.store(1, cuda::memory_order_release)".
struct CallText {
  std::string_view callee;                  ///< what stands before the parentheses; empty: this is no call
  std::vector<std::string_view> arguments;  ///< without blanks around them
  std::size_t close = 0;                    ///< offset of the last parenthesis
};

/// Takes apart a text that ends in the ')' of a call.
CallText call_in(std::string_view text);

/// The text without blanks around it.
std::string_view trimmed(std::string_view text);

}  // namespace ambit::repair
