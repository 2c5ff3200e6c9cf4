#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/program.h"
#include "model/events/event_graph.h"

namespace ambit::explain {

/// A place in the source at which an instruction accesses or orders memory, in every thread that runs it.
struct Site {
  SourceSpan span;
  std::vector<std::pair<std::uint32_t, std::size_t>> instances;  ///< (thread, instruction), rising
  std::vector<LocationId> locations;                             ///< that it may access, rising; empty for fences
};

/// Returns whether threads of several blocks run the site.
bool spans_blocks(const Site& site, const Program& program);

/// One change of the program at one place.
struct Edit {
  enum class Kind : std::uint8_t {
    WidenFence,    ///< give the fence `scope`
    SetScope,      ///< give the atomic access `scope`
    WidenBarrier,  ///< make the barrier work at the scope of the whole device
    AddFence,      ///< a seq_cst fence of `scope` before the site
    Strengthen,    ///< give the atomic access `order`
    MakeAtomic,    ///< turn the plain or volatile access into a relaxed atomic one of `scope`
    MoveLater,     ///< move the synchronising writes before the site, with their fences, after it
    HoldLock,      ///< acquire `lock` before the site and release it after
    AddBarrier,    ///< a barrier of the two threads: after `site`, before `second`
  };
  Kind kind = Kind::AddFence;
  Site site;
  Scope scope = Scope::Device;
  Scope old_scope = Scope::Device;  ///< WidenFence, SetScope
  Order order = Order::Relaxed;
  Order old_order = Order::Relaxed;  ///< Strengthen
  LocationId lock = 0;
  std::optional<Site> second;                                ///< AddBarrier
  std::vector<std::pair<std::uint32_t, std::size_t>> moved;  ///< MoveLater: the instructions that move, rising
};

/// Changes made together. Small weights come first.
struct Repair {
  std::vector<Edit> edits;
  int weight = 0;
};

/// Returns every memory instruction, fence and barrier of the program that has an event in the graph, by place.
std::vector<Site> find_sites(const events::EventGraph& graph);

/// The changed program. `original` maps its instructions to the old ones.
struct RepairedProgram {
  std::shared_ptr<const Program> program;
  /// By thread, by instruction of the changed program: the old instruction; nothing if it is new or moved.
  std::vector<std::vector<std::optional<std::size_t>>> original;
};
RepairedProgram apply(const Program& program, const Repair& repair);

/// The two accesses of a race.
struct RacingSites {
  std::uint32_t first_thread = 0;
  std::size_t first = 0;  ///< instruction
  std::uint32_t second_thread = 0;
  std::size_t second = 0;
};

struct CandidateRepairs {
  std::vector<Repair> repairs;  ///< in order of weight
  std::size_t left_out = 0;     ///< pairs of changes that are omitted, because there are too many
  int weight_left_out = 0;      ///< the weight of these pairs
};

/// Returns the repairs to try against a race: single changes, then changes of one kind at all accesses of one location
/// or at all fences, which the search then reduces, and pairs of single changes.
CandidateRepairs candidate_repairs(const events::EventGraph& graph, const RacingSites& race);
/// Returns the repairs to try against an outcome, where no access is special.
CandidateRepairs candidate_repairs(const events::EventGraph& graph);

/// The result of the search for the smallest changes.
struct FoundRepairs {
  std::vector<Repair> repairs;  ///< the smallest changes, all of one weight; empty: none of the tried changes works
  std::size_t untried = 0;      ///< changes of at most this weight that were omitted, or not tried because of the
                                ///< limits
  std::size_t undecided = 0;    ///< changes of at most this weight that Ambit could not decide
};

}  // namespace ambit::explain
