#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/trace.h"

namespace ambit::trace {

/// The words of the text format: PTX's where PTX has one.
std::string_view order_word(Order order);  ///< relaxed, acquire, release, acq_rel, sc
std::string_view scope_word(Scope scope);  ///< cta, cluster, gpu, sys
/// Also rlx, acq, rel, seq_cst.
std::optional<Order> order_from_word(std::string_view word);
/// Also block, device, system.
std::optional<Scope> scope_from_word(std::string_view word);
std::optional<TraceRmw> rmw_from_word(std::string_view word);

/// Decimal, or hexadecimal after 0x; a hexadecimal number may use all 64 bits.
std::optional<Value> value_from_text(std::string_view text);

/// A place as "b0t5" or "g1b0t5"; nothing when it is not one.
struct PlaceName {
  int gpu = 0;
  std::uint32_t block = 0;
  std::uint32_t thread = 0;
};
std::optional<PlaceName> place_from_text(std::string_view text);

/// True for the name of shared memory of a block, "b0:s" or "g1b0:s", however large the numbers are.
bool names_block(std::string_view location);

/// A name as one word of a line: blanks, control characters, '#', '%', and those in `special`, as "%20"; so that it is
/// none of the words that begin a line, too.
std::string escaped(std::string_view name, std::string_view special = {});
/// The name of such a word: "%20" and the like are characters, any other '%' is itself.
std::string unescaped(std::string_view text);

}  // namespace ambit::trace
