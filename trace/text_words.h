#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/trace.h"

namespace ambit::trace {

/// Reads a memory order: the word of PTX (core/ptx_mapping.h), or rlx, acq, rel or seq_cst.
std::optional<Order> order_from_word(std::string_view word);
/// Reads a scope: the word of PTX, or block, device or system.
std::optional<Scope> scope_from_word(std::string_view word);
std::optional<TraceRmw> rmw_from_word(std::string_view word);
/// Returns the word for the group of an asynchronous operation: "copy", "bulk", "matrix", "tensor-load",
/// "tensor-store", "tensor"; "" for None.
std::string_view group_word(AsyncGroup group);
std::optional<AsyncGroup> group_from_word(std::string_view word);

/// Reads a decimal number, or a hexadecimal number with up to 64 bits after 0x.
std::optional<Value> value_from_text(std::string_view text);

/// The place of a thread, such as "b0t5" or "g1b0t5". place_from_text() returns nothing for other text.
struct PlaceName {
  int gpu = 0;
  std::uint32_t block = 0;
  std::uint32_t thread = 0;
};
std::optional<PlaceName> place_from_text(std::string_view text);

/// Returns whether the name begins with a block, as for a location in shared memory: "b0:s" or "g1b0:s". The numbers of
/// the block and the GPU may be of any size.
bool names_block(std::string_view location);

/// Escapes a name, so that it is one word of a line: replaces blanks, control characters, '#', '%' and the characters
/// in `special` by codes such as "%20". The result is never one of the words that begin a line, such as "end".
std::string escaped(std::string_view name, std::string_view special = {});
/// Unescapes a name: decodes "%20" and similar codes. A '%' that does not begin a code is kept.
std::string unescaped(std::string_view text);

}  // namespace ambit::trace
