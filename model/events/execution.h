#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/context.h"
#include "model/events/event_graph.h"

namespace ambit::events {

/// One candidate execution: the executed events, the source of each read, and the orders. `orders` contains the total
/// orders that the model declares (`order tr on ...`), in the sequence of Rules::orders. Each of these orders contains
/// the executed events of its set.
struct Execution {
  EventSet executed;
  std::vector<Value> values;          ///< for each event, the value read, written or chosen; 0 for other events
  std::vector<LocationId> locations;  ///< for each event, the accessed cell; meaningless if the event is not an access
  /// For each read, the write from which the read takes its value; kNoEvent for other events.
  std::vector<EventId> reads_from;
  /// For each location, its writes in coherence order, beginning with the initial write.
  std::vector<std::vector<EventId>> coherence;
  std::vector<std::vector<EventId>> orders;
};

/// The final values of Program::observables.
using Outcome = std::vector<Value>;

/// Returns the outcome. Computes the values that the graph's nodes have in this execution, and stores them in `nodes`.
Outcome outcome_of(const EventGraph& graph, const Execution& execution, std::vector<Value>& nodes);

/// Returns the text of describe_wait() for each thread that waits forever.
std::vector<std::string> describe_waits(const EventGraph& graph, const Execution& execution);

/// Evaluates a Condition's expression under an outcome.
bool holds(const Expr& proposition, const Outcome& outcome);

/// The questions about a program and a model.
struct Questions {
  bool proposition = true;  ///< whether some allowed execution satisfies the proposition, and whether one violates it
  bool flags = true;        ///< the model's flags (races), with flagged pairs
  /// Report every flagged pair, not just one pair of each group (FlagAnswer::pairs).
  bool every_pair = false;
  bool incidents = true;           ///< assertions, bounds, divergence
  bool outcomes = false;           ///< whether to find the set of all allowed outcomes
  bool count = false;              ///< whether to count the allowed executions (explicit engine only)
  bool holds_only = false;         ///< answer only the question whether `proposition` can hold
  bool stuck_is_complete = false;  ///< treat executions in which threads wait forever at barriers as complete
};

enum class Possibility : std::uint8_t { Impossible, Possible, Unknown };

/// The answer to a question. If the answer is "possible", an allowed execution is the witness.
struct Witnessed {
  Possibility possibility = Possibility::Unknown;
  std::optional<Execution> witness;
};

/// A pair of events that a flag's relation contains in some allowed execution. If the relation contains both
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
  /// flagged. Each event that may access several cells counts as a separate place.
  std::vector<FlaggedPair> pairs = {};
  /// The pairs that were not checked, because another pair of the same group is flagged. The list is sorted. With
  /// Questions::every_pair, the list is empty.
  std::vector<std::pair<EventId, EventId>> unchecked = {};
};

/// An engine's answers about complete executions that the model allows. In a complete execution, no loop reaches its
/// bound, the requirements and the filter are true, and no thread waits forever at a barrier. The answers about flags
/// and incidents also cover executions in which threads wait forever. Answers to questions that were not requested stay
/// Unknown.
struct Answers {
  Witnessed any;                     ///< whether the model allows any execution
  Witnessed holds;                   ///< an execution in which the proposition is true
  Witnessed fails;                   ///< an execution in which the proposition is false
  Witnessed bound;                   ///< an allowed execution prefix that reaches the loop bound
  std::vector<FlagAnswer> flags;     ///< one answer for each element of Rules::flags
  std::vector<Witnessed> incidents;  ///< one answer for each element of EventGraph::incidents
  std::vector<Outcome> outcomes;     ///< sorted and without duplicates; complete unless `unknown` is set
  std::optional<std::uint64_t> executions;
  /// The number of allowed executions that satisfy the proposition; without a proposition, all allowed executions.
  std::optional<std::uint64_t> executions_holding;
  /// Classes of at least two exchangeable threads, in ascending order. If executions differ only by exchanges of these
  /// threads, the engine examined at least one of them (Symmetry). The threads of exchangeable blocks are in one class.
  std::vector<std::vector<std::uint32_t>> alike;
  std::optional<UnknownReason> unknown;  ///< the reason, if some requested answer is Unknown
  std::string unknown_detail;            ///< an explanation for the user, in one sentence
};

}  // namespace ambit::events
