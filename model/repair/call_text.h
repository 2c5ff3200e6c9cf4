#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace ambit::repair {

bool is_word_character(char c);

/// A call in C++ syntax: "atomicAdd(&x, 1)", "flag.store(1, cuda::memory_order_release)".
struct CallText {
  std::string_view callee;                  ///< the text before the parentheses; empty if the text is not a call
  std::vector<std::string_view> arguments;  ///< arguments without surrounding blanks
  std::size_t close = 0;                    ///< offset of the last parenthesis
};

/// Splits a text that ends in the ')' of a call.
CallText call_in(std::string_view text);

}  // namespace ambit::repair
