// Reads declarations of tensor maps. A tensor map describes the array elements that a tensor copy accesses (PTX ISA,
// "Tensors"). The descriptor is assumed to be constant.

#include <fmt/format.h>

#include "parser/ptx/locations.h"
#include "parser/ptx/type_suffix.h"

namespace ambit::parser::ptx {

void Memory::resolve_tensors() {
  for (const DeclarationNode* const& node : tensor_declarations_) {
    TensorMap& map = tensors_[node->name.text];
    map.span = node->name.span;
    map.number = static_cast<std::size_t>(&node - tensor_declarations_.data());
    map.array.kind = OperandNode::Kind::Location;
    map.array.name = node->target;
    map.array.span = node->target.span;
    map.array.in_brackets = true;
    map.shape.sizes = node->sizes;
    map.shape.box = node->box;
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
    map.shape.element_bytes = type->bits / 8;
    if (std::string flaw = map.shape.flaw(*array->length); !flaw.empty()) {
      reporter_.error(node->name.span, std::move(flaw), std::string(kTensorMapForm));
    }
  }
}

/// Adds the tensor maps to the program. Runners on hardware create tensor maps from this information.
void Memory::settle_tensors() {
  if (reporter_.has_errors()) return;
  const auto object_of = [&](std::string_view name) -> std::optional<ObjectId> {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? std::nullopt : std::optional(names_[found->second].objects.at({}));
  };
  for (const DeclarationNode* node : tensor_declarations_) {
    const TensorMap& map = tensors_.at(node->name.text);
    program_.tensor_maps.push_back({.name = std::string(node->name.text),
                                    .array = *object_of(node->target.text),
                                    .sizes = {map.shape.sizes.begin(), map.shape.sizes.end()},
                                    .box = {map.shape.box.begin(), map.shape.box.end()},
                                    .descriptor = object_of(node->name.text),
                                    .span = map.span});
  }
}

bool Memory::is_location(std::string_view name) const { return by_name_.contains(name); }

const TensorMap* Memory::tensor(std::string_view name) const {
  const auto found = tensors_.find(name);
  return found == tensors_.end() ? nullptr : &found->second;
}

}  // namespace ambit::parser::ptx
