// Computes values that threads exchange at barriers: shuffles, votes, warp reductions, __syncthreads_count and similar
// functions (core/value_exchange.h). While the walker executes a thread, a variable represents the received value. When
// the arrivals of each phase are known, a function of the contributions replaces the variable.

#include "model/events/exchanges.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <utility>

#include "core/value_exchange.h"
#include "model/events/draft_nodes.h"

namespace ambit::events {
namespace {

/// Reads with this bit in their number represent undefined values. The other bits are the number of the barrier event
/// that receives the value.
constexpr EventId kUndefined = 0x80000000U;

bool is_undefined(const ValueNode& node) {
  return node.op == Op::Register && node.read != kNoEvent && node.read >= kUndefined;
}

/// The contribution of one thread to an exchange.
struct SymbolicGift {
  std::uint32_t lane;
  NodeId value;
};

/// Computes the values that the threads receive.
class Receiver {
 public:
  explicit Receiver(Draft& draft) : draft_(draft), values_(draft.graph.values) {}

  NodeId receive(const Gathering& gathering) {
    const EventId receiver = gathering.receiver;
    const ValueExchange& exchange = *barrier_of(draft_.graph, receiver).exchange;
    const std::vector<SymbolicGift> gifts = gifts_of(gathering, exchange);
    const ScalarType type = joined_type(exchange);
    if (exchange.function == ValueExchange::Function::Shuffle) return from_source(receiver, exchange, gifts);
    const Op join = *operator_of(exchange.function);
    NodeId result = in_form(exchange, gifts.front(), receiver);
    for (std::size_t i = 1; i < gifts.size(); ++i) {
      result = values_.make(join, type, std::array{result, in_form(exchange, gifts[i], receiver)});
    }
    return result;
  }

 private:
  NodeId undefined(EventId receiver, ScalarType type) { return values_.read(kUndefined + receiver, type); }

  /// Returns one contribution for each thread that takes part: the value that the thread gives at its arrival in the
  /// receiver's phase.
  std::vector<SymbolicGift> gifts_of(const Gathering& gathering, const ValueExchange& exchange) {
    std::map<std::uint32_t, std::vector<const Gathering::Giver*>> by_thread;
    for (const Gathering::Giver& giver : gathering.givers) {
      by_thread[draft_.graph.events[giver.arrival].thread].push_back(&giver);
    }
    std::vector<SymbolicGift> gifts;
    for (const auto& [thread, givers] : by_thread) {
      NodeId value = given_by(givers.back()->arrival, exchange, gathering.receiver);
      for (std::size_t i = givers.size() - 1; i-- > 0;) {
        const NodeId other = given_by(givers[i]->arrival, exchange, gathering.receiver);
        value = values_.select(givers[i]->condition, other, value, exchange.type);
      }
      gifts.push_back({static_cast<std::uint32_t>(draft_.program().threads[thread].place.lane), value});
    }
    return gifts;
  }

  /// If the two threads call different functions, they do not exchange values, and the received value is undefined.
  NodeId given_by(EventId arrival, const ValueExchange& exchange, EventId receiver) {
    const std::optional<ValueExchange>& given = barrier_of(draft_.graph, arrival).exchange;
    const bool is_same = given && given->function == exchange.function && given->type == exchange.type;
    return is_same ? draft_.notes[arrival].given : undefined(receiver, exchange.type);
  }

  NodeId from_source(EventId receiver, const ValueExchange& exchange, const std::vector<SymbolicGift>& gifts) {
    const NodeId source = draft_.notes[receiver].source;
    NodeId result = undefined(receiver, exchange.type);
    for (const SymbolicGift& gift : gifts) {
      const NodeId is_it = values_.equal(source, values_.constant(gift.lane, kInt), kInt);
      result = values_.select(is_it, gift.value, result, exchange.type);
    }
    return result;
  }

  /// Converts a symbolic contribution. The function corresponds to joined_gift() in core/value_exchange.cpp.
  NodeId in_form(const ValueExchange& exchange, const SymbolicGift& gift, EventId receiver) {
    using Function = ValueExchange::Function;
    const auto bit_if = [&](NodeId condition) {
      const NodeId bit = values_.constant(Value{1} << gift.lane, kUnsigned);
      return values_.select(condition, bit, values_.constant(0, kUnsigned), kUnsigned);
    };
    switch (exchange.function) {
      case Function::Any:
      case Function::All:
      case Function::Count: return values_.truth(gift.value);
      case Function::Ballot: return bit_if(values_.truth(gift.value));
      case Function::Match: return bit_if(values_.equal(gift.value, draft_.notes[receiver].given, exchange.type));
      default: return gift.value;
    }
  }

  Draft& draft_;
  ValueGraph& values_;
};

/// Replaces each node that has a definition by this definition, including uses inside other nodes.
class Substitution {
 public:
  Substitution(ValueGraph& values, std::unordered_map<NodeId, NodeId> definitions)
      : values_(values), definitions_(std::move(definitions)) {}

  NodeId image(NodeId node) {
    if (const auto known = images_.find(node); known != images_.end()) {
      is_circular_ = is_circular_ || known->second == kOpen;
      return known->second == kOpen ? node : known->second;
    }
    images_[node] = kOpen;
    const ValueNode n = values_[node];  // use a copy, because a new node may move the existing nodes
    NodeId result = node;
    if (n.op == Op::Register) {
      if (const auto defined = definitions_.find(node); defined != definitions_.end()) result = image(defined->second);
    } else if (n.op != Op::Const) {
      std::array<NodeId, 3> arguments{};
      for (std::size_t i = 0; i < arity(n.op); ++i) arguments[i] = image(n.arguments[i]);
      if (arguments != n.arguments) result = values_.make(n.op, n.type, std::span(arguments).first(arity(n.op)));
    }
    images_[node] = result;
    return result;
  }

  bool is_circular() const { return is_circular_; }

 private:
  static constexpr NodeId kOpen = 0xffffffffU;

  ValueGraph& values_;
  std::unordered_map<NodeId, NodeId> definitions_;
  std::unordered_map<NodeId, NodeId> images_;
  bool is_circular_ = false;
};

/// Narrows an access to one cell if its address has become constant.
void narrow_addresses(Draft& draft) {
  for (Event& event : draft.graph.events) {
    if (!event.is_access() || event.locations.size() == 1 || !draft.graph.values.is_constant(event.address)) continue;
    const auto location = draft.program().location_at(draft.graph.values[event.address].constant);
    if (location && std::ranges::binary_search(event.locations, *location)) event.locations = {*location};
  }
}

/// Propagates undefined values through nodes and memory. A program may use undefined values as data. If control depends
/// on an undefined value, or an observable has an undefined value, Ambit has no definite answer.
class UndefinedFlow {
 public:
  explicit UndefinedFlow(Draft& draft)
      : draft_(draft), graph_(draft.graph), tainted_cells_(draft.program().locations.size(), kNoEvent) {}

  void check_program() {
    do {
      find_nodes();
    } while (taint_more_cells());
    for (const Event& event : graph_.events) {
      if (event.guard == ValueGraph::kFalse) continue;
      check(event.guard);
      check(event.address);
    }
    for (const NodeId node : graph_.requirements) check(node);
    for (const Incident& incident : graph_.incidents) check(incident.condition);
    for (const EventGraph::Bound& bound : graph_.bounds) check(bound.reached);
    for (const Draft::Meeting& meeting : draft_.meetings) check(meeting.condition);
    check(graph_.stuck);
    for (std::size_t i = 0; i < graph_.observables.size(); ++i) {
      const Observable& observable = draft_.program().observables[i];
      if (observable.kind == Observable::Kind::Memory) refuse(tainted_cells_[observable.location]);
      check(graph_.observables[i]);
    }
  }

  /// If no answer depends on the undefined values, returns a map that replaces each undefined value by the constant 0.
  std::unordered_map<NodeId, NodeId> replacements() {
    std::unordered_map<NodeId, NodeId> result;
    for (NodeId id = 0, end = static_cast<NodeId>(graph_.values.size()); id < end; ++id) {
      if (is_undefined(graph_.values[id])) result.emplace(id, graph_.values.constant(0, graph_.values[id].type));
    }
    return result;
  }

 private:
  /// Finds, for each node, an event with an undefined value on which the node depends.
  void find_nodes() {
    sources_.assign(graph_.values.size(), kNoEvent);
    for (NodeId id = 0; id < graph_.values.size(); ++id) {
      const ValueNode& node = graph_.values[id];
      if (node.op == Op::Register) sources_[id] = source_of_read(node);
      if (node.op == Op::Const || node.op == Op::Register) continue;
      for (std::size_t i = 0; i < arity(node.op); ++i) {
        if (sources_[node.arguments[i]] != kNoEvent) sources_[id] = sources_[node.arguments[i]];
      }
    }
  }

  EventId source_of_read(const ValueNode& node) const {
    if (is_undefined(node)) return node.read - kUndefined;
    if (node.read >= graph_.size()) return kNoEvent;
    for (const LocationId location : graph_.events[node.read].locations) {
      if (tainted_cells_[location] != kNoEvent) return tainted_cells_[location];
    }
    return kNoEvent;
  }

  bool taint_more_cells() {
    bool changed = false;
    for (const Event& event : graph_.events) {
      if (!event.is_write() || sources_[event.value] == kNoEvent || event.guard == ValueGraph::kFalse) continue;
      for (const LocationId location : event.locations) {
        changed = changed || tainted_cells_[location] == kNoEvent;
        if (tainted_cells_[location] == kNoEvent) tainted_cells_[location] = sources_[event.value];
      }
    }
    return changed;
  }

  void check(NodeId node) const { refuse(sources_[node]); }

  void refuse(EventId source) const {
    if (source == kNoEvent) return;
    const Event& event = graph_.events[source];
    throw Stopped{UnknownReason::Unsupported,
                  fmt::format("line {}: the value that {} receives here is undefined in CUDA, because the sending lane "
                              "takes no part or calls another function; the answer depends on this value",
                              event.span.line, draft_.program().threads[event.thread].name)};
  }

  Draft& draft_;
  EventGraph& graph_;
  std::vector<EventId> tainted_cells_;  ///< for each location, an event whose undefined value the location may contain
  std::vector<EventId> sources_;
};

/// Replaces nodes by their definitions in draft and gatherings. Returns false if a definition depends on itself.
bool replace(Draft& draft, std::span<Gathering> gatherings, std::unordered_map<NodeId, NodeId> definitions) {
  Substitution substitution(draft.graph.values, std::move(definitions));
  for_each_node(draft, [&](NodeId& node) { node = substitution.image(node); });
  for (Gathering& gathering : gatherings) {
    for (Gathering::Giver& giver : gathering.givers) giver.condition = substitution.image(giver.condition);
  }
  return !substitution.is_circular();
}

}  // namespace

NodeId received_value(ValueGraph& values, EventId barrier, ScalarType type) { return values.read(barrier, type); }

std::optional<Diagnostic> settle_exchanges(Draft& draft, std::span<Gathering> gatherings) {
  std::unordered_map<NodeId, NodeId> definitions;
  EventGraph& graph = draft.graph;
  Receiver receiver(draft);
  std::map<EventId, const Gathering*> known;
  for (const Gathering& gathering : gatherings) known.emplace(gathering.receiver, &gathering);
  for (EventId e = 0; e < graph.size(); ++e) {
    if (graph.events[e].kind != EventKind::Barrier || !barrier_of(graph, e).exchange) continue;
    const ScalarType type = joined_type(*barrier_of(graph, e).exchange);
    const auto gathering = known.find(e);
    const bool is_known = gathering != known.end() && !gathering->second->givers.empty();
    const NodeId result = is_known ? receiver.receive(*gathering->second) : graph.values.read(kUndefined + e, type);
    definitions.emplace(received_value(graph.values, e, type), result);
  }
  if (definitions.empty()) return std::nullopt;
  if (!replace(draft, gatherings, std::move(definitions))) {
    return Diagnostic{draft.program().source, {}, "a value that threads exchange depends on itself", ""};
  }
  std::erase_if(graph.incidents, [](const Incident& incident) { return incident.condition == ValueGraph::kFalse; });
  narrow_addresses(draft);
  UndefinedFlow undefined(draft);
  undefined.check_program();
  if (auto replacements = undefined.replacements(); !replacements.empty())
    replace(draft, gatherings, std::move(replacements));
  return std::nullopt;
}

}  // namespace ambit::events
