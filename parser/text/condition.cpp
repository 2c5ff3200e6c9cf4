#include "parser/text/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>
#include <vector>

#include "base/plural.h"
#include "parser/text/constant_arithmetic.h"
#include "parser/text/keywords.h"
#include "parser/text/written_cells.h"

namespace ambit::parser {
namespace {

bool reads_any(const Expr& expr, const std::set<RegisterId>& registers) {
  if (expr.op == Op::Register) return registers.contains(expr.reg);
  return std::any_of(expr.arguments.begin(), expr.arguments.end(),
                     [&](const Expr& argument) { return reads_any(argument, registers); });
}

/// Returns the registers whose values may depend on memory or on other threads.
std::set<RegisterId> fed_by_memory(const Thread& thread) {
  std::set<RegisterId> fed;
  std::size_t before = 0;
  do {
    before = fed.size();
    for (const Instruction& instruction : thread.code) {
      const auto target = assigned_register(instruction.operation);
      const auto* assign = std::get_if<Assign>(&instruction.operation);
      if (target && (assign == nullptr || reads_any(assign->value, fed))) fed.insert(*target);
    }
  } while (fed.size() != before);
  return fed;
}

/// Returns whether the name is a relation in models of Ambit or herd7.
bool is_relation_name(std::string_view name) {
  static const std::set<std::string_view> kRelations = {"rf",  "co",  "fr",  "po",  "rmw", "rfe",
                                                        "rfi", "fre", "fri", "coe", "coi", "com"};
  return kRelations.contains(name);
}

bool is_assigned(const Thread& thread, RegisterId reg) {
  return std::ranges::any_of(
      thread.code, [&](const Instruction& instruction) { return assigned_register(instruction.operation) == reg; });
}

/// Returns the place of a condition. The length of this place includes all lines of the condition and their line ends.
SourceSpan span_over_lines(const ConditionNode& condition, const SourceFilePtr& source) {
  SourceSpan span = condition.span;
  const SourceSpan& last = condition.last;
  if (!source || span.line == 0 || last.line <= span.line || source->line(last.line).empty()) return span;
  const auto lines = source->line(last.line).data() - source->line(span.line).data();
  span.length = static_cast<std::uint32_t>(lines) + last.column + last.length - span.column;
  return span;
}

}  // namespace

ConditionReader::ConditionReader(Program& program, MemoryTable& memory, const FileNode& file, Reporter& reporter)
    : program_(program), memory_(memory), file_(file), reporter_(reporter) {}

void ConditionReader::read() {
  for (std::size_t i = 1; i < file_.conditions.size(); ++i) {
    reporter_.error(file_.conditions[i].span, "a test can have only one condition");
  }
  for (std::size_t i = 1; i < file_.filters.size(); ++i) {
    reporter_.error(file_.filters[i].span, "a test can have only one filter", "join them with &&");
  }
  const ConditionNode* filter = file_.filters.empty() ? nullptr : &file_.filters.front();
  const ConditionNode* condition = file_.conditions.empty() ? nullptr : &file_.conditions.front();
  const auto read_filter = [&] {
    if (filter != nullptr) program_.condition.filter = proposition(filter->proposition);
  };
  const bool filter_first =
      filter != nullptr && condition != nullptr &&
      std::pair(filter->span.line, filter->span.column) < std::pair(condition->span.line, condition->span.column);
  if (condition == nullptr) observe_everything();
  if (filter_first || condition == nullptr) read_filter();
  if (condition != nullptr) {
    program_.condition.quantifier = condition->quantifier;
    program_.condition.proposition = proposition(condition->proposition);
    program_.condition.span = span_over_lines(*condition, program_.source);
    if (!filter_first) read_filter();
  }
  for (const ExprNode& node : file_.observed) observed(node);
  // A proposition must be a truth value. If the proposition is not set, an error has been reported.
  for (std::optional<Expr>* expr : {&program_.condition.proposition, &program_.condition.filter}) {
    if (*expr) *expr = to_boolean(*std::move(*expr));
  }
}

void ConditionReader::observe_everything() {
  for (std::uint32_t t = 0; t < program_.threads.size(); ++t) {
    const Thread& thread = program_.threads[t];
    const std::set<RegisterId> fed = fed_by_memory(thread);
    for (RegisterId reg = 0; reg < thread.registers.size(); ++reg) {
      const Register& named = thread.registers[reg];
      if (named.name.starts_with('%') || !fed.contains(reg)) continue;
      observe({Observable::Kind::Register, t, reg, 0, named.type, fmt::format("{}:{}", thread.name, named.name)});
    }
  }
  const std::vector<bool> is_written = written_cells(program_);
  for (LocationId id = 0; id < program_.locations.size(); ++id) {
    const Location& cell = program_.locations[id];
    if (program_.objects[cell.object].space != MemorySpace::Global || cell.name.starts_with('%')) continue;
    if (!is_written[id]) continue;
    observe({Observable::Kind::Memory, 0, 0, id, cell.type, cell.name});
  }
}

Expr ConditionReader::observe(Observable observable) {
  const auto [known, fresh] =
      observed_.emplace(observable.name, static_cast<std::uint32_t>(program_.observables.size()));
  Expr leaf = Expr::make_register(known->second, observable.type);
  if (fresh) program_.observables.push_back(std::move(observable));
  return leaf;
}

std::optional<Expr> ConditionReader::proposition(const ExprNode& node) {
  switch (node.kind) {
    case ExprKind::Integer: return Expr::make_constant(node.value, node.scalar);
    case ExprKind::Name:
    case ExprKind::Index: return observed(node);
    case ExprKind::Unary: {
      if (node.unary == UnaryOp::AddressOf) return address_of(node.children.front());
      std::optional<Expr> operand = proposition(node.children.front());
      return operand ? std::optional(make_unary(node.unary, *std::move(operand))) : std::nullopt;
    }
    case ExprKind::Binary: {
      std::optional<Expr> left = proposition(node.children[0]);
      std::optional<Expr> right = proposition(node.children[1]);
      if (!left || !right) return std::nullopt;
      return make_binary(node.op, *std::move(left), *std::move(right));
    }
    default: break;
  }
  AMBIT_ASSERT(false && "an expression of the condition grammar");
  return std::nullopt;
}

/// Returns the value of `&x` or `&pool[1]`, which is a constant.
std::optional<Expr> ConditionReader::address_of(const ExprNode& node) {
  const ExprNode& name = node.kind == ExprKind::Index ? node.children[0] : node;
  if (!name.qualifier.empty() && thread_named(name.qualifier) != nullptr) {
    reporter_.error(node.span, "a register has no address", "write & before the name of memory");
    return std::nullopt;
  }
  const std::optional<LocationId> cell = location(node);
  if (!cell) return std::nullopt;
  const Location& found = program_.locations[*cell];
  return Expr::make_constant(make_address(found.object, found.index), kAddress);
}

std::optional<Expr> ConditionReader::observed(const ExprNode& node) {
  const bool indexed = node.kind == ExprKind::Index;
  const ExprNode& name = indexed ? node.children[0] : node;
  if (name.qualifier.empty() && (name.name == "true" || name.name == "false") && memory_.find(name.name) == nullptr) {
    return Expr::make_constant(name.name == "true" ? 1 : 0);
  }
  if (name.qualifier.empty() && (name.name == "nullptr" || name.name == "NULL") && memory_.find(name.name) == nullptr) {
    return Expr::make_constant(0, kAddress);
  }
  if (!name.qualifier.empty() && thread_named(name.qualifier) != nullptr) {
    const std::optional<Observable> found = register_of(name);
    if (!found) return std::nullopt;
    if (indexed) {
      reporter_.error(node.span, fmt::format("'{}' is a register, not an array", found->name));
      return std::nullopt;
    }
    return observe(*found);
  }
  if (name.qualifier.empty()) {
    const MemoryEntry* entry = memory_.find(name.name);
    if (entry != nullptr && entry->constant) return Expr::make_constant(*entry->constant, entry->type.scalar);
  }
  const std::optional<LocationId> cell = location(node);
  if (!cell) return std::nullopt;
  const Location& found = program_.locations[*cell];
  const bool is_struct = node.path.empty() && name.name.find('.') == std::string::npos &&
                         program_.objects[found.object].name.find('.') != std::string::npos;
  if (is_struct) {
    reporter_.error(node.span, fmt::format("'{}' is a struct", name.name), fmt::format("name a field: {}", found.name));
    return std::nullopt;
  }
  return observe({Observable::Kind::Memory, 0, 0, *cell, found.type, found.name});
}

const Thread* ConditionReader::thread_named(std::string_view name) const {
  const auto found = std::find_if(program_.threads.begin(), program_.threads.end(),
                                  [&](const Thread& thread) { return thread.name == name; });
  return found == program_.threads.end() ? nullptr : &*found;
}

std::optional<Observable> ConditionReader::register_of(const ExprNode& name) {
  const Thread& thread = *thread_named(name.qualifier);
  std::vector<std::string_view> candidates;
  for (RegisterId reg = 0; reg < thread.registers.size(); ++reg) {
    const Register& candidate = thread.registers[reg];
    if (candidate.name.starts_with('%')) continue;
    candidates.push_back(candidate.name);
    if (candidate.name != name.name) continue;
    if (!is_assigned(thread, reg)) {
      reporter_.error(name.span, fmt::format("{} never writes the register '{}'", thread.name, name.name));
      return std::nullopt;
    }
    const auto index = static_cast<std::uint32_t>(&thread - program_.threads.data());
    return Observable{
        Observable::Kind::Register, index, reg, 0, candidate.type, fmt::format("{}:{}", thread.name, candidate.name)};
  }
  std::string hint = did_you_mean(name.name, candidates);
  if (hint.empty() && memory_.find(name.name) != nullptr) hint = fmt::format("'{0}' is memory: write {0}", name.name);
  if (hint.empty()) hint = one_of("its registers are", candidates);
  reporter_.error(name.span, fmt::format("{} has no register '{}'", thread.name, name.name), hint);
  return std::nullopt;
}

std::optional<BlockId> ConditionReader::block_named(std::string_view name) const {
  for (const BlockSize& size : program_.blocks) {
    const BlockId block{size.gpu, size.block};
    const std::string prefix = MemoryTable::shared_name("", block);
    if (std::string_view(prefix).substr(0, prefix.size() - 1) == name) return block;
  }
  return std::nullopt;
}

void ConditionReader::report_unknown_qualifier(const ExprNode& name) {
  std::vector<std::string_view> candidates;
  candidates.reserve(program_.threads.size());
  for (const Thread& thread : program_.threads) candidates.push_back(thread.name);
  const bool vanished =
      !file_.launches.empty() && name.qualifier.starts_with('b') && name.qualifier.find('t') != std::string_view::npos;
  std::string hint = did_you_mean(name.qualifier, candidates);
  if (hint.empty()) hint = one_of("the threads are", candidates);
  if (vanished) hint = "Ambit drops launched threads that have no memory access and no barrier";
  reporter_.error(name.span, fmt::format("unknown thread or block '{}'", name.qualifier), hint);
}

std::optional<ObjectId> ConditionReader::object_of(const ExprNode& name) {
  if (!name.qualifier.empty()) {
    const std::optional<BlockId> block = block_named(name.qualifier);
    if (!block) {
      report_unknown_qualifier(name);
      return std::nullopt;
    }
    std::optional<ObjectId> object = memory_.find_shared(name.name, *block);
    if (!object) {
      const bool global = memory_.find(name.name) != nullptr;
      reporter_.error(name.span, fmt::format("unknown shared variable '{}'", name.name),
                      global ? fmt::format("'{0}' is global memory: write {0}", name.name) : "");
    }
    return object;
  }
  MemoryEntry* entry = memory_.find(name.name);
  if (entry != nullptr && !entry->is_shared && !entry->constant) return memory_.object(*entry, {});
  if (memory_.is_shared_name(name.name)) {
    reporter_.error(name.span, fmt::format("'{}' is shared memory: each block has its own copy", name.name),
                    fmt::format("name the block: {}",
                                MemoryTable::shared_name(
                                    name.name, {program_.blocks.empty() ? 0 : program_.blocks.front().gpu,
                                                program_.blocks.empty() ? 0 : program_.blocks.front().block})));
    return std::nullopt;
  }
  std::string hint = did_you_mean(name.name, memory_.names());
  for (const Thread& thread : program_.threads) {
    for (const Register& reg : thread.registers) {
      if (reg.name == name.name) hint = fmt::format("name the thread of a register: {}:{}", thread.name, name.name);
    }
  }
  if (hint.empty() && is_relation_name(name.name)) {
    hint =
        "a condition ranges over final values of registers and memory; relations belong to models "
        "(docs/reference/rules.md)";
  }
  reporter_.error(name.span, fmt::format("unknown name '{}'", name.name), hint);
  return std::nullopt;
}

std::optional<LocationId> ConditionReader::location(const ExprNode& node) {
  if (!node.path.empty()) return cell_of_path(node);
  const bool indexed = node.kind == ExprKind::Index;
  if (!indexed) return memory_cell(node, {}, node.span);
  std::vector<Value> indices;
  for (std::size_t i = 1; i < node.children.size(); ++i) indices.push_back(node.children[i].value);
  return memory_cell(node.children[0], indices, node.span);
}

/// Resolves the path of a struct's cell, `s.a` or `b0:nodes[1].value`. The cell's name is the path.
std::optional<LocationId> ConditionReader::cell_of_path(const ExprNode& node) {
  std::string path(node.path);
  std::erase_if(path, [](unsigned char c) { return std::isspace(c) != 0; });
  std::vector<std::string_view> names;
  for (LocationId id = 0; id < program_.locations.size(); ++id) {
    const std::string& name = program_.locations[id].name;
    if (name == path) return id;
    if (name.find('.') != std::string::npos) names.push_back(name);
  }
  reporter_.error(node.span, fmt::format("unknown struct cell '{}'", path),
                  did_you_mean(path, names, one_of("the struct cells are", names)));
  return std::nullopt;
}

std::optional<LocationId> ConditionReader::memory_cell(const ExprNode& name, const std::vector<Value>& indices,
                                                       SourceSpan span) {
  const std::optional<ObjectId> id = object_of(name);
  if (!id) return std::nullopt;
  const MemoryObject& object = program_.objects[*id];
  const auto fail = [&](std::string message, std::string hint = {}) {
    reporter_.error(span, std::move(message), std::move(hint));
    return std::nullopt;
  };
  if (!object.is_array && !indices.empty()) return fail(fmt::format("'{}' is not an array", object.name));
  const std::vector<std::uint32_t> dimensions = memory_.dimensions(*id);
  if (object.is_array && indices.empty()) {
    std::string element = object.name;
    for (std::size_t i = 0; i < dimensions.size(); ++i) element += "[0]";
    return fail(fmt::format("'{}' is an array", object.name), fmt::format("name an element: {}", element));
  }
  if (object.is_array && indices.size() != dimensions.size()) {
    return fail(fmt::format("an element of '{}' has {}", object.name, plural(dimensions.size(), "index", "indices")));
  }
  Value element = 0;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Value length = dimensions[i];
    if (indices[i] < 0 || indices[i] >= length) {
      return fail(fmt::format("index {} is out of range: '{}' has {}", indices[i], object.name,
                              plural(static_cast<std::uint64_t>(length), "element")),
                  length == 1 ? "its only index is 0" : fmt::format("its indices are 0 to {}", length - 1));
    }
    element = element * length + indices[i];
  }
  return object.first + static_cast<LocationId>(element);
}

}  // namespace ambit::parser
