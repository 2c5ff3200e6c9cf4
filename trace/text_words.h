#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/trace.h"

namespace ambit::trace {

/// Reads an order from PTX's word for it (core/ptx_mapping.h), or from rlx, acq, rel or seq_cst.
std::optional<Order> order_from_word(std::string_view word);
/// Reads a scope from PTX's word for it, or from block, device or system.
std::optional<Scope> scope_from_word(std::string_view word);
std::optional<TraceRmw> rmw_from_word(std::string_view word);
/// Returns the word for the group of an asynchronous operation: "copy", "bulk", "matrix", "tensor-load",
/// "tensor-store", "tensor"; "" for None.
std::string_view group_word(AsyncGroup group);
std::optional<AsyncGroup> group_from_word(std::string_view word);

/// Reads a decimal number, or a hexadecimal number with up to 64 bits after 0x.
std::optional<Value> value_from_text(std::string_view text);

/// Reads a place such as "b0t5" or "g1b0t5"; returns nothing for other text.
struct PlaceName {
  int gpu = 0;
  std::uint32_t block = 0;
  std::uint32_t thread = 0;
};
std::optional<PlaceName> place_from_text(std::string_view text);

/// Returns whether the name is in a block's shared memory: "b0:s" or "g1b0:s", with numbers of any size.
bool names_block(std::string_view location);

/// Escapes a name as one word of a line: replaces blanks, control characters, '#', '%' and the characters in `special`
/// by codes such as "%20". The result also differs from the words that begin a line.
std::string escaped(std::string_view name, std::string_view special = {});
/// Unescapes a name: decodes "%20" and similar codes; keeps all other '%'.
std::string unescaped(std::string_view text);

}  // namespace ambit::trace
