#include <algorithm>
#include <set>

#include "model/events/draft.h"

namespace ambit::events {
namespace {

/// Objects whose address may be part of a value.
struct BaseObjects {
  std::set<ObjectId> objects;
  bool is_unknown = false;  ///< a pointer that was read from memory: any object
};

void add_bases(const ValueGraph& values, const Program& program, NodeId id, BaseObjects& bases) {
  if (values.result_type(id).bits < 64) return;  // too narrow for a pointer
  const ValueNode& node = values[id];
  const auto argument = [&](std::size_t i) { add_bases(values, program, node.arguments[i], bases); };
  switch (node.op) {
    case Op::Const: {
      const Value object = (node.constant >> 32) - 1;
      if (object >= 0 && object < static_cast<Value>(program.objects.size())) {
        bases.objects.insert(static_cast<ObjectId>(object));
      }
      return;
    }
    case Op::Register: bases.is_unknown = true; return;
    case Op::Select:
      argument(1);
      argument(2);
      return;
    case Op::Cast: argument(0); return;
    case Op::Add:
    case Op::Subtract:
      argument(0);
      argument(1);
      return;
    default: {
      // A product or mask of pointers is no pointer into a known object.
      BaseObjects inner;
      for (const NodeId a : node.arguments) {
        if (a > ValueGraph::kTrue) add_bases(values, program, a, inner);
      }
      if (inner.is_unknown || !inner.objects.empty()) bases.is_unknown = true;
    }
  }
}

/// Element `address` lies in `object`: (address - base) <u length.
NodeId within(ValueGraph& values, NodeId address, ObjectId object, const MemoryObject& described) {
  const NodeId base = values.constant(make_address(object, 0), kLongLong);
  const NodeId offset = values.make(Op::Subtract, kLongLong, std::array{address, base});
  const NodeId length = values.constant(described.length, kUnsignedLongLong);
  return values.make(Op::Less, kUnsignedLongLong, std::array{offset, length});
}

std::optional<AccessTarget> by_static_values(Draft& draft, NodeId address, NodeId guard) {
  AccessTarget target;
  target.address = address;
  bool is_in_bounds = true;
  const bool is_known = draft.static_values.for_each_combination(
      draft.graph.values, draft.graph.events, std::array{address, guard}, [&](std::span<const Value> found) {
        if (found[1] == 0) return true;
        const auto location = draft.program().location_at(found[0]);
        if (location) {
          target.locations.push_back(*location);
        } else {
          is_in_bounds = false;
        }
        return true;
      });
  if (!is_known) return std::nullopt;
  std::sort(target.locations.begin(), target.locations.end());
  target.locations.erase(std::unique(target.locations.begin(), target.locations.end()), target.locations.end());
  if (is_in_bounds) return target;
  target.in_bounds = ValueGraph::kFalse;
  std::set<ObjectId> objects;
  for (const LocationId location : target.locations) objects.insert(draft.program().locations[location].object);
  for (const ObjectId object : objects) {
    const NodeId inside = within(draft.graph.values, address, object, draft.program().objects[object]);
    target.in_bounds = draft.graph.values.disjunction(target.in_bounds, inside);
  }
  return target;
}

}  // namespace

AccessTarget resolve_address(Draft& draft, NodeId address, NodeId guard) {
  ValueGraph& values = draft.graph.values;
  const Program& program = draft.program();
  AccessTarget target;
  target.address = values.cast(address, kLongLong);
  if (values.is_constant(target.address)) {
    const auto location = program.location_at(values[target.address].constant);
    if (location) target.locations = {*location};
    target.in_bounds = location ? ValueGraph::kTrue : ValueGraph::kFalse;
    return target;
  }
  if (auto found = by_static_values(draft, target.address, guard)) return *std::move(found);
  BaseObjects bases;
  add_bases(values, program, target.address, bases);
  if (bases.is_unknown || bases.objects.empty()) {
    for (ObjectId object = 0; object < program.objects.size(); ++object) bases.objects.insert(object);
  }
  target.in_bounds = ValueGraph::kFalse;
  for (const ObjectId object : bases.objects) {
    const MemoryObject& described = program.objects[object];
    for (std::uint32_t i = 0; i < described.length; ++i) target.locations.push_back(described.first + i);
    target.in_bounds = values.disjunction(target.in_bounds, within(values, target.address, object, described));
  }
  std::sort(target.locations.begin(), target.locations.end());
  return target;
}

}  // namespace ambit::events
