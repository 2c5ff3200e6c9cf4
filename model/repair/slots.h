#pragma once

#include <utility>
#include <vector>

#include "core/program.h"
#include "model/events/event_graph.h"
#include "model/repair/change.h"
#include "model/repair/cost_table.h"
#include "model/repair/statement_text.h"

namespace ambit::repair {

/// What decides which changes are offered.
struct SlotOptions {
  CostTable costs = {};
  /// A wider scope never brings a race or an outcome back. Not so in models that ask for equal scopes.
  bool wider_is_stronger = true;
  /// The goal is that nothing races: then a plain access that becomes atomic brings no race back, unless a read becomes
  /// a read-modify-write.
  bool is_about_races = false;
  /// Pairs of racing instructions, (thread, instruction): accesses to make atomic or to lock, places for barriers.
  /// Empty: all plain accesses of cells that several threads access are offered to be made atomic.
  std::vector<std::pair<std::pair<std::uint32_t, std::size_t>, std::pair<std::uint32_t, std::size_t>>> races = {};
};

/// All that can be made stronger in the source of the program: the first level of each slot is the source as it is.
/// Offered are: scopes of fences and atomics, orders where the source names them, fences before accesses, plain
/// accesses as atomics, locks that the program has, barriers, other blocks for threads.
std::vector<Slot> strengthenings(const events::EventGraph& graph, const SourceText& text, const SlotOptions& options);

/// All that can be made weaker: the first level of each slot is the weakest form (no fence, block scope, relaxed), the
/// last level is the source as it is.
std::vector<Slot> weakenings(const events::EventGraph& graph, const SourceText& text, const SlotOptions& options);

}  // namespace ambit::repair
