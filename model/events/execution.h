#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/context.h"
#include "model/events/event_graph.h"

namespace ambit::events {

/// One candidate execution: the executed events, the source of each read, and the orders. `orders` has the total orders
/// that the model declares (`order tr on ...`), in the same sequence as Rules::orders. Each of these orders contains
/// the executed events of its set.
struct Execution {
  EventSet executed;
  std::vector<Value> values;          ///< for each event, the value read, written or chosen; 0 for other events
  std::vector<LocationId> locations;  ///< for each event, the accessed cell; meaningless if the event is not an access
  /// For each read, the write from which it reads; kNoEvent for other events.
  std::vector<EventId> reads_from;
  /// For each location, its writes in coherence order, beginning with the initial write.
  std::vector<std::vector<EventId>> coherence;
  std::vector<std::vector<EventId>> orders;
};

/// Final values of Program::observables.
using Outcome = std::vector<Value>;

/// Returns the outcome. Stores the values of all nodes of the graph in this execution in `nodes`.
Outcome outcome_of(const EventGraph& graph, const Execution& execution, std::vector<Value>& nodes);

/// Returns the text of describe_wait() for each thread that waits forever; empty if no thread waits forever.
std::vector<std::string> describe_waits(const EventGraph& graph, const Execution& execution);

/// Returns the value of a Condition's expression under an outcome.
bool holds(const Expr& proposition, const Outcome& outcome);

/// The questions about a program and a model.
struct Questions {
  bool proposition = true;  ///< whether some allowed execution satisfies the proposition, and whether some does not
  bool flags = true;        ///< the model's flags (races), with flagged pairs
  /// Report every pair of `flags`, not only one pair of each group (FlagAnswer::pairs).
  bool every_pair = false;
  bool incidents = true;           ///< assertions, bounds, divergence
  bool outcomes = false;           ///< whether to find the set of all allowed outcomes
  bool count = false;              ///< whether to count the allowed executions (explicit engine only)
  bool holds_only = false;         ///< answer only whether `proposition` can hold
  bool stuck_is_complete = false;  ///< executions in which threads wait forever at barriers count as complete
};

enum class Possibility : std::uint8_t { Impossible, Possible, Unknown };

/// The answer to a question. If it is "possible", an allowed execution is the witness.
struct Witnessed {
  Possibility possibility = Possibility::Unknown;
  std::optional<Execution> witness;
};

/// A pair of events that a flag's relation relates in some allowed execution. If the events are related in both
/// directions, the pair is listed once, with the smaller event first. For a flag on a set, second == first.
struct FlaggedPair {
  EventId first = kNoEvent;
  EventId second = kNoEvent;
  std::shared_ptr<const Execution> witness;  ///< never null; several pairs may share one execution
};

struct FlagAnswer {
  Possibility possibility = Possibility::Unknown;
  /// The pairs are in increasing order of (first, second). Pairs with the same two source places and the same cell form
  /// a group. Unless Answers::unknown is set, the list has at least one pair of each group in which a pair can be
  /// flagged. Events that may access several cells count as separate places.
  std::vector<FlaggedPair> pairs = {};
  /// Pairs that were not checked, because another pair with the same places and cell is flagged. The list is sorted.
  /// With Questions::every_pair, the list is empty.
  std::vector<std::pair<EventId, EventId>> unchecked = {};
};

/// An engine's answers about complete executions that the model allows. In a complete execution, no loop reaches its
/// bound, the requirements and the filter are true, and no thread waits forever at a barrier. The answers about flags
/// and incidents also cover executions with threads that wait forever. Answers to questions that were not requested
/// stay Unknown.
struct Answers {
  Witnessed any;                     ///< whether the model allows some execution
  Witnessed holds;                   ///< an execution in which the proposition is true
  Witnessed fails;                   ///< an execution in which the proposition is false
  Witnessed bound;                   ///< an allowed execution prefix that reaches the loop bound
  std::vector<FlagAnswer> flags;     ///< one answer for each element of Rules::flags
  std::vector<Witnessed> incidents;  ///< one answer for each element of EventGraph::incidents
  std::vector<Outcome> outcomes;     ///< sorted and without duplicates; complete unless `unknown` is set
  std::optional<std::uint64_t> executions;
  /// The number of allowed executions that satisfy the proposition; all allowed executions if there is no proposition.
  std::optional<std::uint64_t> executions_holding;
  /// Classes of at least two exchangeable threads, in ascending order. If executions differ only by exchanges of these
  /// threads, the engine examined at least one of them (Symmetry). The threads of exchangeable blocks are in one class.
  std::vector<std::vector<std::uint32_t>> alike;
  std::optional<UnknownReason> unknown;  ///< the reason why some requested answer is Unknown
  std::string unknown_detail;            ///< one sentence for the user
};

}  // namespace ambit::events
