// Tensor copies (cp.async.bulk.tensor, PTX ISA 9.7.9.27) as copies of a declared box, in the order of the box: the
// innermost dimension runs fastest in shared memory too.

#include <fmt/format.h>

#include "parser/ptx/column_lowering.h"

namespace ambit::parser::ptx {

/// The map of the instruction. Errors: there is none, another number of dimensions, a box that leaves the tensor.
const TensorMap* ColumnLowering::tensor_map(const Step& step) {
  const OperandNode& operand = *step.tensor;
  const TensorMap* map = memory_.tensor(operand.name.text);
  if (map == nullptr) {
    fail(operand.span, fmt::format("'{}' is no tensor map", operand.name.text),
         fmt::format("declare it: {} = tensormap(g, {{4,4}}, {{2,2}})", operand.name.text));
    return nullptr;
  }
  std::string_view dimensions;
  for (const Word& word : step.node->opcode) {
    if (word.text.size() == 2 && word.text[1] == 'd') dimensions = word.text;
  }
  const std::size_t rank = map->sizes.size();
  if (operand.coordinates.size() != rank || dimensions != fmt::format("{}d", rank)) {
    fail(operand.span,
         fmt::format("'{}' has {} dimensions: write .{}d and as many coordinates", operand.name.text, rank, rank));
    return nullptr;
  }
  for (std::size_t i = 0; i < rank; ++i) {
    if (operand.coordinates[i] >= 0 && operand.coordinates[i] + map->box[i] <= map->sizes[i]) continue;
    fail(operand.span,
         fmt::format("the box leaves the tensor in dimension {}: it begins at {} and has {} of {} elements", i,
                     operand.coordinates[i], map->box[i], map->sizes[i]),
         "Ambit has no boxes that are partly outside");
    return nullptr;
  }
  return map;
}

/// The accesses of the box, row by row.
std::vector<MemoryAccess> ColumnLowering::tensor_accesses(const Step& step, const Opcode& opcode) {
  const TensorMap* map = tensor_map(step);
  if (map == nullptr) return {};
  Opcode element = opcode;
  element.async.reset();  // a box may begin at any element of the tensor
  std::vector<MemoryAccess> accesses;
  std::vector<Value> row(map->sizes.size(), 0);  // of the box; row[0] stays 0
  while (true) {
    Value index = 0;
    for (std::size_t i = row.size(); i-- > 0;) index = index * map->sizes[i] + step.tensor->coordinates[i] + row[i];
    OperandNode operand = map->array;
    operand.index = index;
    for (MemoryAccess& access : async_accesses(operand, element, map->box[0] * map->element_bytes, block())) {
      accesses.push_back(std::move(access));
    }
    std::size_t next = 1;
    while (next < row.size() && ++row[next] == map->box[next]) row[next++] = 0;
    if (next >= row.size()) return accesses;
  }
}

void ColumnLowering::survey_tensor(const Step& step) {
  if (const TensorMap* map = memory_.tensor(step.tensor->name.text)) survey_operand(map->array, step.opcode);
}

}  // namespace ambit::parser::ptx
