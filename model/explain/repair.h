#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/context.h"
#include "core/program.h"
#include "model/events/event_graph.h"

namespace ambit::explain {

/// A place in the source at which an instruction accesses or orders memory, with the threads that run the instruction.
struct Site {
  SourceSpan span;
  std::vector<std::pair<std::uint32_t, std::size_t>> instances;  ///< pairs (thread, instruction), in increasing order
  /// Locations that the instruction may access, in increasing order; empty for fences.
  std::vector<LocationId> locations;
};

/// Returns whether threads of several blocks run the instruction.
bool spans_blocks(const Site& site, const Program& program);

/// One change of the program at one place.
struct Edit {
  enum class Kind : std::uint8_t {
    WidenFence,    ///< gives the fence the scope `scope`
    SetScope,      ///< gives the atomic access the scope `scope`
    WidenBarrier,  ///< makes the barrier work at the scope of the whole device
    AddFence,      ///< adds a seq_cst fence of `scope` before the site
    Strengthen,    ///< gives the atomic access the order `order`
    MakeAtomic,    ///< turns the plain or volatile access into a relaxed atomic access of `scope`
    MoveLater,     ///< moves preceding synchronising writes and their fences to after the site
    HoldLock,      ///< acquires `lock` before the site and releases it after the site
    AddBarrier,    ///< adds a barrier for the two threads, after `site` and before `second`
  };
  Kind kind = Kind::AddFence;
  Site site;
  Scope scope = Scope::Device;
  Scope old_scope = Scope::Device;  ///< used only for WidenFence and SetScope
  Order order = Order::Relaxed;
  Order old_order = Order::Relaxed;  ///< used only for Strengthen
  LocationId lock = 0;
  std::optional<Site> second;  ///< used only for AddBarrier
  /// For MoveLater, the instructions to move, in increasing order.
  std::vector<std::pair<std::uint32_t, std::size_t>> moved;
};

/// A set of changes that belong together. A repair with a smaller weight is better.
struct Repair {
  std::vector<Edit> edits;
  int weight = 0;
};

/// Returns all memory instructions, fences and barriers of the program that have events in the graph, in the order of
/// places.
std::vector<Site> find_sites(const events::EventGraph& graph);

/// The changed program. `original` maps the new instructions to the instructions of the old program.
struct RepairedProgram {
  std::shared_ptr<const Program> program;
  /// For each thread and instruction of the changed program, the old instruction. Nothing if the instruction is new or
  /// moved.
  std::vector<std::vector<std::optional<std::size_t>>> original;
};
RepairedProgram apply(const Program& program, const Repair& repair);

/// The two accesses of a race.
struct RacingSites {
  std::uint32_t first_thread = 0;
  std::size_t first = 0;  ///< index of the instruction
  std::uint32_t second_thread = 0;
  std::size_t second = 0;
};

struct CandidateRepairs {
  std::vector<Repair> repairs;  ///< the repairs in order of weight
  std::size_t left_out = 0;     ///< number of pairs of changes that are omitted because there are too many
  int weight_left_out = 0;      ///< the weight of the omitted pairs
};

/// Returns the repairs to try against a race. The repairs are single changes, pairs of single changes, and equal
/// changes at all accesses of one location or at all fences. If a repair of several changes works, the search later
/// removes the unnecessary changes.
CandidateRepairs candidate_repairs(const events::EventGraph& graph, const RacingSites& race);
/// Returns the repairs to try against an outcome. For an outcome, no access has a special role.
CandidateRepairs candidate_repairs(const events::EventGraph& graph);

/// The result of the search for the smallest changes.
struct FoundRepairs {
  std::vector<Repair> repairs;  ///< the smallest changes, all of one weight; empty if none of the tried changes works
  /// Number of repairs with at most this weight that were omitted, or not tried because of a limit.
  std::size_t untried = 0;
  std::size_t undecided = 0;                   ///< number of repairs with at most this weight and an unknown result
  std::optional<UnknownReason> why_undecided;  ///< the reason for the first unknown result; absent if not known
};

}  // namespace ambit::explain
