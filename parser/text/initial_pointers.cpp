#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "parser/text/constant_arithmetic.h"
#include "parser/text/keywords.h"
#include "parser/text/memory_table.h"

// Reads initial values that are pointers, for example Node *head = &pool[0];
namespace ambit::parser {

/// The memory that an initial value points to, for example x, pool[1] or pool[1].next.
struct MemoryTable::NamedMemory {
  Type type;
  ObjectId object = 0;
  std::uint32_t index = 0;
  std::uint32_t length = 1;  ///< number of elements from `index` to the end
  bool is_array = false;
};

/// Checks that memory can contain pointers to the struct. The address of a struct is the address of its first field
/// (StructLayout). The first field must not be an array. Otherwise, the address of a struct in an array of structs
/// would equal the address of an element of the field.
bool MemoryTable::check_target(const Type& cell, SourceSpan span) {
  if (!cell.target || cell.target->structure == nullptr) return true;
  const StructNode& structure = *cell.target->structure;
  const bool is_bad = !structure.fields.empty() && structure.fields.front().is_array;
  if (!is_bad) return true;
  reporter_.error(
      span, fmt::format("memory cannot hold pointers to '{}', whose first field is an array", structure.name.text),
      "declare a field that is not an array first");
  return false;
}

std::optional<Value> MemoryTable::initial_pointer(const ExprNode& node, const Type& cell) {
  const std::optional<Expr> number = fold_constant(node, *this);
  const bool is_null = node.kind == ExprKind::Name && (node.name == "nullptr" || node.name == "NULL");
  if (is_null || (number && number->constant == 0)) return 0;
  if (number) {
    reporter_.error(node.span, fmt::format("expected {}, found a number", to_string(pointer_in(cell))),
                    "write nullptr or &x");
    return std::nullopt;
  }
  const bool is_address = node.kind == ExprKind::Unary && node.unary == UnaryOp::AddressOf;
  const std::optional<NamedMemory> named = named_memory(is_address ? node.children.front() : node);
  if (!named) return std::nullopt;
  Type pointer = named->type;
  pointer.is_pointer = true;
  const Type wanted = pointer_in(cell);
  const bool is_same = is_same_object_type(pointer, wanted) && (wanted.is_volatile || !pointer.is_volatile);
  if (!is_same || (!is_address && !named->is_array)) {
    reporter_.error(node.span,
                    fmt::format("expected {}, found {}", to_string(wanted),
                                to_string(is_address || named->is_array ? pointer : named->type)),
                    is_same ? "write & before the name" : "");
    return std::nullopt;
  }
  return make_address(named->object, named->index);
}

std::optional<MemoryTable::NamedMemory> MemoryTable::named_memory(const ExprNode& node) {
  if (node.kind == ExprKind::Name) return named_variable(node);
  if (node.kind == ExprKind::Member && !node.is_arrow) return named_field(node);
  if (node.kind == ExprKind::Index) {
    std::optional<NamedMemory> array = named_memory(node.children[0]);
    if (!array) return std::nullopt;
    const std::optional<Expr> index = fold_constant(node.children[1], *this);
    if (!array->is_array || !index) {
      reporter_.error(node.span, array->is_array ? "the index must be a constant" : "only arrays have elements");
      return std::nullopt;
    }
    if (index->constant < 0 || index->constant >= array->length) {
      reporter_.error(node.span, fmt::format("index {} is out of range: the array has {} elements", index->constant,
                                             array->length));
      return std::nullopt;
    }
    array->index += static_cast<std::uint32_t>(index->constant);
    array->length = 1;
    array->is_array = false;
    return array;
  }
  reporter_.error(node.span, "the initial value of a pointer must be nullptr or the address of a global variable",
                  "for example &x, &pool[1] or &pool[1].next");
  return std::nullopt;
}

/// Finds the memory that an initial value names. An initial value may point into the initialized variable: Node pool[2]
/// = {{1, &pool[1]}, {2, nullptr}}.
std::optional<MemoryTable::NamedMemory> MemoryTable::named_variable(const ExprNode& node) {
  if (declaring_ != nullptr && declaring_->name == node.name && !declaring_->is_shared) {
    return NamedMemory{declaring_->type, static_cast<ObjectId>(program_.objects.size()), 0, declaring_->length,
                       declaring_->is_array};
  }
  MemoryEntry* entry = find(node.name);
  if (entry == nullptr || entry->constant) {
    reporter_.error(node.span, fmt::format("'{}' is not the name of memory that is declared above", node.name),
                    did_you_mean(node.name, names()));
    return std::nullopt;
  }
  if (entry->is_shared) {
    reporter_.error(node.span, fmt::format("'{}' is shared memory: each block has its own copy", node.name),
                    "write the pointer in a thread instead");
    return std::nullopt;
  }
  return NamedMemory{entry->type, object(*entry, {}), 0, entry->length, entry->is_array};
}

std::optional<MemoryTable::NamedMemory> MemoryTable::named_field(const ExprNode& node) {
  std::optional<NamedMemory> whole = named_memory(node.children.front());
  if (!whole) return std::nullopt;
  if (whole->type.structure == nullptr || whole->is_array) {
    reporter_.error(node.span, fmt::format("this is {}, which has no field '{}'", to_string(whole->type), node.name));
    return std::nullopt;
  }
  const StructLayout& fields = layout(*whole->type.structure);
  const auto found = std::find_if(fields.fields.begin(), fields.fields.end(),
                                  [&](const StructLayout::Field& field) { return field.name == node.name; });
  if (found == fields.fields.end()) {
    reporter_.error(node.span,
                    fmt::format("the struct '{}' has no field '{}'", whole->type.structure->name.text, node.name));
    return std::nullopt;
  }
  return NamedMemory{found->type, whole->object + found->object, whole->index * found->length, found->length,
                     found->is_array};
}

}  // namespace ambit::parser
