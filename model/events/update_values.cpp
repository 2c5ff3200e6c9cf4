#include "model/events/update_values.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace ambit::events {
namespace {

constexpr std::size_t kMostStates = std::size_t{1} << 16U;

/// Numbers nodes as functions of the value of one read. Equal functions have equal numbers.
class Functions {
 public:
  explicit Functions(const ValueGraph& values) : values_(values) {}

  std::size_t number(NodeId node, EventId own) {
    std::unordered_map<NodeId, std::size_t> known;
    return number(node, own, known);
  }

 private:
  using Key = std::tuple<Op, std::uint8_t, bool, Value, EventId, std::array<std::size_t, 3>>;

  std::size_t number(NodeId node, EventId own, std::unordered_map<NodeId, std::size_t>& known) {
    if (const auto found = known.find(node); found != known.end()) return found->second;
    const ValueNode& n = values_[node];
    std::array<std::size_t, 3> arguments{};
    for (std::size_t i = 0; i < arity(n.op); ++i) arguments[i] = number(n.arguments[i], own, known);
    const EventId read = n.op != Op::Register ? kNoEvent : n.read == own ? 0 : n.read + 1;
    const Value constant = n.op == Op::Const ? n.constant : 0;
    const Key key{n.op, n.type.bits, n.type.is_signed, constant, read, arguments};
    return known[node] = numbers_.try_emplace(key, numbers_.size()).first->second;
  }

  const ValueGraph& values_;
  std::map<Key, std::size_t> numbers_;
};

/// The read-modify-writes that access one cell.
class CellUpdates {
 public:
  CellUpdates(const EventGraph& graph, Context& context) : graph_(graph), context_(context) {}

  /// Adds a write to the cell. Returns false if the analysis does not support the cell.
  bool add(EventId write, Functions& functions) {
    const Event& event = graph_.events[write];
    if (event.locations.size() != 1) return false;
    if (graph_.values.is_constant(event.value)) {
      constants_.insert(graph_.values[event.value].constant);
      return true;
    }
    if (event.rmw_partner == kNoEvent) return false;
    EventSet reads(graph_.size());
    graph_.values.collect_reads(event.value, reads);
    const bool is_step =
        reads.count() == 1 && reads.contains(event.rmw_partner) && !graph_.is_choice(event.rmw_partner);
    if (!is_step) return false;
    const std::size_t function = functions.number(event.value, event.rmw_partner);
    auto kind = std::ranges::find(kinds_, function, &Kind::function);
    if (kind == kinds_.end()) kind = kinds_.insert(kinds_.end(), {function, write, {}});
    kind->reads.push_back(event.rmw_partner);
    ++updates_;
    return true;
  }

  std::size_t updates() const { return updates_; }

  /// Adds the values that the reads return. Adds nothing if there are too many states.
  void find(std::map<EventId, std::vector<Value>>& found) {
    std::vector<std::set<Value>> read(kinds_.size());
    std::set<State> known;
    std::vector<State> open;
    for (const Value constant : constants_) open.push_back({constant, std::vector<std::size_t>(kinds_.size(), 0)});
    known.insert(open.begin(), open.end());
    while (!open.empty()) {
      const State state = std::move(open.back());
      open.pop_back();
      for (std::size_t k = 0; k < kinds_.size(); ++k) {
        if (state.second[k] == kinds_[k].reads.size()) continue;
        read[k].insert(state.first);
        State next = state;
        ++next.second[k];
        next.first = applied(k, state.first);
        context_.poll(10);
        if (known.insert(next).second) open.push_back(std::move(next));
        if (known.size() > kMostStates) return;
      }
    }
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      for (const EventId one : kinds_[k].reads) found[one].assign(read[k].begin(), read[k].end());
    }
  }

 private:
  struct Kind {
    std::size_t function;
    EventId write;               ///< one write of this kind
    std::vector<EventId> reads;  ///< the read halves of all writes of this kind
  };
  /// A state: a value, and how often each kind has been applied.
  using State = std::pair<Value, std::vector<std::size_t>>;

  Value applied(std::size_t kind, Value before) {
    const auto [at, is_new] = results_.try_emplace({kind, before}, 0);
    if (!is_new) return at->second;
    const Event& event = graph_.events[kinds_[kind].write];
    std::unordered_map<NodeId, Value> known;
    const auto value_of_read = [&](EventId) { return std::optional(before); };
    return at->second = *evaluate(graph_.values, event.value, value_of_read, known);
  }

  const EventGraph& graph_;
  Context& context_;
  std::set<Value> constants_;
  std::vector<Kind> kinds_;
  std::size_t updates_ = 0;
  std::map<std::pair<std::size_t, Value>, Value> results_;
};

}  // namespace

std::map<EventId, std::vector<Value>> values_of_updates(const EventGraph& graph, Context& context, std::size_t least) {
  std::vector<std::vector<EventId>> writes(graph.program->locations.size());
  for (EventId e = 0; e < graph.size(); ++e) {
    if (!graph.events[e].is_write()) continue;
    for (const LocationId location : graph.events[e].locations) writes[location].push_back(e);
  }
  Functions functions(graph.values);
  std::map<EventId, std::vector<Value>> found;
  for (const std::vector<EventId>& of_cell : writes) {
    if (of_cell.size() < least) continue;
    CellUpdates updates(graph, context);
    const bool is_followed = std::ranges::all_of(of_cell, [&](EventId write) { return updates.add(write, functions); });
    if (is_followed && updates.updates() >= least) updates.find(found);
  }
  return found;
}

}  // namespace ambit::events
