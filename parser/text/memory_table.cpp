#include "parser/text/memory_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/plural.h"
#include "parser/text/constant_arithmetic.h"

namespace ambit::parser {
namespace {

std::optional<Expr> fold_name(const ExprNode& node, MemoryTable& memory) {
  if (node.name == "true") return Expr::make_constant(1);
  if (node.name == "false") return Expr::make_constant(0);
  const MemoryEntry* entry = memory.find(node.name);
  if (entry == nullptr || !entry->constant) return std::nullopt;
  return Expr::make_constant(*entry->constant, entry->type.scalar);
}

}  // namespace

std::optional<Expr> fold_constant(const ExprNode& node, MemoryTable& memory) {
  if (node.kind == ExprKind::SizeOf) {
    return Expr::make_constant(static_cast<Value>(memory.size_of(node.type)), kUnsignedLongLong);
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
      if (node.type.is_pointer || node.type.is_void || node.type.atomic_scope || node.type.structure != nullptr) {
        return std::nullopt;
      }
      return Expr::make_cast(std::move(operands[0]), node.type.scalar);
    default: return std::nullopt;
  }
}

bool check_range(Value value, ScalarType value_type, const Type& type, SourceSpan span, Reporter& reporter) {
  const unsigned bits = type.scalar.bits;
  const bool huge = value < 0 && !value_type.is_signed && value_type.bits == 64;
  if (bits == 64) return true;
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
  if (entry.length > 0) return true;
  reporter_.error(declarator.name.span, fmt::format("the array '{}' has no elements", entry.name));
  return false;
}

std::optional<Value> MemoryTable::initial_value(const ExprNode& node, const Type& type) {
  const std::optional<Expr> value = fold_constant(node, *this);
  if (!value) {
    reporter_.error(node.span, "an initial value must be a constant", "write the value in a thread instead");
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
  if (count > entry.length) {
    reporter_.error(declarator.values[entry.length].span, fmt::format("'{}' has {} but {} initial values", entry.name,
                                                                      plural(entry.length, "element"), count));
    return;
  }
  for (const ExprNode& node : declarator.values) entry.initial.push_back(initial_value(node, entry.type).value_or(0));
  if (declarator.repeats_last && !entry.initial.empty()) entry.initial.resize(entry.length, entry.initial.back());
}

std::optional<MemoryEntry> MemoryTable::read(const Declarator& declarator, const Storage& storage,
                                             std::optional<Value> length) {
  MemoryEntry entry;
  entry.name = declarator.name.text;
  entry.type = declarator.type;
  entry.is_shared = storage.is_shared;
  entry.span = declarator.name.span;
  if (declarator.type.is_pointer || declarator.type.is_reference || declarator.type.is_auto ||
      declarator.type.is_atomic_ref) {
    reporter_.error(
        entry.span,
        fmt::format("'{}' cannot be in memory: memory holds integers, cuda::atomic of integers, and structs of them",
                    entry.name));
    return std::nullopt;
  }
  entry.is_dynamic = storage.is_extern && storage.is_shared && declarator.is_array && !declarator.length;
  if (storage.is_extern && !entry.is_dynamic) {
    reporter_.error(entry.span, fmt::format("'{}' is declared extern: its size is not known", entry.name),
                    "declare it with its length");
    return std::nullopt;
  }
  if (!read_length(declarator, entry, length)) return std::nullopt;
  read_initializer(declarator, entry);
  return entry;
}

void MemoryTable::declare(const Declaration& declaration) {
  const bool constant =
      declaration.storage.is_constant && !declaration.storage.is_device && !declaration.storage.is_shared;
  for (const Declarator& declarator : declaration.declarators) {
    std::optional<MemoryEntry> entry = read(declarator, declaration.storage, std::nullopt);
    if (!entry) continue;
    if (constant) {
      if (!entry->has_initializer || entry->is_array || entry->type.structure != nullptr) {
        reporter_.error(entry->span, fmt::format("the constant '{}' needs one value", entry->name));
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
                                               SourceSpan span) {
  if (MemoryEntry* known = find(name)) {
    if (known->is_array && known->length == length && known->type == element) return known;
    reporter_.error(span, fmt::format("'{}' is already declared differently", name),
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
    program_.locations.push_back(
        {entry.is_array ? fmt::format("{}[{}]", made.name, i) : made.name, id, i, entry.type.scalar, initial});
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
