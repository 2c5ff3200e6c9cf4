#include <algorithm>
#include <set>
#include <unordered_map>

#include "model/events/draft.h"

namespace ambit::events {
namespace {

/// The possible upper halves of a value. The upper half of an address is 1 + the number of its object. The upper half
/// of the distance between a field and its struct is the number of the field's object. The upper half of an index is 0.
struct UpperHalves {
  std::set<Value> values;
  bool is_unknown = false;  ///< any upper half is possible, because the pointer was read from memory

  void unite(const UpperHalves& other) {
    values.insert(other.values.begin(), other.values.end());
    is_unknown = is_unknown || other.is_unknown;
  }
};

constexpr std::size_t kMaximumHalves = 1000;

/// Returns the possible upper halves of the sum of two values, or of their difference if `sign` is -1. The lower halves
/// are indices, so no carry reaches the upper halves.
UpperHalves sum_of(const UpperHalves& a, const UpperHalves& b, Value sign) {
  UpperHalves sum;
  sum.is_unknown = a.is_unknown || b.is_unknown || a.values.size() * b.values.size() > kMaximumHalves;
  if (sum.is_unknown) return sum;
  for (const Value x : a.values) {
    for (const Value y : b.values) sum.values.insert(x + sign * y);
  }
  return sum;
}

/// Finds the upper halves of values. Visits each node only once, even if many nodes use it.
class UpperHalvesFinder {
 public:
  explicit UpperHalvesFinder(const ValueGraph& values) : values_(values) {}

  const UpperHalves& of(NodeId id) {
    if (const auto found = found_.find(id); found != found_.end()) return found->second;
    return found_.emplace(id, find(id)).first->second;
  }

 private:
  UpperHalves find(NodeId id) {
    if (values_.result_type(id).bits < 64) return {{0}};  // too narrow for a pointer
    const ValueNode& node = values_[id];
    const auto argument = [&](std::size_t i) { return of(node.arguments[i]); };
    switch (node.op) {
      // Round up if the lower half is negative, because a negative index has all upper bits set.
      case Op::Const: return {{(node.constant >> 32) + ((node.constant >> 31) & 1)}};
      case Op::Register: return {{}, true};
      case Op::Select: {
        UpperHalves both = argument(1);
        both.unite(argument(2));
        return both;
      }
      case Op::Cast: return argument(0);
      case Op::Add: return sum_of(argument(0), argument(1), 1);
      case Op::Subtract: return sum_of(argument(0), argument(1), -1);
      default: {
        // The result of a product or mask of pointers points into no known object.
        UpperHalves inner;
        for (const NodeId a : node.arguments) {
          if (a > ValueGraph::kTrue) inner.unite(of(a));
        }
        const bool has_pointer =
            inner.is_unknown || inner.values.size() > 1 || (inner.values.size() == 1 && *inner.values.begin() != 0);
        return has_pointer ? UpperHalves{{}, true} : UpperHalves{{0}};
      }
    }
  }

  const ValueGraph& values_;
  std::unordered_map<NodeId, UpperHalves> found_;
};

/// Returns the objects into which an address may point, or all objects if the analysis finds no limit.
std::set<ObjectId> base_objects(const ValueGraph& values, const Program& program, NodeId address) {
  const UpperHalves halves = UpperHalvesFinder(values).of(address);
  std::set<ObjectId> objects;
  for (const Value half : halves.values) {
    if (half > 0 && half <= static_cast<Value>(program.objects.size())) objects.insert(static_cast<ObjectId>(half - 1));
  }
  if (!halves.is_unknown && !objects.empty()) return objects;
  for (ObjectId object = 0; object < program.objects.size(); ++object) objects.insert(object);
  return objects;
}

/// Returns a node that is 1 iff `address` points to an element of `object`: (address - base) < length, unsigned.
NodeId within(ValueGraph& values, NodeId address, ObjectId object, const MemoryObject& described) {
  const NodeId base = values.constant(make_address(object, 0), kLongLong);
  const NodeId offset = values.make(Op::Subtract, kLongLong, std::array{address, base});
  const NodeId length = values.constant(described.length, kUnsignedLongLong);
  return values.make(Op::Less, kUnsignedLongLong, std::array{offset, length});
}

/// Replaces an address in an alias by the cell's address in the object that owns the cell. `objects` are the objects
/// into which `address` may point.
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

/// Returns a node that is not 0 iff the address is in the bounds of one of the objects.
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
  const std::set<ObjectId> objects = base_objects(values, program, target.address);
  for (const ObjectId object : objects) {
    const MemoryObject& described = program.objects[object];
    const ObjectId owner = described.alias_of.value_or(object);
    for (LocationId l = described.first; l < program.locations.size() && program.locations[l].object == owner; ++l) {
      target.locations.push_back(l);
    }
  }
  sort_unique(target.locations);
  target.in_bounds = within_any(draft, target.address, objects);
  target.cell = resolve_aliases(draft, target.address, objects);
  return target;
}

}  // namespace ambit::events
