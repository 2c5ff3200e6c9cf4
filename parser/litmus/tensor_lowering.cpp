#include "parser/litmus/tensor_lowering.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "base/plural.h"

namespace ambit::parser::litmus {
namespace {

constexpr std::string_view kDeclarationForm = "declare it in a comment: // ambit: {} = tensormap(g, {{4,4}}, {{2,2}});";

}  // namespace

bool TensorLowering::is_map(const Operand& pointer, SourceSpan span) {
  if (pointer.erroneous) return false;
  if (pointer.type.is_pointer && pointer.type.is_tensor_map && !pointer.local) return true;
  thread_.error(span,
                pointer.local ? "this tensor map is a local variable of the thread"
                              : fmt::format("expected the address of a CUtensorMap, found {}", to_string(pointer.type)),
                "take the address of a kernel parameter const __grid_constant__ CUtensorMap, or of a map in global "
                "memory");
  return false;
}

/// Returns the declaration of the map that `pointer` points to. Returns null after an error, and in code that the
/// thread never reaches.
const TensorMap* TensorLowering::declared(const Operand& pointer, SourceSpan span) {
  if (!is_map(pointer, span) || !thread_.values_matter()) return nullptr;
  const auto fail = [&](std::string message, std::string hint) -> const TensorMap* {
    thread_.error(span, std::move(message), std::move(hint));
    return nullptr;
  };
  if (!pointer.expr.is_constant()) {
    return fail("Ambit does not know which tensor map this is", "use an index that is constant in each thread");
  }
  if (!places_.dereference(pointer, span)) return nullptr;
  const auto object = static_cast<ObjectId>(object_of(pointer.expr.constant));
  const std::uint32_t index = index_of(pointer.expr.constant);
  TensorMapTable& maps = thread_.assembly.tensor_maps;
  const TensorMap* map = maps.find(object, index, thread_.memory, thread_.assembly.reporter);
  if (map != nullptr || maps.is_wrong(object, index)) return map;
  const Program& program = thread_.assembly.program;
  const std::string& name = program.locations[program.objects[object].first + index].name;
  if (program.objects[object].space == MemorySpace::Shared) {
    return fail(fmt::format("'{}' is in shared memory: tensor copies take maps in global memory", name),
                "copy it by cuda::ptx::tensormap_cp_fenceproxy");
  }
  return fail(fmt::format("the tensor map '{}' has no declaration", name),
              fmt::format(fmt::runtime(kDeclarationForm), name));
}

std::optional<TensorBox> TensorLowering::box(const Operand& pointer, const std::vector<Operand>& coordinates,
                                             std::string_view dimensions, SourceSpan span) {
  const TensorMap* map = declared(pointer, span);
  if (map == nullptr) return std::nullopt;
  const std::size_t rank = map->shape.sizes.size();
  if (dimensions != fmt::format("{}d", coordinates.size())) {
    return thread_.error(span,
                         fmt::format("'.{}' does not fit {}", dimensions, plural(coordinates.size(), "coordinate")));
  }
  if (coordinates.size() != rank) {
    return thread_.error(span, fmt::format("the tensor has {}, but the copy has {}", plural(rank, "dimension"),
                                           plural(coordinates.size(), "coordinate")));
  }
  TensorBox made{map, {}, pointer};
  for (const Operand& coordinate : coordinates) {
    using Limits = std::numeric_limits<std::int32_t>;
    const auto value = async_.constant(coordinate, Limits::min(), Limits::max(), span, "coordinate of the box");
    if (!value) return std::nullopt;
    made.coordinates.push_back(*value);
  }
  std::string flaw = map->shape.box_flaw(made.coordinates);
  if (flaw.empty()) return made;
  return thread_.error(span, std::move(flaw), "Ambit does not support boxes that are partly outside");
}

std::optional<std::vector<AsyncCell>> TensorLowering::cells(const TensorBox& box, SourceSpan span) {
  std::vector<AsyncCell> found;
  const Value row_bytes = box.map->shape.row_bytes();
  for (const Value index : box.map->shape.rows(box.coordinates)) {
    const Value address = make_address(box.map->array, static_cast<std::uint32_t>(index));
    Operand row(Expr::make_constant(address, kAddress), box.map->element);
    row.type.is_pointer = true;
    auto cells = async_.cells(row, row_bytes, span);
    if (!cells) return std::nullopt;
    found.insert(found.end(), cells->begin(), cells->end());
  }
  return found;
}

std::optional<AsyncCell> TensorLowering::map_cell(const Operand& pointer, SourceSpan span) {
  if (!is_map(pointer, span)) return std::nullopt;
  std::optional<Place> place = places_.dereference(pointer, span);
  return place ? std::optional(AsyncCell{*std::move(place), 0}) : std::nullopt;
}

void TensorLowering::read_map(const TensorBox& box, AsyncStep& operation) {
  const auto object = static_cast<ObjectId>(object_of(box.pointer.expr.constant));
  if (!thread_.assembly.tensor_maps.is_accessed(object)) return;
  const std::optional<AsyncCell> cell = map_cell(box.pointer, {});
  if (!cell) return;
  operation.elements.push_back({async_.access(*cell, Proxy::Tensormap), std::nullopt, {}, std::nullopt});
}

bool TensorLowering::is_size_of_map(const Operand& bytes, SourceSpan span) {
  return async_.constant(bytes, ptx::kMapBytes, ptx::kMapBytes, span, "size of a tensor map").has_value();
}

void TensorLowering::replace(const Operand& pointer, const Operand* ordinal, const Operand& value, SourceSpan span) {
  if (ordinal != nullptr && !async_.constant(*ordinal, 0, ptx::kMostDimensions - 1, span, "dimension")) return;
  const std::optional<AsyncCell> cell = map_cell(pointer, span);
  if (!cell || value.erroneous) return;
  Operand number = value;
  if (number.type.is_pointer) number = Operand::integer(std::move(number.expr));  // the new address of the tensor
  thread_.code.emit(Store{async_.access(*cell, Proxy::Generic),
                          Operand::opaque(cell_type(cell->place.type), {std::move(number)}).expr, LockRole::None},
                    span);
}

bool TensorLowering::copy(const Operand& target, const Operand& source, const Operand& bytes, SourceSpan span) {
  const std::optional<AsyncCell> to = map_cell(target, span);
  const std::optional<AsyncCell> from = map_cell(source, span);
  if (!to || !from || !is_size_of_map(bytes, span)) return false;
  const Operand copied = places_.load(from->place, async_.access(*from, Proxy::Generic), span);
  thread_.code.emit(Store{async_.access(*to, Proxy::Generic), copied.expr, LockRole::None}, span);
  return true;
}

void TensorLowering::release(Scope scope, SourceSpan span) {
  thread_.code.emit(ProxyFence{.proxy = Proxy::Tensormap, .direction = ProxyFence::Direction::Release, .scope = scope},
                    span);
}

void TensorLowering::acquire(const Operand& pointer, const Operand& bytes, Scope scope, SourceSpan span) {
  if (!is_size_of_map(bytes, span) || declared(pointer, span) == nullptr) return;
  thread_.code.emit(ProxyFence{.proxy = Proxy::Tensormap,
                               .direction = ProxyFence::Direction::Acquire,
                               .scope = scope,
                               .address = pointer.expr.constant},
                    span);
}

}  // namespace ambit::parser::litmus
