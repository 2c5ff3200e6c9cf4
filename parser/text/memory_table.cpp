#include "parser/text/memory_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"
#include "core/wide_value.h"
#include "parser/text/constant_arithmetic.h"

namespace ambit::parser {
namespace {

std::optional<Expr> fold_name(const ExprNode& node, MemoryTable& memory) {
  if (node.name == "true") return Expr::make_constant(1);
  if (node.name == "false") return Expr::make_constant(0);
  const MemoryEntry* entry = memory.find(node.name);
  if (entry == nullptr || !entry->constant || entry->type.is_opaque) return std::nullopt;
  return Expr::make_constant(*entry->constant, entry->type.scalar);
}

/// Returns the indices of an element, for example "[3]" or "[1][2]"; an empty string for a scalar.
std::string indices_of(const MemoryEntry& entry, std::uint32_t element) {
  if (!entry.is_array) return {};
  std::string text;
  for (std::size_t i = entry.type.inner.size(); i-- > 0;) {
    const std::uint32_t length = entry.type.inner[i];
    if (length == 0) continue;
    text = fmt::format("[{}]{}", element % length, text);
    element /= length;
  }
  return fmt::format("[{}]{}", element, text);
}

}  // namespace

std::optional<Expr> fold_constant(const ExprNode& node, MemoryTable& memory) {
  if (node.kind == ExprKind::SizeOf && node.children.empty()) {
    return Expr::make_constant(static_cast<Value>(memory.size_of(node.type)), kUnsignedLongLong);
  }
  if (node.kind == ExprKind::AlignOf) {
    return Expr::make_constant(static_cast<Value>(memory.alignment_of(node.type)), kUnsignedLongLong);
  }
  std::vector<Expr> operands;
  for (const ExprNode& child : node.children) {
    std::optional<Expr> operand = fold_constant(child, memory);
    if (!operand) return std::nullopt;
    operands.push_back(*std::move(operand));
  }
  switch (node.kind) {
    case ExprKind::Integer: return Expr::make_constant(node.value, node.scalar);
    case ExprKind::Name: return fold_name(node, memory);
    case ExprKind::Unary:
      if (node.unary == UnaryOp::Dereference || node.unary == UnaryOp::AddressOf) return std::nullopt;
      return make_unary(node.unary, std::move(operands[0]));
    case ExprKind::Binary: return make_binary(node.op, std::move(operands[0]), std::move(operands[1]));
    case ExprKind::Conditional: return operands[0].constant != 0 ? operands[1] : operands[2];
    case ExprKind::Cast:
      if (node.type.is_pointer || node.type.is_void || node.type.atomic_scope || node.type.structure != nullptr ||
          node.type.is_opaque) {
        return std::nullopt;
      }
      return Expr::make_cast(std::move(operands[0]), node.type.scalar);
    default: return std::nullopt;
  }
}

bool is_arithmetic_constant(const ExprNode& node, MemoryTable& memory) {
  const MemoryEntry* entry = node.kind == ExprKind::Name ? memory.find(node.name) : nullptr;
  if (node.kind == ExprKind::Floating || (entry != nullptr && entry->constant)) return true;
  if (node.children.empty()) return fold_constant(node, memory).has_value();
  const bool computes = node.kind == ExprKind::Unary || node.kind == ExprKind::Binary ||
                        node.kind == ExprKind::Conditional || node.kind == ExprKind::Cast;
  return computes && std::all_of(node.children.begin(), node.children.end(),
                                 [&](const ExprNode& child) { return is_arithmetic_constant(child, memory); });
}

bool check_range(Value value, ScalarType value_type, const Type& type, SourceSpan span, Reporter& reporter) {
  const unsigned bits = type.scalar.bits;
  const bool huge = value < 0 && !value_type.is_signed && value_type.bits == 64;
  if (is_wide(type.scalar) && is_torn(value)) {
    reporter.error(span, fmt::format("Ambit uses the value {} to report torn accesses of 16 bytes", value),
                   "write another number");
    return false;
  }
  if (bits >= 64) return true;
  const Value least = -(Value{1} << (bits - 1U));
  const Value most = (Value{1} << bits) - 1;
  if (!huge && value >= least && value <= most) return true;
  const std::string shown = huge ? fmt::format("{}", static_cast<std::uint64_t>(value)) : fmt::format("{}", value);
  reporter.error(span, fmt::format("{} is out of range for the type {} ({} bits)", shown, to_string(type), bits));
  return false;
}

std::string MemoryTable::shared_name(std::string_view name, BlockId block) {
  return block.gpu == 0 ? fmt::format("b{}:{}", block.block, name)
                        : fmt::format("g{}b{}:{}", block.gpu, block.block, name);
}

std::vector<std::string_view> MemoryTable::names() const {
  std::vector<std::string_view> names;
  names.reserve(by_name_.size());
  for (const auto& [name, entry] : by_name_) names.push_back(name);
  return names;
}

MemoryEntry* MemoryTable::find(std::string_view name) {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

void MemoryTable::adopt(std::string name, bool is_shared, std::map<BlockId, ObjectId> objects) {
  MemoryEntry entry;
  entry.name = std::move(name);
  entry.is_shared = is_shared;
  entry.objects = std::move(objects);
  entries_.push_back(std::move(entry));
  if (!is_shared) by_name_.emplace(entries_.back().name, &entries_.back());
}

void MemoryTable::adopt(const Program& program) {
  std::map<std::string, std::map<BlockId, ObjectId>> shared;
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    const MemoryObject& object = program.objects[id];
    if (object.space == MemorySpace::Global) {
      adopt(object.name, false, {{BlockId{}, id}});
      // The address of a struct is the address of the first field's object.
      const std::string structure = object.name.substr(0, object.name.find('.'));
      if (structure.size() < object.name.size() && find(structure) == nullptr)
        adopt(structure, false, {{BlockId{}, id}});
      continue;
    }
    for (const BlockSize& size : program.blocks) {
      const BlockId block{size.gpu, size.block};
      const std::string prefix = shared_name("", block);
      if (object.name.starts_with(prefix)) shared[object.name.substr(prefix.size())][block] = id;
    }
  }
  for (auto& [name, objects] : shared) adopt(name, true, std::move(objects));
}

bool MemoryTable::is_shared_name(std::string_view name) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const MemoryEntry& entry) { return entry.is_shared && entry.name == name; });
}

Type MemoryTable::with_inner_lengths(Type type, const Declarator& declarator) {
  for (std::size_t i = 0; i < declarator.inner_lengths.size(); ++i) {
    const ExprNode& node = declarator.inner_lengths[i];
    const std::optional<Expr> length = fold_constant(node, *this);
    if (length && length->constant >= 1 && length->constant <= kMaxCells) {
      type.inner[i] = static_cast<std::uint32_t>(length->constant);
      continue;
    }
    reporter_.error(node.span, length ? fmt::format("the length of '{}' is {}; it must be between 1 and {}",
                                                    declarator.name.text, length->constant, kMaxCells)
                                      : fmt::format("the length of '{}' is not a constant", declarator.name.text));
    type.inner[i] = 1;
  }
  return type;
}

std::vector<std::uint32_t> MemoryTable::dimensions(ObjectId object) const {
  if (object >= owners_.size()) return {program_.objects[object].length};  // not an object of this table
  const MemoryEntry& entry = *owners_[object];
  std::vector<std::uint32_t> result = {entry.length};
  for (const std::uint32_t inner : entry.type.inner) {
    if (inner == 0) continue;
    result.front() /= inner;
    result.push_back(inner);
  }
  return result;
}

bool MemoryTable::read_length(const Declarator& declarator, MemoryEntry& entry, std::optional<Value> known) {
  entry.is_array = declarator.is_array;
  if (!declarator.is_array) return true;
  if (entry.is_dynamic) return !dynamic_shared_ || size_dynamic(entry);
  if (!declarator.length) {
    if (declarator.initializer != Declarator::Initializer::Braces) {
      reporter_.error(declarator.name.span, fmt::format("the array '{}' has no length", entry.name),
                      fmt::format("write {}[N], or give its values: {}[] = {{1, 2}}", entry.name, entry.name));
      return false;
    }
    entry.length = static_cast<std::uint32_t>(declarator.values.size());
  } else {
    std::optional<Expr> length = fold_constant(*declarator.length, *this);
    if (!length && known) length = Expr::make_constant(*known, kLongLong);
    if (!length) {
      reporter_.error(declarator.length->span, fmt::format("the length of '{}' is not a constant", entry.name));
      return false;
    }
    if (length->constant < 1 || length->constant > kMaxCells) {
      reporter_.error(declarator.length->span, fmt::format("the length of '{}' is {}; it must be between 1 and {}",
                                                           entry.name, length->constant, kMaxCells));
      return false;
    }
    entry.length = static_cast<std::uint32_t>(length->constant);
  }
  for (const std::uint32_t inner : entry.type.inner) {
    if (inner == 0) continue;
    if (std::uint64_t{entry.length} * inner > kMaxCells) {
      reporter_.error(declarator.name.span, fmt::format("'{}' has more than {} elements", entry.name, kMaxCells));
      return false;
    }
    entry.length *= inner;
  }
  if (entry.length > 0) return true;
  reporter_.error(declarator.name.span, fmt::format("the array '{}' has no elements", entry.name));
  return false;
}

std::optional<Value> MemoryTable::initial_value(const ExprNode& node, const Type& type) {
  if (type.target) return initial_pointer(node, type);
  if (type.is_opaque && is_arithmetic_constant(node, *this)) return 0;
  const std::optional<Expr> value = fold_constant(node, *this);
  if (!value) {
    if (is_arithmetic_constant(node, *this)) {
      reporter_.error(node.span,
                      fmt::format("a floating-point number cannot be the initial value of type {}", to_string(type)));
    } else {
      reporter_.error(node.span, "an initial value must be a constant", "write the value in a thread instead");
    }
    return std::nullopt;
  }
  if (!check_range(value->constant, value->result_type(), type, node.span, reporter_)) return std::nullopt;
  return type.is_bool ? Value{value->constant != 0} : type.scalar.wrap(value->constant);
}

void MemoryTable::read_initializer(const Declarator& declarator, MemoryEntry& entry) {
  using Initializer = Declarator::Initializer;
  if (declarator.initializer == Initializer::None) return;
  entry.has_initializer = true;
  if (entry.type.structure != nullptr) return read_struct_initializer(declarator, entry);
  const std::size_t count = declarator.values.size();
  if (declarator.is_array && declarator.initializer != Initializer::Braces) {
    reporter_.error(declarator.values.empty() ? declarator.name.span : declarator.values.front().span,
                    fmt::format("the initial values of the array '{}' need braces", entry.name),
                    fmt::format("write {}[{}] = {{...}}", entry.name, entry.length));
    return;
  }
  if (entry.type.inner[0] != 0) {
    const bool is_one = declarator.repeats_last && count == 1 && declarator.values.front().kind != ExprKind::Braces;
    entry.initial.assign(entry.length, is_one ? initial_value(declarator.values.front(), entry.type).value_or(0) : 0);
    if (is_one) return;
    return add_initial_values(declarator.values, 0, entry.length, 0, entry);
  }
  if (count > entry.length) {
    reporter_.error(declarator.values[entry.length].span, fmt::format("'{}' has {} but {} initial values", entry.name,
                                                                      plural(entry.length, "element"), count));
    return;
  }
  for (const ExprNode& node : declarator.values) entry.initial.push_back(initial_value(node, entry.type).value_or(0));
  if (declarator.repeats_last && !entry.initial.empty()) entry.initial.resize(entry.length, entry.initial.back());
}

/// Reads the initial values `{{1, 2}, {3, 4}}` or `{1, 2, 3, 4}` of the `size` cells that begin at cell number `first`.
void MemoryTable::add_initial_values(const std::vector<ExprNode>& nodes, std::size_t first, std::size_t size,
                                     std::size_t depth, MemoryEntry& entry) {
  std::size_t row = 1;
  for (std::size_t i = depth; i < entry.type.inner.size(); ++i) row *= std::max(1U, entry.type.inner[i]);
  std::size_t at = 0;
  for (const ExprNode& node : nodes) {
    const bool braced = node.kind == ExprKind::Braces;
    if (at + (braced ? row : 1) > size || (braced && depth >= entry.type.inner.size())) {
      reporter_.error(node.span, fmt::format("'{}' has more initial values than elements", entry.name));
      return;
    }
    if (braced) {
      add_initial_values(node.children, first + at, row, depth + 1, entry);
    } else {
      entry.initial[first + at] = initial_value(node, entry.type).value_or(0);
    }
    at += braced ? row : 1;
  }
}

std::optional<MemoryEntry> MemoryTable::read(const Declarator& declarator, const Storage& storage,
                                             std::optional<Value> length) {
  MemoryEntry entry;
  entry.name = declarator.name.text;
  entry.type = declarator.type;
  entry.is_shared = storage.is_shared;
  entry.is_read_only = storage.is_constant_memory;
  entry.span = declarator.name.span;
  if (can_be_in_memory(entry.type)) entry.type = cell_of_pointers(entry.type);
  if (entry.type.is_pointer || entry.type.is_reference || entry.type.is_auto || entry.type.is_atomic_ref) {
    reporter_.error(entry.span,
                    fmt::format("'{}' cannot be in memory: memory holds integers, pointers to integers and structs, "
                                "cuda::atomic of these, and structs of them",
                                entry.name));
    return std::nullopt;
  }
  if (!check_target(entry.type, entry.span)) return std::nullopt;
  entry.is_dynamic = storage.is_extern && storage.is_shared && declarator.is_array && !declarator.length;
  if (storage.is_extern && !entry.is_dynamic) {
    reporter_.error(entry.span, fmt::format("'{}' is declared extern: its size is not known", entry.name),
                    "declare it with its length");
    return std::nullopt;
  }
  if (!declarator.inner_lengths.empty()) entry.type = with_inner_lengths(entry.type, declarator);
  if (entry.type.structure != nullptr && entry.type.inner[0] != 0) {
    reporter_.error(entry.span,
                    fmt::format("'{}' is an array of arrays of structs, which is not supported", entry.name),
                    "declare an array of structs and compute the index");
    return std::nullopt;
  }
  if (!read_length(declarator, entry, length)) return std::nullopt;
  declaring_ = &entry;
  read_initializer(declarator, entry);
  declaring_ = nullptr;
  return entry;
}

void MemoryTable::declare(const Declaration& declaration) {
  const bool constant =
      declaration.storage.is_constant && !declaration.storage.is_device && !declaration.storage.is_shared;
  for (const Declarator& declarator : declaration.declarators) {
    std::optional<MemoryEntry> entry = read(declarator, declaration.storage, std::nullopt);
    if (!entry) {
      reporter_.taint(declarator.name.text);
      continue;
    }
    if (constant) {
      if (!entry->has_initializer || entry->is_array || entry->type.structure != nullptr) {
        reporter_.error(entry->span, fmt::format("the constant '{}' needs one value", entry->name));
        reporter_.taint(entry->name);
        continue;
      }
      entry->constant = entry->initial.empty() ? 0 : entry->initial.front();
    }
    MemoryEntry* added = add(*std::move(entry));
    if (added != nullptr && !added->is_shared && !constant) object(*added, {});
  }
}

MemoryEntry* MemoryTable::add(MemoryEntry entry) {
  if (by_name_.contains(entry.name)) {
    reporter_.error(entry.span, fmt::format("'{}' is declared twice", entry.name));
    return nullptr;
  }
  entries_.push_back(std::move(entry));
  by_name_.emplace(entries_.back().name, &entries_.back());
  return &entries_.back();
}

MemoryEntry* MemoryTable::declare_launch_array(std::string_view name, const Type& element, Value length,
                                               SourceSpan span, const Declarator* contents) {
  if (MemoryEntry* known = find(name)) {
    const bool is_same = known->is_array && known->length == length && known->type == element;
    if (is_same && contents == nullptr) return known;
    reporter_.error(span,
                    is_same ? fmt::format("'{}' already exists, so this argument cannot change its contents", name)
                            : fmt::format("'{}' is already declared differently", name),
                    fmt::format("to pass it to the kernel, write {0} or &{0}[0]", name));
    return nullptr;
  }
  if (length < 1 || length > kMaxCells) {
    reporter_.error(span,
                    fmt::format("the length of '{}' is {}; it must be between 1 and {}", name, length, kMaxCells));
    return nullptr;
  }
  MemoryEntry entry;
  entry.name = name;
  entry.type = element;
  entry.length = static_cast<std::uint32_t>(length);
  entry.is_array = true;
  entry.span = span;
  declaring_ = &entry;
  if (contents != nullptr) read_initializer(*contents, entry);
  declaring_ = nullptr;
  MemoryEntry* added = add(std::move(entry));
  object(*added, {});
  return added;
}

MemoryEntry* MemoryTable::declare_shared(const Declarator& declarator, const Storage& storage,
                                         std::optional<Value> length, BlockId block) {
  auto [place, fresh] = local_.emplace(&declarator, nullptr);
  if (fresh) {
    if (std::optional<MemoryEntry> entry = read(declarator, storage, length)) {
      entries_.push_back(*std::move(entry));
      place->second = &entries_.back();
    }
  }
  MemoryEntry* entry = place->second;
  if (entry == nullptr || entry->objects.contains(block)) return entry;
  const std::string name = shared_name(entry->name, block);
  if (std::any_of(program_.objects.begin(), program_.objects.end(),
                  [&](const MemoryObject& object) { return object.name == name; })) {
    reporter_.error(entry->span, fmt::format("the shared variable '{}' is declared twice in one block", entry->name),
                    "give the two variables different names");
  }
  return entry;
}

ObjectId MemoryTable::object(MemoryEntry& entry, BlockId block) {
  if (!entry.is_shared) block = {};
  if (const auto found = entry.objects.find(block); found != entry.objects.end()) return found->second;
  MemoryObject made;
  made.name = entry.is_shared ? shared_name(entry.name, block) : entry.name;
  made.type = entry.type.scalar;
  made.is_opaque = entry.type.is_opaque;
  made.space = entry.is_shared ? MemorySpace::Shared : MemorySpace::Global;
  made.length = entry.length;
  made.is_array = entry.is_array;
  made.is_initialized = entry.has_initializer || !options_.uninitialized;
  made.span = entry.span;
  const std::size_t cells =
      entry.length * (entry.type.structure == nullptr ? 1 : scalars(layout(*entry.type.structure)));
  if (program_.locations.size() + cells > kMaxCells) {
    reporter_.error(entry.span, fmt::format("the test has more than {} memory cells", kMaxCells));
    entry.length = 1;
    made.length = 1;
  }
  return entry.type.structure == nullptr ? make_object(entry, std::move(made), block) : make_struct(entry, made, block);
}

ObjectId MemoryTable::make_object(MemoryEntry& entry, MemoryObject made, BlockId block) {
  const auto id = static_cast<ObjectId>(program_.objects.size());
  made.first = static_cast<LocationId>(program_.locations.size());
  for (std::uint32_t i = 0; i < entry.length; ++i) {
    const Value initial = i < entry.initial.size() ? entry.initial[i] : 0;
    program_.locations.push_back({made.name + indices_of(entry, i), id, i, entry.type.scalar, initial});
  }
  program_.objects.push_back(std::move(made));
  owners_.push_back(&entry);
  entry.objects.emplace(block, id);
  return id;
}

std::optional<ObjectId> MemoryTable::find_shared(std::string_view name, BlockId block) {
  MemoryEntry* candidate = nullptr;
  for (MemoryEntry& entry : entries_) {
    if (!entry.is_shared || entry.name != name) continue;
    if (const auto found = entry.objects.find(block); found != entry.objects.end()) return found->second;
    if (candidate == nullptr) candidate = &entry;
  }
  return candidate == nullptr ? std::nullopt : std::optional(object(*candidate, block));
}

}  // namespace ambit::parser
