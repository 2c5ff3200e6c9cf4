#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/context.h"
#include "model/events/event_graph.h"

namespace ambit::events {

/// One candidate execution: the executed events, the source of each read, and the orders. `orders` holds the total
/// orders that the model declares (`order tr on ...`), in the sequence of Rules::orders, each over the executed events
/// of its set.
struct Execution {
  EventSet executed;
  std::vector<Value> values;          ///< by event: value read, written or chosen; 0 for others
  std::vector<LocationId> locations;  ///< by event: cell accessed; meaningless for non-accesses
  std::vector<EventId> reads_from;    ///< by event: the write from which a read takes its value; kNoEvent for others
  std::vector<std::vector<EventId>> coherence;  ///< by location: its writes, oldest (initial) first
  std::vector<std::vector<EventId>> orders;
};

/// Final values of Program::observables.
using Outcome = std::vector<Value>;

/// Returns the outcome, and in `nodes` the values of all nodes of the graph under the execution's reads.
Outcome outcome_of(const EventGraph& graph, const Execution& execution, std::vector<Value>& nodes);

/// Returns which thread waits forever at which barrier in the execution, in the words of describe_wait; empty if no
/// thread does.
std::vector<std::string> describe_waits(const EventGraph& graph, const Execution& execution);

/// Returns the value of a Condition's expression under an outcome.
bool holds(const Expr& proposition, const Outcome& outcome);

/// The questions about one program and model.
struct Questions {
  bool proposition = true;         ///< does the condition hold in some / fail in some allowed execution
  bool flags = true;               ///< the model's flags (races), with flagged pairs
  bool every_pair = false;         ///< report every pair of `flags`, not only one for each two places of the source and
                                   ///< cell
  bool incidents = true;           ///< assertions, bounds, divergence
  bool outcomes = false;           ///< the set of all allowed outcomes
  bool count = false;              ///< the number of allowed executions (explicit engine only)
  bool holds_only = false;         ///< answer only whether `proposition` can hold, and nothing else
  bool stuck_is_complete = false;  ///< executions in which threads wait forever at barriers count as complete
};

enum class Possibility : std::uint8_t { Impossible, Possible, Unknown };

/// An allowed execution that answers a question with "possible".
struct Witnessed {
  Possibility possibility = Possibility::Unknown;
  std::optional<Execution> witness;
};

/// A pair of events that a flag's relation relates in some allowed execution. If it was related in both directions, the
/// pair is listed once, with the smaller event first. For a flag on a set, second == first.
struct FlaggedPair {
  EventId first = kNoEvent;
  EventId second = kNoEvent;
  std::shared_ptr<const Execution> witness;  ///< never null; pairs may share it
};

struct FlagAnswer {
  Possibility possibility = Possibility::Unknown;
  /// By rising (first, second). Unless Answers::unknown is set: at least one pair for each two places of the source
  /// whose events can be flagged on some cell. (Events that may access several cells count as separate places.)
  std::vector<FlaggedPair> pairs = {};
  /// Pairs that were not checked, because others of the same places and cell are flagged; sorted. Empty with
  /// Questions::every_pair.
  std::vector<std::pair<EventId, EventId>> unchecked = {};
};

/// An engine's answers about complete executions that the model allows: bound not reached, requirements met, filter
/// holds, and no thread waits forever at a barrier. The answers about flags and incidents also cover executions with
/// such threads. Answers to questions that were not requested stay Unknown.
struct Answers {
  Witnessed any;                     ///< whether any execution is allowed
  Witnessed holds;                   ///< one in which the proposition holds
  Witnessed fails;                   ///< one in which it does not
  Witnessed bound;                   ///< an allowed execution prefix that reaches the loop bound
  std::vector<FlagAnswer> flags;     ///< by Rules::flags
  std::vector<Witnessed> incidents;  ///< by EventGraph::incidents
  std::vector<Outcome> outcomes;     ///< sorted, unique; complete unless `unknown`
  std::optional<std::uint64_t> executions;
  /// The number of those that satisfy the proposition: all without a proposition.
  std::optional<std::uint64_t> executions_holding;
  /// Classes of at least two exchangeable threads, ascending: of the executions that differ only by these exchanges,
  /// one was examined (Symmetry). For exchangeable blocks, the threads of all of them are in one class.
  std::vector<std::vector<std::uint32_t>> alike;
  std::optional<UnknownReason> unknown;  ///< why some requested answer is Unknown
  std::string unknown_detail;            ///< one sentence for the user
};

}  // namespace ambit::events
