#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/context.h"
#include "model/events/event_graph.h"

namespace ambit::events {

/// One candidate execution: what happened, who read from whom, in what order. `orders` holds the total orders that the
/// model declares (`order tr on ...`), in the sequence of Rules::orders, each over the executed events of its set.
struct Execution {
  EventSet executed;
  std::vector<Value> values;          ///< by event: value read, written or chosen; 0 for others
  std::vector<LocationId> locations;  ///< by event: cell accessed; meaningless for non-accesses
  std::vector<EventId> reads_from;    ///< by event: the write a read takes its value from; kNoEvent for others
  std::vector<std::vector<EventId>> coherence;  ///< by location: its writes, oldest (initial) first
  std::vector<std::vector<EventId>> orders;
};

/// Final values of Program::observables.
using Outcome = std::vector<Value>;

/// Values of all nodes of the graph under the execution's reads, in `nodes`.
Outcome outcome_of(const EventGraph& graph, const Execution& execution, std::vector<Value>& nodes);

/// Who waits for ever at which barrier in the execution, as describe_wait says it; empty when nobody does.
std::vector<std::string> describe_waits(const EventGraph& graph, const Execution& execution);

/// Value of a Condition's expression under an outcome.
bool holds(const Expr& proposition, const Outcome& outcome);

/// What is asked of one (program, model).
struct Questions {
  bool proposition = true;         ///< does the condition hold in some / fail in some allowed execution
  bool flags = true;               ///< the model's flags (races), with flagged pairs
  bool every_pair = false;         ///< of `flags` every pair, not only one for each two places of the source and cell
  bool incidents = true;           ///< assertions, bounds, divergence
  bool outcomes = false;           ///< the set of all allowed outcomes
  bool count = false;              ///< the number of allowed executions (explicit engine only)
  bool holds_only = false;         ///< of `proposition` ask only whether it can hold, and of all else nothing
  bool stuck_is_complete = false;  ///< executions in which threads wait for ever at barriers count as complete
};

enum class Possibility : std::uint8_t { Impossible, Possible, Unknown };

/// An allowed execution that answers a question with "possible".
struct Witnessed {
  Possibility possibility = Possibility::Unknown;
  std::optional<Execution> witness;
};

/// A pair of events that a flag's relation relates in some allowed execution. Where the relation was related both ways
/// round the pair is listed once, with the smaller event first. For a flag on a set, second == first.
struct FlaggedPair {
  EventId first = kNoEvent;
  EventId second = kNoEvent;
  std::shared_ptr<const Execution> witness;  ///< never null; pairs may share it
};

struct FlagAnswer {
  Possibility possibility = Possibility::Unknown;
  /// By rising (first, second). Unless Answers::unknown is set: of each two places of the source whose events can be
  /// flagged on some cell at least one pair. (Events that may access several cells count as places of their own.)
  std::vector<FlaggedPair> pairs = {};
  /// Pairs of which it was not asked whether they can be flagged as well, because others of their places and cell are;
  /// sorted. None with Questions::every_pair.
  std::vector<std::pair<EventId, EventId>> unasked = {};
};

/// An engine's answers about complete executions that the model allows: bound not reached, requirements met, filter
/// holds, and no thread waits for ever at a barrier. The answers about flags and incidents are about executions with
/// such threads as well. What was not asked stays Unknown.
struct Answers {
  Witnessed any;                     ///< some allowed execution at all
  Witnessed holds;                   ///< one in which the proposition holds
  Witnessed fails;                   ///< one in which it does not
  Witnessed bound;                   ///< an allowed execution prefix that reaches the loop bound
  std::vector<FlagAnswer> flags;     ///< by Rules::flags
  std::vector<Witnessed> incidents;  ///< by EventGraph::incidents
  std::vector<Outcome> outcomes;     ///< sorted, unique; complete unless `unknown`
  std::optional<std::uint64_t> executions;
  /// Of those, how many satisfy the proposition: all where there is none.
  std::optional<std::uint64_t> executions_holding;
  /// Classes of two and more threads that can be exchanged, ascending: of the executions that differ only in these, one
  /// was looked at (Symmetry). Blocks that can be exchanged have the threads of all of them in one class.
  std::vector<std::vector<std::uint32_t>> alike;
  std::optional<UnknownReason> unknown;  ///< why some answer asked for is Unknown
  std::string unknown_detail;            ///< one sentence for the user
};

}  // namespace ambit::events
