#pragma once

#include <utility>
#include <vector>

#include "core/program.h"
#include "model/events/event_graph.h"
#include "model/repair/change.h"
#include "model/repair/cost_table.h"
#include "model/repair/statement_text.h"

namespace ambit::repair {

/// Options that select the offered changes.
struct SlotOptions {
  CostTable costs = {};
  /// True if a wider scope never brings back a race or an outcome. False for models that require equal scopes.
  bool wider_is_stronger = true;
  /// True if the goal is freedom from races. With this goal, an access that becomes atomic brings back no race, unless
  /// a read becomes a read-modify-write.
  bool is_about_races = false;
  /// Pairs of racing instructions, each as (thread, instruction). The pairs determine the accesses that can become
  /// atomic or get a lock, and the places for barriers. Without pairs, all plain accesses of shared cells can become
  /// atomic.
  std::vector<std::pair<std::pair<std::uint32_t, std::size_t>, std::pair<std::uint32_t, std::size_t>>> races = {};
};

/// Returns the slots for all parts of the program's source that can be made stronger. The first level of each slot is
/// the unchanged source. Slots exist for: scopes of fences and atomics, orders in the source, fences before accesses,
/// plain accesses that become atomic, locks of the program, barriers, and moves of threads to other blocks.
std::vector<Slot> strengthenings(const events::EventGraph& graph, const SourceText& text, const SlotOptions& options);

/// The parts of a program's source that can be made weaker.
struct WeakerForms {
  /// The first level of each slot is the weakest form (no fence, no barrier, block scope, relaxed), and the last level
  /// is the unchanged source.
  std::vector<Slot> slots;
  /// Barriers without a slot, because their text cannot be removed: "`__syncthreads_or(p)` (line 12)".
  std::vector<std::string> fixed_barriers;
};
WeakerForms weakenings(const events::EventGraph& graph, const SourceText& text, const SlotOptions& options);

}  // namespace ambit::repair
