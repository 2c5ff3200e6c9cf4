#include "parser/litmus/tensor_map_table.h"

#include <fmt/format.h>

#include <string>
#include <variant>

#include "core/opaque.h"
#include "parser/text/constant_arithmetic.h"

namespace ambit::parser::litmus {
namespace {

/// Returns the numbers in a list in braces. Error: an element is not a constant.
std::optional<std::vector<Value>> numbers(const std::vector<ExprNode>& nodes, MemoryTable& memory, Reporter& reporter) {
  std::vector<Value> found;
  for (const ExprNode& node : nodes) {
    const std::optional<Expr> value = fold_constant(node, memory);
    if (!value) {
      reporter.error(node.span, "the sizes of a tensor map must be constants", std::string(ptx::kTensorMapForm));
      return std::nullopt;
    }
    found.push_back(value->constant);
  }
  return found;
}

}  // namespace

void TensorMapTable::declare(const std::vector<TensorMapNode>& nodes, MemoryTable& memory) {
  nodes_ = &nodes;
  for (const TensorMapNode& node : nodes) {
    if (node.index || memory.find(node.name.text) != nullptr || memory.is_shared_name(node.name.text)) continue;
    Declarator map;
    map.type.scalar = kUnsignedLongLong;
    map.type.is_tensor_map = map.type.is_opaque = true;
    map.name = node.name;
    memory.declare(Declaration{.storage = {.is_device = true}, .declarators = {std::move(map)}});
  }
}

/// Returns the cell of a tensor map that a `tensormap` declaration describes. If `reporter` is given, reports an error
/// if the name is not a tensor map or the index is wrong.
std::optional<TensorMapTable::Cell> TensorMapTable::cell_of(const TensorMapNode& node, MemoryTable& memory,
                                                            Reporter* reporter) const {
  const auto fail = [&](SourceSpan span, std::string message, std::string hint = {}) -> std::optional<Cell> {
    if (reporter != nullptr) reporter->error(span, std::move(message), std::move(hint));
    return std::nullopt;
  };
  MemoryEntry* entry = memory.find(node.name.text);
  if (entry == nullptr || entry->is_shared) {
    return fail(node.name.span,
                entry == nullptr
                    ? fmt::format("no launch passes the array of tensor maps '{}'", node.name.text)
                    : fmt::format("'{}' is in shared memory: tensor copies take maps in global memory", node.name.text),
                "declare the map that a launch passes: t = tensormap(g, {4,4}, {2,2})");
  }
  if (!entry->type.is_tensor_map) {
    return fail(node.name.span, fmt::format("'{}' is {}, not CUtensorMap", node.name.text, to_string(entry->type)));
  }
  if (entry->is_array != node.index.has_value()) {
    return fail(node.name.span, entry->is_array
                                    ? fmt::format("'{0}' is an array: name an element, {0}[0]", node.name.text)
                                    : fmt::format("'{}' is one tensor map, not an array", node.name.text));
  }
  const std::optional<Expr> index = node.index ? fold_constant(*node.index, memory) : Expr::make_constant(0);
  if (!index || index->constant < 0 || index->constant >= static_cast<Value>(entry->length)) {
    return fail(node.index->span, fmt::format("the index must be a constant below {}", entry->length));
  }
  return Cell{memory.object(*entry, {}), static_cast<std::uint32_t>(index->constant)};
}

void TensorMapTable::read(const TensorMapNode& node, Cell cell, MemoryTable& memory, Reporter& reporter) {
  const auto [known, fresh] = declared_.emplace(cell, &node);
  if (!fresh) {
    if (known->second != &node) {
      reporter.error(node.name.span, fmt::format("the tensor map '{}' is declared twice", node.name.text));
    }
    return;
  }
  wrong_.insert(cell);
  MemoryEntry* array = memory.find(node.array.text);
  const bool is_array = array != nullptr && array->is_array && !array->is_shared && !array->constant;
  if (!is_array || array->type.structure != nullptr || array->type.target || array->type.is_tensor_map) {
    reporter.error(node.array.span, fmt::format("'{}' must be an array of numbers in global memory", node.array.text),
                   array == nullptr
                       ? fmt::format("let the launch pass it, {0}[16], or declare it before: {{ global int "
                                     "{0}[16]; }}",
                                     node.array.text)
                       : std::string());
    return;
  }
  std::optional<std::vector<Value>> sizes = numbers(node.sizes, memory, reporter);
  std::optional<std::vector<Value>> box = numbers(node.box, memory, reporter);
  if (!sizes || !box) return;
  TensorMap map{{*std::move(sizes), *std::move(box), static_cast<Value>(memory.size_of(array->type))},
                memory.object(*array, {}),
                array->type,
                static_cast<std::size_t>(&node - nodes_->data())};
  if (std::string flaw = map.shape.flaw(array->length); !flaw.empty()) {
    return reporter.error(node.name.span, std::move(flaw), std::string(ptx::kTensorMapForm));
  }
  wrong_.erase(cell);
  maps_.emplace(cell, std::move(map));
}

const TensorMap* TensorMapTable::find(ObjectId object, std::uint32_t index, MemoryTable& memory, Reporter& reporter) {
  const Cell wanted{object, index};
  if (!declared_.contains(wanted) && nodes_ != nullptr) {
    for (const TensorMapNode& node : *nodes_) {
      const std::optional<Cell> cell = cell_of(node, memory, nullptr);
      if (cell == wanted) read(node, *cell, memory, reporter);
    }
  }
  const auto found = maps_.find(wanted);
  return found == maps_.end() ? nullptr : &found->second;
}

void TensorMapTable::finish(Program& program, MemoryTable& memory, Reporter& reporter) {
  if (nodes_ == nullptr) return;
  for (const TensorMapNode& node : *nodes_) {
    const std::optional<Cell> cell = cell_of(node, memory, &reporter);
    if (cell) read(node, *cell, memory, reporter);
    const auto map = cell ? maps_.find(*cell) : maps_.end();
    if (map == maps_.end()) continue;
    const ptx::TensorShape& shape = map->second.shape;
    ambit::TensorMap made{.name = program.locations[program.objects[cell->first].first + cell->second].name,
                          .array = map->second.array,
                          .sizes = {shape.sizes.begin(), shape.sizes.end()},
                          .box = {shape.box.begin(), shape.box.end()},
                          .descriptor = std::nullopt,
                          .span = node.name.span};
    if (is_accessed(cell->first)) made.descriptor = cell->first;
    program.tensor_maps.push_back(std::move(made));
  }
}

bool TensorMapTable::is_on_hardware(Cell cell, const Program& program) const {
  return !is_accessed(cell.first) || program.objects[cell.first].length == 1;
}

void TensorMapTable::note_accesses(const Program& program, MemoryTable& memory) {
  if (nodes_ == nullptr || nodes_->empty()) return;
  const auto note = [&](const Expr& address) {
    const std::optional<Value> base = constant_part(address);
    const Value object = base ? object_of(*base) : -1;
    if (object < 0 || object >= static_cast<Value>(program.objects.size())) return;
    const auto id = static_cast<ObjectId>(object);
    if (memory.entry_of(id).type.is_tensor_map) accessed_.insert(id);
  };
  for (const Thread& thread : program.threads) {
    for (const Instruction& instruction : thread.code) {
      if (const MemoryAccess* access = access_of(instruction.operation)) note(access->address);
      const auto* fence = std::get_if<ProxyFence>(&instruction.operation);
      if (fence != nullptr && fence->address) note(Expr::make_constant(*fence->address, kAddress));
    }
  }
}

}  // namespace ambit::parser::litmus
