#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/source.h"
#include "model/repair/text_edit.h"

namespace ambit::repair {

/// One possible form of a slot.
struct Level {
  int cost = 0;                 ///< 0 for the first level
  std::vector<TextEdit> edits;  ///< the edits of the original text
  std::string words;            ///< "give the fence device scope"; empty if the source is unchanged
};

/// A place of the source with several possible forms: a scope, an order, an optional fence. The forms become stronger
/// from level to level.
struct Slot {
  enum class Kind : std::uint8_t {
    Synchronisation,  ///< scopes, orders, fences
    Barrier,
    Data,       ///< an access or update that becomes atomic, or a lock around an access
    Placement,  ///< a thread moved to another block
  };
  SourceSpan span;  ///< the affected statement or expression
  std::vector<Level> levels;
  /// True if a higher level never allows more behaviour: if this slot becomes higher and no other slot becomes lower,
  /// no removed behaviour comes back. False for scopes in models that require equal scopes, for locks and barriers
  /// (which can block), and for placement.
  bool is_monotone = true;
  Kind kind = Kind::Synchronisation;
  std::string subject = {};  ///< for barriers in weakenings(), the barrier: "`__syncthreads()` (line 12)"
};

/// For each slot, the number of the chosen level.
using Levels = std::vector<std::uint8_t>;

int cost_of(const std::vector<Slot>& slots, const Levels& levels);
std::vector<TextEdit> edits_of(const std::vector<Slot>& slots, const Levels& levels);

}  // namespace ambit::repair
