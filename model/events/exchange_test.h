#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "model/events/looked.h"

namespace ambit::events {

/// Limit on the number of conditional pairs. A comparison of more pairs takes too long.
inline constexpr std::size_t kMostConditionalPairs = 4096;
/// Limit on the number of nodes and their images together, as a multiple of the number of nodes. The image of a node
/// that depends on many threads can be much larger than the node itself.
inline constexpr std::size_t kMostNodesPerNode = 4;
inline constexpr std::size_t kMostFurtherNodes = 50000;

using Exchange = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  ///< pairs of threads that are swapped

inline void add_parts(const Expr& expr, Op op, const std::vector<RegisterId>& observables,
                      std::vector<std::string>& parts);

/// Replaces the observables of the expression by `observables` and returns the resulting text. The text does not depend
/// on the order of the operands of a conjunction or disjunction.
inline std::string normal_form(const Expr& expr, const std::vector<RegisterId>& observables) {
  if (expr.op == Op::Const) return fmt::format("{}", expr.constant);
  if (expr.op == Op::Register) return fmt::format("r{}", observables[expr.reg]);
  std::vector<std::string> parts;
  const bool is_commutative = expr.op == Op::LogicalAnd || expr.op == Op::LogicalOr;
  add_parts(expr, is_commutative ? expr.op : Op::Const, observables, parts);
  if (is_commutative) std::ranges::sort(parts);
  return fmt::format("({}:{}{} {})", static_cast<int>(expr.op), expr.type.bits, expr.type.is_signed ? "s" : "u",
                     fmt::join(parts, " "));
}

/// Adds the arguments of an expression. If an argument itself has the operator `op`, adds its arguments instead.
inline void add_parts(const Expr& expr, Op op, const std::vector<RegisterId>& observables,
                      std::vector<std::string>& parts) {
  for (const Expr& argument : expr.arguments) {
    if (argument.op == op && op != Op::Const) {
      add_parts(argument, op, observables, parts);
    } else {
      parts.push_back(normal_form(argument, observables));
    }
  }
}

/// Decides whether an exchange of threads is an automorphism of the graph.
class ExchangeTest {
 public:
  ExchangeTest(const EventGraph& graph, const Looked& looked, Context& context)
      : graph_(graph),
        looked_(looked),
        context_(context),
        values_(graph.values),
        events_of_(graph.program->threads.size()),
        image_of_(graph.size()),
        location_image_(graph.program->locations.size()),
        accesses_(graph.program->locations.size()),
        is_read_(graph.program->locations.size(), false),
        is_observed_(graph.program->locations.size(), false) {
    values_.set_context(&context);
    values_.set_most_nodes(kMostNodesPerNode * values_.size() + kMostFurtherNodes);
    std::iota(image_of_.begin(), image_of_.end(), EventId{0});
    std::iota(location_image_.begin(), location_image_.end(), LocationId{0});
    for (EventId e = 0; e < graph.size(); ++e) {
      const Event& event = graph.events[e];
      if (event.thread != kNoThread) events_of_[event.thread].push_back(e);
      for (const LocationId l : event.locations) {
        if (event.kind != EventKind::InitialWrite) accesses_[l].push_back(e);
        if (event.is_read()) is_read_[l] = true;
      }
      if (depends_on_others(e)) shared_.push_back(e);
    }
    for (const Observable& observable : graph.program->observables) {
      if (looked.observables == Looked::Observables::None) break;
      if (observable.kind == Observable::Kind::Memory) is_observed_[observable.location] = true;
    }
    if (looked.observables == Looked::Observables::Condition) conditions_ = conditions(same_observables());
    for (const BaseRelation values :
         {BaseRelation::AddressDependency, BaseRelation::DataDependency, BaseRelation::ReadModifyWritePair}) {
      looked_.relations.set(static_cast<std::size_t>(values));  // candidate executions depend on these relations
    }
    inverses_.resize(graph.relations.size());
    for (std::uint32_t r = 0; r < graph.relations.size(); ++r) {
      const ConditionalRelation& relation = graph.relations[r];
      if (!looked_.relations[r]) continue;
      if (relation.always.stride() != 0) inverses_[r] = inverse(relation.always);
      for (const auto& pair : relation.sometimes) pairs_.emplace(r, pair.from, pair.to, pair.condition);
    }
    for (std::uint32_t s = 0; s < graph.sets.size(); ++s) {
      if (!looked_.sets[s]) continue;
      for (const auto& member : graph.sets[s].sometimes) members_.emplace(s, member.event, member.condition);
    }
    for (const Incident& incident : graph.incidents) troubled_.insert(incident.thread);
    requirements_.insert(graph.requirements.begin(), graph.requirements.end());
  }

  const std::vector<EventId>& events_of(std::uint32_t thread) const { return events_of_[thread]; }
  bool is_too_large() const { return pairs_.size() > kMostConditionalPairs; }

  bool passes(const Exchange& exchange) {
    context_.poll(graph_.size() / 10 + 1);
    const bool result = map_threads(exchange) && map_memory() && keeps_events() && keeps_sets() && keeps_relations() &&
                        keeps_the_rest();
    if (result) {
      for (const LocationId l : moved_locations_) moved_ever_.insert(l);
    }
    reset();
    return result;
  }

  /// Returns the cells that some successful exchange maps to other cells.
  const std::set<LocationId>& moved_locations() const { return moved_ever_; }

 private:
  /// Returns whether the event's guard or value depends on reads by other threads.
  bool depends_on_others(EventId e) const {
    const Event& event = graph_.events[e];
    if (event.thread == kNoThread) return false;
    EventSet reads(graph_.size());
    graph_.values.collect_reads(event.guard, reads);
    if (event.is_write()) graph_.values.collect_reads(event.value, reads);
    bool result = false;
    reads.for_each([&](EventId read) { result = result || graph_.events[read].thread != event.thread; });
    return result;
  }

  static bool look_alike(const Event& a, const Event& b) {
    return a.kind == b.kind && a.order == b.order && a.scope == b.scope && a.has_scope == b.has_scope &&
           a.is_atomic == b.is_atomic && a.is_volatile == b.is_volatile && a.is_reduction == b.is_reduction &&
           a.is_rmw == b.is_rmw && a.is_await == b.is_await && a.is_alias_fence == b.is_alias_fence &&
           a.proxy == b.proxy && a.type == b.type && a.instruction == b.instruction &&
           a.alternatives == b.alternatives && a.span == b.span && a.locations.size() == b.locations.size();
  }

  /// Returns the distance from the event to the other half of its read-modify-write.
  std::optional<EventId> partner_distance(EventId e) const {
    const EventId partner = graph_.events[e].rmw_partner;
    if (partner == kNoEvent) return std::nullopt;
    return partner - e;
  }

  bool map_threads(const Exchange& exchange) {
    for (const auto& [t, u] : exchange) {
      if (troubled_.contains(t) || troubled_.contains(u)) return false;
      const auto& from = events_of_[t];
      const auto& to = events_of_[u];
      if (from.size() != to.size()) return false;
      for (std::size_t i = 0; i < from.size(); ++i) {
        image_of_[from[i]] = to[i];
        image_of_[to[i]] = from[i];
        moved_events_.push_back(from[i]);
        moved_events_.push_back(to[i]);
        if (partner_distance(from[i]) != partner_distance(to[i])) return false;
        if (!look_alike(graph_.events[from[i]], graph_.events[to[i]])) return false;
      }
    }
    return true;
  }

  /// Maps the cells in the same way as the threads' accesses. Only the exchanged threads may access a cell that moves.
  bool map_memory() {
    for (const EventId e : moved_events_) {
      const Event& event = graph_.events[e];
      if (!event.is_access()) continue;
      const Event& image = graph_.events[image_of_[e]];
      if (event.locations.size() != 1 || image.locations.size() != 1) {
        pinned_.insert(pinned_.end(), event.locations.begin(), event.locations.end());
        pinned_.insert(pinned_.end(), image.locations.begin(), image.locations.end());
        continue;
      }
      if (!map_cell(event.locations.front(), image.locations.front())) return false;
      if (!graph_.values.is_constant(event.address)) pinned_.push_back(event.locations.front());
    }
    for (const LocationId l : pinned_) {
      if (location_image_[l] != l) return false;
    }
    const auto is_moved = [&](EventId e) { return image_of_[e] != e; };
    for (const LocationId l : moved_locations_) {
      if (!std::ranges::all_of(accesses_[l], is_moved)) return false;
      const Location& cell = graph_.program->locations[l];
      const Location& image = graph_.program->locations[location_image_[l]];
      if (cell.type != image.type || (cell.initial != image.initial && (is_read_[l] || is_observed_[l]))) {
        return false;
      }
      moved_events_.push_back(l);  // the initial write
      image_of_[l] = location_image_[l];
    }
    return true;
  }

  bool map_cell(LocationId from, LocationId to) {
    if (location_image_[from] == to) {
      if (from == to) pinned_.push_back(from);
      return true;
    }
    if (location_image_[from] != from || location_image_[to] != to) return false;
    location_image_[from] = to;
    location_image_[to] = from;
    moved_locations_.push_back(from);
    moved_locations_.push_back(to);
    return true;
  }

  /// Returns the node with the reads of exchanged threads swapped. Equal functions of reads have one node.
  NodeId image(NodeId node) {
    if (const auto known = node_images_.find(node); known != node_images_.end()) return known->second;
    const ValueNode n = values_[node];
    NodeId result = node;
    if (n.op == Op::Register) {
      if (n.read < image_of_.size() && image_of_[n.read] != n.read) result = values_.read(image_of_[n.read], n.type);
    } else if (n.op != Op::Const) {
      std::array<NodeId, 3> arguments{};
      bool same = true;
      for (std::size_t i = 0; i < arity(n.op); ++i) {
        arguments[i] = image(n.arguments[i]);
        same = same && arguments[i] == n.arguments[i];
      }
      if (!same) result = values_.make(n.op, n.type, std::span(arguments).first(arity(n.op)));
    }
    node_images_.emplace(node, result);
    return result;
  }

  bool keeps_event(EventId e) {
    const Event& event = graph_.events[e];
    const Event& other = graph_.events[image_of_[e]];
    if (event.kind == EventKind::InitialWrite) return true;
    if (image(event.guard) != other.guard) return false;
    if (!event.is_access()) return true;
    if (!graph_.values.is_constant(event.address) || event.locations.size() != 1) {
      if (image(event.address) != other.address || image(event.cell) != other.cell) return false;
      if (event.locations != other.locations) return false;
    }
    return is_unseen(event) || image(event.value) == other.value;
  }

  /// Returns whether no read can see the write.
  bool is_unseen(const Event& event) const {
    return event.is_write() &&
           std::ranges::none_of(event.locations, [&](LocationId l) { return is_read_[l] || is_observed_[l]; });
  }

  bool keeps_events() {
    const auto keeps = [&](EventId e) { return keeps_event(e); };
    return std::ranges::all_of(moved_events_, keeps) && std::ranges::all_of(shared_, keeps);
  }

  bool keeps_sets() {
    for (std::uint32_t s = 0; s < graph_.sets.size(); ++s) {
      if (!looked_.sets[s]) continue;
      const ConditionalSet& set = graph_.sets[s];
      const bool has_members = set.always.word_count() != 0;
      for (const EventId e : moved_events_) {
        if (has_members && set.always.contains(e) != set.always.contains(image_of_[e])) return false;
      }
      for (const auto& member : set.sometimes) {
        if (!members_.contains({s, image_of_[member.event], image(member.condition)})) return false;
      }
    }
    return true;
  }

  bool keeps_relations() {
    for (std::uint32_t r = 0; r < graph_.relations.size(); ++r) {
      if (!looked_.relations[r]) continue;
      const ConditionalRelation& relation = graph_.relations[r];
      if (relation.always.stride() != 0) {
        for (const EventId e : moved_events_) {
          if (!keeps_row(relation.always, e) || !keeps_row(inverses_[r], e)) return false;
        }
      }
      for (const auto& pair : relation.sometimes) {
        if (!pairs_.contains({r, image_of_[pair.from], image_of_[pair.to], image(pair.condition)})) return false;
      }
    }
    return true;
  }

  /// Returns whether row `e`, after the exchange of its columns, equals the row of the image of `e`. The comparison
  /// covers only the exchanged columns.
  bool keeps_row(const Relation& relation, EventId e) {
    const std::uint64_t* from = relation.row(e);
    const std::uint64_t* to = relation.row(image_of_[e]);
    if (columns_.word_count() == 0) {
      columns_ = EventSet(graph_.size());
      for (const EventId moved : moved_events_) columns_.insert(moved);
    }
    for (std::size_t w = 0; w < relation.stride(); ++w) {
      if (((from[w] ^ to[w]) & ~columns_.words()[w]) != 0) return false;
    }
    return std::ranges::all_of(moved_events_, [&](EventId column) {
      return relation.contains(e, column) == relation.contains(image_of_[e], image_of_[column]);
    });
  }

  bool keeps_the_rest() {
    for (const NodeId requirement : graph_.requirements) {
      if (!requirements_.contains(image(requirement))) return false;
    }
    // Incidents of other threads may depend on reads of the exchanged threads.
    const auto keeps = [&](const Incident& incident) { return image(incident.condition) == incident.condition; };
    if (!std::ranges::all_of(graph_.incidents, keeps)) return false;
    if (image(graph_.bound_reached) != graph_.bound_reached || image(graph_.stuck) != graph_.stuck) return false;
    std::map<std::uint32_t, std::uint32_t> threads;
    for (const EventId e : moved_events_) {
      if (graph_.events[e].thread != kNoThread) threads[graph_.events[e].thread] = graph_.events[image_of_[e]].thread;
    }
    for (const EventGraph::Bound& bound : graph_.bounds) {
      const auto at = threads.find(bound.thread);
      const std::uint32_t thread = at == threads.end() ? bound.thread : at->second;
      const NodeId reached = image(bound.reached);
      const bool is_there = std::ranges::any_of(graph_.bounds, [&](const EventGraph::Bound& other) {
        return other.thread == thread && other.reached == reached;
      });
      if (!is_there) return false;
    }
    return keeps_observables();
  }

  /// Returns, for each observable, the first observable whose value is always equal.
  std::vector<RegisterId> same_observables() const {
    const auto& observables = graph_.program->observables;
    std::map<std::tuple<NodeId, std::uint8_t, bool>, RegisterId> first;
    std::vector<RegisterId> result;
    for (RegisterId i = 0; i < observables.size(); ++i) {
      const ScalarType type = observables[i].type;
      const bool is_memory = observables[i].kind == Observable::Kind::Memory;
      const auto key = std::tuple(graph_.observables[i], type.bits, type.is_signed);
      result.push_back(is_memory ? i : first.try_emplace(key, i).first->second);
    }
    return result;
  }

  /// Returns whether each observable maps to an equivalent observable that the condition does not distinguish from it.
  bool keeps_observables() {
    if (looked_.observables == Looked::Observables::None) return true;
    const auto& observables = graph_.program->observables;
    const std::vector<RegisterId> same = same_observables();
    std::vector<RegisterId> images = same;
    for (RegisterId i = 0; i < images.size(); ++i) {
      if (is_image_of_observable(i, i)) continue;
      if (looked_.observables == Looked::Observables::Each) return false;
      RegisterId j = 0;
      while (j < images.size() && !is_image_of_observable(i, j)) ++j;
      if (j == images.size() || observables[i].type != observables[j].type) return false;
      images[i] = same[j];
    }
    return images == same || conditions(images) == conditions_;
  }

  bool is_image_of_observable(RegisterId i, RegisterId j) {
    const Observable& from = graph_.program->observables[i];
    const Observable& to = graph_.program->observables[j];
    if (from.kind != to.kind) return false;
    if (from.kind == Observable::Kind::Memory) return location_image_[from.location] == to.location;
    return image(graph_.observables[i]) == graph_.observables[j];
  }

  /// Replaces the observables of filter and proposition by `observables` and returns the resulting texts.
  std::vector<std::string> conditions(const std::vector<RegisterId>& observables) const {
    std::vector<std::string> result;
    const Condition& condition = graph_.program->condition;
    if (condition.filter) result.push_back(normal_form(*condition.filter, observables));
    if (condition.proposition) result.push_back(normal_form(*condition.proposition, observables));
    return result;
  }

  void reset() {
    for (const EventId e : moved_events_) image_of_[e] = e;
    for (const LocationId l : moved_locations_) location_image_[l] = l;
    moved_events_.clear();
    moved_locations_.clear();
    pinned_.clear();
    node_images_.clear();
    columns_ = EventSet();
  }

  const EventGraph& graph_;
  Looked looked_;
  Context& context_;
  ValueGraph values_;  ///< nodes of the graph, and images of nodes
  std::vector<std::vector<EventId>> events_of_;
  std::vector<EventId> image_of_;
  std::vector<LocationId> location_image_;
  std::vector<std::vector<EventId>> accesses_;  ///< for each location, its accesses except the initial write
  std::vector<bool> is_read_;
  std::vector<bool> is_observed_;
  std::vector<EventId> shared_;  ///< events that depend on reads of other threads
  std::vector<Relation> inverses_;
  std::set<std::tuple<std::uint32_t, EventId, NodeId>> members_;         ///< members of conditional sets
  std::set<std::tuple<std::uint32_t, EventId, EventId, NodeId>> pairs_;  ///< pairs of conditional relations
  std::set<std::uint32_t> troubled_;  ///< threads with incidents, because reports name these threads
  std::unordered_set<NodeId> requirements_;
  std::vector<std::string> conditions_;  ///< the texts of the conditions before any exchange
  std::set<LocationId> moved_ever_;

  // The state during the test of one exchange.
  std::vector<EventId> moved_events_;
  std::vector<LocationId> moved_locations_;
  std::vector<LocationId> pinned_;  ///< cells that must map to themselves
  std::map<NodeId, NodeId> node_images_;
  EventSet columns_;
};

}  // namespace ambit::events
