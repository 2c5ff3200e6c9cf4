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
      const Value object = object_of(node.constant);
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
      // A product or mask of pointers does not point into a known object.
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

/// The address of the same cell in the object that has it, where `address` may fall into one of the aliases among
/// `objects`.
NodeId resolve_aliases(Draft& draft, NodeId address, const std::set<ObjectId>& objects) {
  ValueGraph& values = draft.graph.values;
  NodeId cell = address;
  for (const ObjectId object : objects) {
    const MemoryObject& described = draft.program().objects[object];
    if (!described.alias_of) continue;
    const Value distance = make_address(*described.alias_of, 0) - make_address(object, 0);
    const NodeId moved = values.make(Op::Add, kLongLong, std::array{address, values.constant(distance, kLongLong)});
    const NodeId inside = objects.size() == 1 ? ValueGraph::kTrue : within(values, address, object, described);
    cell = values.select(inside, moved, cell, kLongLong);
  }
  return cell;
}

/// In bounds of one of the objects.
NodeId within_any(Draft& draft, NodeId address, const std::set<ObjectId>& objects) {
  NodeId inside = ValueGraph::kFalse;
  for (const ObjectId object : objects) {
    const NodeId in_this = within(draft.graph.values, address, object, draft.program().objects[object]);
    inside = draft.graph.values.disjunction(inside, in_this);
  }
  return inside;
}

void sort_unique(std::vector<LocationId>& locations) {
  std::sort(locations.begin(), locations.end());
  locations.erase(std::unique(locations.begin(), locations.end()), locations.end());
}

std::optional<AccessTarget> by_static_values(Draft& draft, NodeId address, NodeId guard) {
  AccessTarget target;
  target.address = address;
  std::set<ObjectId> objects;
  bool is_in_bounds = true;
  const bool is_known = draft.static_values.for_each_combination(
      draft.graph.values, draft.graph.events, std::array{address, guard}, [&](std::span<const Value> found) {
        if (found[1] == 0) return true;
        const auto location = draft.program().location_at(found[0]);
        if (location) {
          target.locations.push_back(*location);
          objects.insert(static_cast<ObjectId>(object_of(found[0])));
        } else {
          is_in_bounds = false;
        }
        return true;
      });
  if (!is_known) return std::nullopt;
  sort_unique(target.locations);
  target.cell = resolve_aliases(draft, address, objects);
  if (!is_in_bounds) target.in_bounds = within_any(draft, address, objects);
  return target;
}

}  // namespace

AccessTarget resolve_address(Draft& draft, NodeId address, NodeId guard) {
  ValueGraph& values = draft.graph.values;
  const Program& program = draft.program();
  AccessTarget target;
  target.address = values.cast(address, kLongLong);
  target.cell = target.address;
  if (values.is_constant(target.address)) {
    const Value constant = values[target.address].constant;
    const auto location = program.location_at(constant);
    if (location) {
      target.locations = {*location};
      target.cell = resolve_aliases(draft, target.address, {static_cast<ObjectId>(object_of(constant))});
    }
    target.in_bounds = location ? ValueGraph::kTrue : ValueGraph::kFalse;
    return target;
  }
  if (auto found = by_static_values(draft, target.address, guard)) return *std::move(found);
  BaseObjects bases;
  add_bases(values, program, target.address, bases);
  if (bases.is_unknown || bases.objects.empty()) {
    for (ObjectId object = 0; object < program.objects.size(); ++object) bases.objects.insert(object);
  }
  for (const ObjectId object : bases.objects) {
    const MemoryObject& described = program.objects[object];
    for (std::uint32_t i = 0; i < described.length; ++i) target.locations.push_back(described.first + i);
  }
  sort_unique(target.locations);
  target.in_bounds = within_any(draft, target.address, bases.objects);
  target.cell = resolve_aliases(draft, target.address, bases.objects);
  return target;
}

}  // namespace ambit::events
