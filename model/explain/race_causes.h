#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/context.h"
#include "model/events/execution.h"
#include "model/explain/chain.h"
#include "model/explain/repair.h"
#include "model/rules/rules.h"
#include "model/verdict/verdict.h"

namespace ambit::explain {

/// One event on a path between two racing accesses, and the relation from the previous event to this event.
struct PathStep {
  enum class Via : std::uint8_t { Start, ProgramOrder, ReadsFrom, Barrier } via = Via::Start;
  events::EventId event = events::kNoEvent;
};
using Path = std::vector<PathStep>;

/// A race, and the order that its accesses lack.
struct ExplainedRace {
  std::string flag;  ///< the model's name for the race
  events::EventId first = events::kNoEvent;
  events::EventId second = events::kNoEvent;
  std::optional<LocationId> location;
  events::Execution witness;
  bool is_analysed = false;  ///< whether the following members were computed
  /// Paths from one access to the other by program order, reads-from and barriers. The shortest path is first. Each
  /// path fails to order the accesses at one or a few steps.
  std::vector<Path> paths;
  /// The model orders the two events of each step of the first path, but it does not order the two racing accesses.
  bool only_the_whole_is_missing = false;
  /// The smallest changes that remove this race. All have the same weight. The changes show which synchronisation is
  /// missing.
  std::vector<Repair> repairs;
  std::size_t untried_repairs = 0;             ///< FoundRepairs::untried
  std::size_t undecided_repairs = 0;           ///< FoundRepairs::undecided
  std::optional<UnknownReason> why_undecided;  ///< FoundRepairs::why_undecided
};

/// A conflicting pair of accesses that is not a race, with an execution that contains both accesses.
struct OrderedPair {
  events::EventId first = events::kNoEvent;
  events::EventId second = events::kNoEvent;
  std::optional<LocationId> location;
  events::Execution execution;
  Chain chain;            ///< why the model orders `first` and `second`; if empty, see `exemption`
  std::string exemption;  ///< the model's condition that exempts this unordered pair: "ms", "A * A & mut"
};

/// The answer to whether a program races under a model, and the reason.
struct RaceExplanation {
  std::shared_ptr<const events::EventGraph> graph;
  std::shared_ptr<const rules::Rules> rules;
  std::string model;
  bool model_speaks_of_races = true;
  events::Possibility possibility = events::Possibility::Unknown;  ///< Unknown if the model has no races
  std::optional<UnknownReason> unknown;
  std::string unknown_detail;
  bool has_execution = true;  ///< if race-free: whether the model allows any execution of the program
  /// The races in the order of their places. Without RaceOptions::all, only the first race has paths and repairs.
  std::vector<ExplainedRace> races;
  std::vector<OrderedPair> ordered;  ///< if race-free: the conflicting pairs, one for each pair of places in the source
  bool has_all_ordered = true;       ///< `ordered` is complete
};

/// The two statements of a race.
using RaceStatements = std::pair<SourceSpan, SourceSpan>;
RaceStatements statements_of(const events::EventGraph& graph, events::EventId first, events::EventId second);
/// Returns whether the statements are equal in some order.
bool are_same(const RaceStatements& a, const RaceStatements& b);

struct RaceOptions {
  bool all = false;                                    ///< whether to find paths and repairs for all races
  std::optional<RaceStatements> first = std::nullopt;  ///< races of these statements come before all other races
};

/// Explains the races of a program. Returns an error if events::build() returns an error.
Result<RaceExplanation> explain_race(verdict::Checker& checker, std::shared_ptr<const Program> program,
                                     std::shared_ptr<const rules::Rules> rules, const verdict::CheckOptions& options,
                                     const RaceOptions& race_options, Context& context);

/// Finds paths from `from` to `to` by program order, reads-from between threads, and barriers in the execution. Returns
/// the shortest paths first, at most kMostPaths. A path lists the events at which it leaves or enters a thread, and the
/// fences between them.
std::vector<Path> find_paths(const events::EventGraph& graph, const events::Execution& execution, events::EventId from,
                             events::EventId to);
inline constexpr std::size_t kMostPaths = 8;

}  // namespace ambit::explain
