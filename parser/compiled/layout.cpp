#include "parser/compiled/layout.h"

namespace ambit::parser::compiled {

const Layout& LayoutTable::of(const Type& type) {
  if (type.structure != nullptr && !type.is_pointer) {
    const auto [entry, is_new] = structs_.emplace(type.structure, nullptr);
    if (!is_new) return *entry->second;
    Layout& layout = layouts_.emplace_back();
    entry->second = &layout;
    layout.stride = memory_.layout(*type.structure).size;
    add_cells(*type.structure, 0, 0, layout);
    return layout;
  }
  Type scalar = type;
  scalar.inner = {};
  scalar.is_volatile = false;
  for (const auto& [known, layout] : scalars_) {
    if (known == scalar) return *layout;
  }
  Layout& layout = layouts_.emplace_back();
  layout.stride = scalar.scalar.bits / 8U;
  layout.cells.push_back({0, static_cast<std::uint32_t>(layout.stride), 1, 0, scalar});
  scalars_.emplace_back(scalar, &layout);
  return layout;
}

const Layout* LayoutTable::of_target(const Type& cell) {
  if (!cell.target) return nullptr;
  Type pointee;
  pointee.structure = cell.target->structure;
  pointee.scalar = cell.target->scalar;
  pointee.is_bool = cell.target->is_bool;
  pointee.is_opaque = cell.target->is_opaque;
  pointee.atomic_scope = cell.target->atomic_scope;
  return &of(pointee);
}

void LayoutTable::add_cells(const StructNode& structure, std::uint64_t offset, std::uint32_t object, Layout& layout) {
  std::uint64_t end = 0;
  for (const StructLayout::Field& field : memory_.layout(structure).fields) {
    const bool is_struct = field.type.structure != nullptr && !field.type.is_pointer;
    const std::uint64_t size = memory_.size_of(field.type);
    const std::uint64_t alignment = is_struct ? memory_.layout(*field.type.structure).alignment : size;
    end = (end + alignment - 1) / alignment * alignment;
    if (is_struct) {
      add_cells(*field.type.structure, offset + end, object + field.object, layout);
    } else {
      layout.cells.push_back(
          {offset + end, static_cast<std::uint32_t>(size), field.length, object + field.object, field.type});
    }
    end += size * field.length;
  }
}

}  // namespace ambit::parser::compiled
