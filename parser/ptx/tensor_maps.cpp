// Tensor maps as declarations: which elements of an array a tensor copy moves (PTX ISA, "Tensors"; the descriptor
// itself is taken to be constant).

#include <fmt/format.h>

#include "parser/ptx/locations.h"
#include "parser/ptx/type_suffix.h"

namespace ambit::parser::ptx {

void Memory::resolve_tensors() {
  for (const DeclarationNode* node : tensor_declarations_) {
    TensorMap& map = tensors_[node->name.text];
    map.span = node->name.span;
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

bool Memory::is_location(std::string_view name) const { return by_name_.contains(name); }

const TensorMap* Memory::tensor(std::string_view name) const {
  const auto found = tensors_.find(name);
  return found == tensors_.end() ? nullptr : &found->second;
}

}  // namespace ambit::parser::ptx
