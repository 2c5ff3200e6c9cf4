// Lowers tensor copies (cp.async.bulk.tensor, PTX ISA 9.7.9.27) to copies of the elements of a declared box. The
// innermost dimension varies fastest, in global and in shared memory.

#include <fmt/format.h>

#include "parser/ptx/column_lowering.h"

namespace ambit::parser::ptx {

/// Returns the tensor map of the instruction. Errors: the name is not a tensor map; the number of dimensions is wrong;
/// a part of the box is outside the tensor.
const TensorMap* ColumnLowering::tensor_map(const Step& step) {
  const OperandNode& operand = *step.tensor;
  const TensorMap* map = memory_.tensor(operand.name.text);
  if (map == nullptr) {
    fail(operand.span, fmt::format("'{}' is not a tensor map", operand.name.text),
         fmt::format("declare it: {} = tensormap(g, {{4,4}}, {{2,2}})", operand.name.text));
    return nullptr;
  }
  std::string_view dimensions;
  for (const Word& word : step.node->opcode) {
    if (word.text.size() == 2 && word.text[1] == 'd') dimensions = word.text;
  }
  const std::size_t rank = map->shape.sizes.size();
  if (operand.coordinates.size() != rank || dimensions != fmt::format("{}d", rank)) {
    fail(operand.span,
         fmt::format("'{}' has {} dimensions: write .{}d and as many coordinates", operand.name.text, rank, rank));
    return nullptr;
  }
  if (std::string flaw = map->shape.box_flaw(operand.coordinates); !flaw.empty()) {
    fail(operand.span, std::move(flaw), "Ambit does not support boxes that are partly outside");
    return nullptr;
  }
  return map;
}

/// Returns the accesses to the elements of the box, row by row.
std::vector<MemoryAccess> ColumnLowering::tensor_accesses(const Step& step, const Opcode& opcode) {
  const TensorMap* map = tensor_map(step);
  if (map == nullptr) return {};
  Opcode element = opcode;
  element.async.reset();  // no alignment check: a box may begin at any element
  std::vector<MemoryAccess> accesses;
  for (const Value index : map->shape.rows(step.tensor->coordinates)) {
    OperandNode operand = map->array;
    operand.index = index;
    for (MemoryAccess& access : async_accesses(operand, element, map->shape.row_bytes(), block())) {
      accesses.push_back(std::move(access));
    }
  }
  return accesses;
}

/// Adds the read of the descriptor that a tensor copy makes through the tensormap proxy. A descriptor is a location
/// only if the test changes the descriptor or a fence names the descriptor.
void ColumnLowering::read_map(const Step& step, AsyncStep& operation) {
  if (!memory_.is_location(step.tensor->name.text)) return;
  OperandNode map = *step.tensor;
  map.coordinates.clear();
  Opcode opcode;
  opcode.proxy = Proxy::Tensormap;
  std::optional<MemoryAccess> access = this->access(map, opcode, false);
  if (access) operation.elements.push_back({std::move(access), std::nullopt, {}, std::nullopt});
}

/// Lowers tensormap.replace to a weak store of the whole descriptor (PTX ISA 9.7.9.28). The store does not change the
/// box: a map always describes the declared box.
void ColumnLowering::replace_map(const Step& step) {
  const bool has_ordinal = step.bytes != nullptr;
  if (has_ordinal && !constant(step.bytes, 0, kMostDimensions - 1, "dimension")) return;
  std::optional<MemoryAccess> access = this->access(step);
  if (!access) return;
  Expr stored = value(*step.values[0], access->type);
  emit(Store{*std::move(access), std::move(stored)}, step);
}

void ColumnLowering::copy_map(const Step& step) {
  if (!constant(step.bytes, kMapBytes, kMapBytes, "size of a tensor map")) return;
  std::optional<MemoryAccess> source = access(*step.source, step.opcode, false);
  std::optional<MemoryAccess> target = access(step);
  if (!source || !target) return;
  const ScalarType type = source->type;
  const RegisterId copied = temporary(type);
  emit(Load{copied, *std::move(source)}, step);
  const ScalarType written = target->type;
  emit(Store{*std::move(target), Expr::make_cast(Expr::make_register(copied, type), written)}, step);
  fence_map(step);
}

/// Lowers the release fence and the acquire fence between generic and tensormap accesses (PTX ISA 9.7.15.4). The
/// acquire fence names the descriptor.
void ColumnLowering::fence_map(const Step& step) {
  ProxyFence fence{.proxy = Proxy::Tensormap,
                   .direction = ProxyFence::Direction::Release,
                   .scope = step.opcode.async->scope.value_or(Scope::System)};
  if (step.opcode.async->form->action == AsyncAction::AcquireMap) {
    fence.direction = ProxyFence::Direction::Acquire;
    if (!constant(step.bytes, kMapBytes, kMapBytes, "size of a tensor map")) return;
    const std::optional<std::size_t> index = named(*step.address);
    if (!index || memory_.tensor(step.address->name.text) == nullptr) {
      return fail(step.address->span, "expected the name of a tensor map",
                  "declare the map: t = tensormap(g, {4,4}, {2,2})");
    }
    fence.address = memory_.address(*step.address, *index, block());
    if (!fence.address) return;
  }
  emit(fence, step);
}

void ColumnLowering::survey_tensor(const Step& step) {
  if (const TensorMap* map = memory_.tensor(step.tensor->name.text)) survey_operand(map->array, step.opcode);
}

}  // namespace ambit::parser::ptx
