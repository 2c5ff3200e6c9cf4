// Tensor maps as declarations: which elements of an array a tensor copy moves (PTX ISA, "Tensors"; the descriptor
// itself is taken to be constant).

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "parser/ptx/locations.h"
#include "parser/ptx/type_suffix.h"

namespace ambit::parser::ptx {
namespace {

constexpr Value kMostBox = 256;  ///< elements in one dimension
constexpr Value kUnit = 16;      ///< bytes: strides and the innermost dimension of the box are multiples

Value product(const std::vector<Value>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), Value{1}, std::multiplies<>());
}

/// What is wrong with the numbers of a tensor map; empty: nothing.
std::string flaw_of(const TensorMap& map, Value length) {
  const std::size_t rank = map.sizes.size();
  if (rank > static_cast<std::size_t>(kMostDimensions))
    return fmt::format("a tensor has 1 to {} dimensions, not {}", kMostDimensions, rank);
  if (map.box.size() != rank) return fmt::format("the tensor has {} dimensions and the box {}", rank, map.box.size());
  for (std::size_t i = 0; i < rank; ++i) {
    if (map.sizes[i] < 1 || map.sizes[i] > length) return fmt::format("the array has {} elements", length);
    if (map.box[i] < 1 || map.box[i] > std::min(map.sizes[i], kMostBox)) {
      return fmt::format("the box has {} elements in dimension {}; it must have 1 to {}", map.box[i], i,
                         std::min(map.sizes[i], kMostBox));
    }
  }
  if (product(map.sizes) != length) {
    return fmt::format("the tensor has {} elements and the array {}", product(map.sizes), length);
  }
  const bool has_stride = rank > 1;
  if (map.box[0] * map.element_bytes % kUnit != 0) {
    return fmt::format("the innermost dimension of the box has {} bytes: PTX asks for a multiple of {}",
                       map.box[0] * map.element_bytes, kUnit);
  }
  if (has_stride && map.sizes[0] * map.element_bytes % kUnit != 0) {
    return fmt::format("the innermost dimension of the tensor has {} bytes: PTX asks for a multiple of {}",
                       map.sizes[0] * map.element_bytes, kUnit);
  }
  return {};
}

}  // namespace

Value TensorMap::box_bytes() const { return product(box) * element_bytes; }

void Memory::resolve_tensors() {
  for (const DeclarationNode* node : tensor_declarations_) {
    TensorMap& map = tensors_[node->name.text];
    map.span = node->name.span;
    map.array.kind = OperandNode::Kind::Location;
    map.array.name = node->target;
    map.array.span = node->target.span;
    map.array.in_brackets = true;
    map.sizes = node->sizes;
    map.box = node->box;
    const auto found = by_name_.find(node->target.text);
    const DeclarationNode* array = found == by_name_.end() ? nullptr : names_[found->second].declaration;
    const auto type = array != nullptr && array->type ? read_type_suffix(*array->type) : std::nullopt;
    if (!type || !array->length || array->is_shared || array->block) {
      reporter_.error(
          node->target.span,
          fmt::format("'{}' must be an array in global memory that is declared with its type", node->target.text),
          fmt::format("declare it before: .u64 {}[16]", node->target.text));
      continue;
    }
    map.element_bytes = type->bits / 8;
    if (std::string flaw = flaw_of(map, *array->length); !flaw.empty()) {
      reporter_.error(node->name.span, std::move(flaw), "t = tensormap(ARRAY, {SIZES}, {BOX}), the innermost first");
    }
  }
}

bool Memory::is_location(std::string_view name) const { return by_name_.contains(name); }

const TensorMap* Memory::tensor(std::string_view name) const {
  const auto found = tensors_.find(name);
  return found == tensors_.end() ? nullptr : &found->second;
}

}  // namespace ambit::parser::ptx
