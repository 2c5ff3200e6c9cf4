#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "parser/text/memory_table.h"

namespace ambit::parser {

std::uint64_t MemoryTable::size_of(const Type& type) {
  if (type.is_pointer || type.is_reference) return 8;
  if (type.structure != nullptr) return layout(*type.structure).size;
  if (type.is_tensor_map) return kTensorMapBytes;
  return type.is_void ? 1 : type.scalar.bits / 8U;
}

std::uint64_t MemoryTable::alignment_of(const Type& type) {
  if (type.is_tensor_map && !type.is_pointer) return kTensorMapBytes / 2;
  return type.structure == nullptr || type.is_pointer ? size_of(type) : layout(*type.structure).alignment;
}

const StructLayout& MemoryTable::layout(const StructNode& structure) {
  const auto [place, fresh] = layouts_.try_emplace(&structure);
  StructLayout& made = place->second;
  if (!fresh) return made;
  made.alignment = structure.alignment;
  for (const Declarator& field : structure.fields) {
    const std::size_t fields = made.fields.size();
    read_field(field, made);
    if (made.fields.size() == fields) reporter_.taint(field.name.text);
  }
  made.size = (made.size + made.alignment - 1) / made.alignment * made.alignment;
  made.is_complete = true;
  return made;
}

void MemoryTable::read_field(const Declarator& declarator, StructLayout& layout) {
  const SourceSpan span = declarator.name.span;
  const Type type = can_be_in_memory(declarator.type) ? cell_of_pointers(declarator.type) : declarator.type;
  if (type.is_pointer || type.is_reference || type.is_auto || type.is_atomic_ref || type.is_void) {
    reporter_.error(span, fmt::format("the field '{}' has type {}: a struct holds integers, pointers to integers and "
                                      "structs, cuda::atomic of these, and structs",
                                      declarator.name.text, to_string(type)));
    return;
  }
  if (!check_target(type, span)) return;
  if (type.structure != nullptr && !this->layout(*type.structure).is_complete) {
    reporter_.error(span, fmt::format("the struct '{}' contains itself", type.structure->name.text));
    return;
  }
  for (const StructLayout::Field& other : layout.fields) {
    if (other.name == declarator.name.text) {
      reporter_.error(span, fmt::format("the field '{}' is declared twice", other.name));
    }
  }
  StructLayout::Field field;
  field.name = declarator.name.text;
  field.type = type;
  field.object = layout.objects;
  MemoryEntry entry;
  entry.name = field.name;
  entry.type = type;
  if (!declarator.inner_lengths.empty()) {
    reporter_.error(span, fmt::format("the field '{}' is an array of arrays, which is not supported", field.name),
                    "declare one array and compute the index");
    return;
  }
  if (!read_length(declarator, entry, std::nullopt)) return;
  field.is_array = entry.is_array;
  field.length = entry.length;
  if (field.is_array && type.structure != nullptr) {
    reporter_.error(span, fmt::format("the field '{}' is an array of structs, which is not supported", field.name),
                    "declare the array outside the struct");
    return;
  }
  read_initializer(declarator, entry);
  field.initial = std::move(entry.initial);
  const std::uint64_t alignment = alignment_of(type);
  layout.alignment = std::max(layout.alignment, alignment);
  layout.size = (layout.size + alignment - 1) / alignment * alignment + size_of(type) * field.length;
  layout.objects += type.structure == nullptr ? 1 : this->layout(*type.structure).objects;
  layout.fields.push_back(std::move(field));
}

/// Returns the number of scalars in one struct.
std::size_t MemoryTable::scalars(const StructLayout& layout) {
  std::size_t count = 0;
  for (const StructLayout::Field& field : layout.fields) {
    count += field.type.structure == nullptr ? field.length : scalars(this->layout(*field.type.structure));
  }
  return count;
}

/// Appends the default values of a struct's fields to `values`, in the order of the fields.
void MemoryTable::add_defaults(const StructLayout& layout, std::vector<Value>& values) {
  for (const StructLayout::Field& field : layout.fields) {
    if (field.type.structure != nullptr && field.initial.empty()) {
      add_defaults(this->layout(*field.type.structure), values);
      continue;
    }
    const std::size_t count =
        field.type.structure == nullptr ? field.length : scalars(this->layout(*field.type.structure));
    for (std::size_t i = 0; i < count; ++i) values.push_back(i < field.initial.size() ? field.initial[i] : 0);
  }
}

/// Reads the initializer of a struct, `s = {1, {2, 3}}`, or of an array of structs, `a[2] = {{1, 2}, {3, 4}}`. The form
/// `a[8] = {-1, ...}` sets every scalar to -1.
void MemoryTable::read_struct_initializer(const Declarator& declarator, MemoryEntry& entry) {
  const StructLayout& layout = this->layout(*entry.type.structure);
  const std::size_t size = scalars(layout);
  for (std::uint32_t i = 0; i < entry.length; ++i) add_defaults(layout, entry.initial);
  if (declarator.initializer != Declarator::Initializer::Braces) {
    reporter_.error(declarator.name.span, fmt::format("the initial values of '{}' need braces", entry.name));
    return;
  }
  if (declarator.repeats_last && declarator.values.size() == 1) {
    const std::optional<Value> value = initial_value(declarator.values.front(), Type{.scalar = kLongLong});
    std::fill(entry.initial.begin(), entry.initial.end(), value.value_or(0));
    return;
  }
  if (!declarator.is_array) return read_struct_values(declarator.values, layout, 0, entry);
  for (std::size_t i = 0; i < declarator.values.size(); ++i) {
    const ExprNode& node = declarator.values[i];
    if (node.kind != ExprKind::Braces || i >= entry.length) {
      reporter_.error(node.span, i >= entry.length ? fmt::format("'{}' has {} elements", entry.name, entry.length)
                                                   : "each struct of an array needs its own braces");
      return;
    }
    read_struct_values(node.children, layout, i * size, entry);
  }
}

void MemoryTable::read_struct_values(const std::vector<ExprNode>& values, const StructLayout& layout, std::size_t first,
                                     MemoryEntry& entry) {
  if (values.size() > layout.fields.size()) {
    reporter_.error(values[layout.fields.size()].span,
                    fmt::format("expected at most {} values, found {}", layout.fields.size(), values.size()));
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const StructLayout::Field& field = layout.fields[i];
    const bool braced = values[i].kind == ExprKind::Braces;
    const std::size_t size =
        field.type.structure == nullptr ? field.length : scalars(this->layout(*field.type.structure));
    if ((field.is_array || field.type.structure != nullptr) && !braced) {
      reporter_.error(values[i].span, fmt::format("the initial values of the field '{}' need braces", field.name));
    } else if (field.type.structure != nullptr) {
      read_struct_values(values[i].children, this->layout(*field.type.structure), first, entry);
    } else if (braced && values[i].children.size() <= size) {
      for (std::size_t j = 0; j < values[i].children.size(); ++j) {
        entry.initial[first + j] = initial_value(values[i].children[j], field.type).value_or(0);
      }
    } else if (braced) {
      reporter_.error(values[i].span, fmt::format("the field '{}' has {} elements", field.name, size));
    } else {
      entry.initial[first] = initial_value(values[i], field.type).value_or(0);
    }
    first += size;
  }
}

/// Creates an object for each field of a struct variable. In an array of structs, a field's object contains the field's
/// cells of every struct.
ObjectId MemoryTable::make_struct(MemoryEntry& entry, const MemoryObject& made, BlockId block) {
  const auto id = static_cast<ObjectId>(program_.objects.size());
  const StructLayout& layout = this->layout(*entry.type.structure);
  if (entry.initial.empty()) {
    for (std::uint32_t i = 0; i < entry.length; ++i) add_defaults(layout, entry.initial);
  }
  std::size_t first = 0;
  make_fields(entry, layout, "", first, made, block);
  entry.objects.emplace(block, id);
  return id;
}

void MemoryTable::make_fields(const MemoryEntry& entry, const StructLayout& layout, const std::string& path,
                              std::size_t& first, const MemoryObject& made, BlockId block) {
  const std::size_t size = scalars(this->layout(*entry.type.structure));
  for (const StructLayout::Field& field : layout.fields) {
    const std::string field_path = fmt::format("{}.{}", path, field.name);
    if (field.type.structure != nullptr) {
      make_fields(entry, this->layout(*field.type.structure), field_path, first, made, block);
      continue;
    }
    MemoryEntry part;
    part.name = entry.name + field_path;
    part.type = field.type;
    part.length = entry.length * field.length;
    part.is_array = entry.is_array || field.is_array;
    part.is_shared = entry.is_shared;
    part.is_read_only = entry.is_read_only;
    part.structs = entry.length;
    part.span = entry.span;
    entries_.push_back(std::move(part));
    MemoryObject object = made;
    object.name = made.name + field_path;
    object.type = field.type.scalar;
    object.is_opaque = field.type.is_opaque;
    object.length = entries_.back().length;
    object.is_array = entries_.back().is_array;
    object.first = static_cast<LocationId>(program_.locations.size());
    const auto id = static_cast<ObjectId>(program_.objects.size());
    for (std::uint32_t i = 0; i < object.length; ++i) {
      const std::uint32_t element = i / field.length;
      std::string name = entry.is_array ? fmt::format("{}[{}]{}", made.name, element, field_path) : object.name;
      if (field.is_array) name += fmt::format("[{}]", i % field.length);
      const Value initial = entry.initial[element * size + first + i % field.length];
      program_.locations.push_back({std::move(name), id, i, object.type, object.type.wrap(initial)});
    }
    program_.objects.push_back(std::move(object));
    owners_.push_back(&entries_.back());
    entries_.back().objects.emplace(block, id);
    first += field.length;
  }
}

void MemoryTable::set_dynamic_shared(Value bytes, SourceSpan span) {
  const bool in_use = std::any_of(entries_.begin(), entries_.end(),
                                  [](const MemoryEntry& entry) { return entry.is_dynamic && !entry.objects.empty(); });
  if (in_use && *dynamic_shared_ != bytes) {
    reporter_.error(span,
                    fmt::format("another launch gives its blocks {} bytes of dynamic shared memory", *dynamic_shared_));
    return;
  }
  dynamic_shared_ = bytes;
  for (MemoryEntry& entry : entries_) {
    if (entry.is_dynamic && entry.objects.empty()) size_dynamic(entry);
  }
}

/// Sets the length of an array extern __shared__ T s[] to the number of elements that fit into the dynamic shared
/// memory of the launch. Error: the test has a second extern __shared__ array, which would overlap with s.
bool MemoryTable::size_dynamic(MemoryEntry& entry) {
  const auto other = std::find_if(entries_.begin(), entries_.end(), [&](const MemoryEntry& known) {
    return known.is_dynamic && &known != &entry && known.name != entry.name;
  });
  if (other != entries_.end()) {
    reporter_.error(entry.span, fmt::format("'{}' and '{}' are the same memory: extern __shared__ arrays overlap",
                                            entry.name, other->name));
    return false;
  }
  const auto length = static_cast<Value>(static_cast<std::uint64_t>(*dynamic_shared_) / size_of(entry.type));
  if (length < 1 || length > kMaxCells) {
    reporter_.error(entry.span,
                    fmt::format("the launch gives each block {} bytes of dynamic shared memory: '{}' has {} elements",
                                *dynamic_shared_, entry.name, length),
                    "give the size in bytes as the third number: <<<blocks, threads, bytes>>>");
    return false;
  }
  entry.length = static_cast<std::uint32_t>(length);
  return true;
}

}  // namespace ambit::parser
