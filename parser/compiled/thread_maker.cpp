#include "parser/compiled/thread_maker.h"

#include <fmt/format.h>

#include <limits>
#include <numeric>

#include "base/demangled.h"
#include "parser/compiled/mangled_name.h"
#include "parser/text/loop_order.h"

namespace ambit::parser::compiled {

using litmus::Assembly;
using litmus::ThreadSetting;

namespace {

/// The name of the memory object for the grid's workspace. The name differs from the names of all variables. The
/// workspace has two words: its size and the counter of the grid barrier.
constexpr std::string_view kGridWorkspace = "%grid";

/// Finds the variables of the test by their names in the module.
class SourceMemory final : public Memory {
 public:
  SourceMemory(Assembly& assembly, const assembly::Module& module, AccessRecords* records)
      : assembly_(assembly), module_(module), records_(records), layouts_(assembly.memory) {}

  bool record(const Symbol& pointer, const assembly::MemoryMeaning& meaning, const SourceSpan& span) override {
    if (records_ == nullptr) return false;
    if (!pointer.pointer.is_constant()) return true;
    const std::string& object =
        assembly_.program.objects[static_cast<ObjectId>(object_of(pointer.pointer.constant))].name;
    const ByteOffset offset = byte_offset(pointer);
    const bool is_strong = meaning.is_volatile || meaning.order != Order::Weak;
    (*records_)[object.substr(object.find(':') + 1)].push_back({offset, meaning.type, is_strong, span});
    return true;
  }

  bool is_recording() const override { return records_ != nullptr; }

  void record_bytes(const Symbol& pointer, const std::optional<Symbol>& source, Value bytes,
                    const SourceSpan& span) override {
    const std::optional<std::size_t> copied = source ? recorded(*source, bytes, {}, span) : std::nullopt;
    recorded(pointer, bytes, copied, span);
  }

  Symbol in_block(Symbol pointer, BlockId own, BlockId other) override {
    const auto object = static_cast<ObjectId>(object_of(pointer.pointer.constant));
    if (assembly_.program.objects[object].space != MemorySpace::Shared) return pointer;
    MemoryEntry& entry = assembly_.memory.entry_of(object);
    const auto from = static_cast<Value>(assembly_.memory.object(entry, own));
    const auto to = static_cast<Value>(assembly_.memory.object(entry, other));
    pointer.pointer = Expr::make_constant(pointer.pointer.constant + make_address(static_cast<ObjectId>(to), 0) -
                                              make_address(static_cast<ObjectId>(from), 0),
                                          kBits64);
    return pointer;
  }

  Assembly& assembly() override { return assembly_; }

  LayoutTable& layouts() override { return layouts_; }

  /// Memory that a launch passes comes from cudaMalloc and is aligned to 256 bytes.
  Value alignment(const Symbol& pointer) override {
    std::string name = variable_of(pointer);
    name = name.substr(0, name.find('.'));  // the name may include a field
    for (const assembly::Variable& variable : module_.variables) {
      const bool is_memory = variable.space == assembly::Space::Shared || variable.space == assembly::Space::Global ||
                             variable.space == assembly::Space::Const;
      if (is_memory && plain_name(variable.name) == name) return static_cast<Value>(variable.alignment);
    }
    return kAllocationAlignment;
  }

  Symbol variable(std::uint32_t index, BlockId block) override {
    const assembly::Variable& variable = module_.variables[index];
    const std::string name = plain_name(variable.name);
    if (variable.space == assembly::Space::Shared) {
      if (MemoryEntry* entry = shared(name, variable.name, block)) return begin_of(*entry, block);
    } else if (MemoryEntry* entry = assembly_.memory.find(name); entry != nullptr && !entry->constant) {
      return begin_of(*entry, {});
    }
    Symbol unknown;
    unknown.base = Symbol::Base::Unknown;
    unknown.name = name;
    unknown.local.variable = index;
    unknown.value = Expr::make_constant(0, kBits64);
    return unknown;
  }

  Symbol grid_workspace() override {
    MemoryEntry* entry = assembly_.memory.find(kGridWorkspace);
    if (entry == nullptr) {
      entry = assembly_.memory.declare_launch_array(kGridWorkspace, Type{.scalar = kUnsigned}, 2, {});
    }
    return begin_of(*entry, {});
  }

  Symbol pointer(Value address) override {
    const DecodedAddress decoded = decode_address(address);
    const MemoryEntry* entry = &assembly_.memory.entry_of(static_cast<ObjectId>(decoded.object));
    const std::size_t dot = entry->name.find('.');
    if (dot != std::string::npos) entry = assembly_.memory.find(entry->name.substr(0, dot));
    return at(layouts_.of(entry->type), static_cast<ObjectId>(decoded.object), decoded.index);
  }

 private:
  Symbol at(const Layout& layout, ObjectId object, std::int64_t index) const {
    Symbol symbol;
    symbol.base = Symbol::Base::Memory;
    symbol.layout = &layout;
    symbol.pointer = Expr::make_constant(make_address(object, 0), kBits64);
    symbol.value = Expr::make_constant(index * static_cast<Value>(layout.stride), kBits64);
    return symbol;
  }

  static constexpr Value kAllocationAlignment = 256;

  std::string variable_of(const Symbol& pointer) const {
    const auto object = static_cast<ObjectId>(object_of(pointer.pointer.constant));
    const std::string& name = assembly_.program.objects[object].name;
    return name.substr(name.find(':') + 1);
  }

  /// Limits `offset` to the offsets at which a copy may begin. A copy is aligned to its size, up to 16 bytes.
  static ByteOffset aligned(ByteOffset offset, Value bytes) {
    if (bytes <= 0) return offset;
    const Value alignment = std::gcd(bytes, Value{16});
    if (offset.step % alignment == 0) return offset;
    const Value rest = offset.constant % alignment;
    offset.constant -= rest;
    offset.step = alignment;
    if (offset.high < std::numeric_limits<Value>::max() - alignment) offset.high += alignment;
    return offset;
  }

  /// Records an access to the bytes at `pointer` and returns the index of the record; nothing if the variable is
  /// unknown.
  std::optional<std::size_t> recorded(const Symbol& pointer, Value bytes, std::optional<std::size_t> source,
                                      const SourceSpan& span) {
    if (pointer.base != Symbol::Base::Memory || !pointer.pointer.is_constant()) return std::nullopt;
    records_->bytes.push_back({variable_of(pointer), aligned(byte_offset(pointer), bytes), bytes, source, span});
    return records_->bytes.size() - 1;
  }

  Symbol begin_of(MemoryEntry& entry, BlockId block) {
    return at(layouts_.of(entry.type), assembly_.memory.object(entry, block), 0);
  }

  /// Returns a shared variable of the file or of a function body. If several variables have this name, returns the
  /// variable whose function occurs in the mangled name.
  MemoryEntry* shared(const std::string& name, const std::string& mangled, BlockId block) {
    if (MemoryEntry* entry = assembly_.memory.find(name); entry != nullptr && entry->is_shared) return entry;
    const std::string full = demangled(mangled);
    const Declarator* found = nullptr;
    const Storage* storage = nullptr;
    for (const FunctionNode& function : assembly_.file.functions) {
      if (!function.body) continue;
      const bool is_named = full.find(std::string(function.name.text)) != std::string::npos;
      find_declarator(*function.body, name, [&](const Declarator& declarator, const Storage& its) {
        if (found != nullptr && !is_named) return;
        found = &declarator;
        storage = &its;
      });
    }
    if (found == nullptr) return nullptr;
    return assembly_.memory.declare_shared(*found, *storage, std::nullopt, block);
  }

  template <typename Visit>
  static void find_declarator(const StatementNode& body, const std::string& name, Visit visit) {
    std::vector<const StatementNode*> open = {&body};
    while (!open.empty()) {
      const StatementNode& node = *open.back();
      open.pop_back();
      if (node.kind == StatementKind::Declaration && node.declaration.storage.is_shared) {
        for (const Declarator& declarator : node.declaration.declarators) {
          if (declarator.name.text == name) visit(declarator, node.declaration.storage);
        }
      }
      for (const StatementNode& child : node.children) open.push_back(&child);
    }
  }

  Assembly& assembly_;
  const assembly::Module& module_;
  AccessRecords* records_;
  LayoutTable layouts_;
};

}  // namespace

CompiledThreadMaker::CompiledThreadMaker(const assembly::Module& module, const Places& places, AccessRecords* records)
    : module_(module), places_(places), records_(records) {}

CompiledThreadMaker::~CompiledThreadMaker() = default;

Thread CompiledThreadMaker::make(Assembly& assembly, const ThreadSetting& setting, const FunctionNode& kernel,
                                 const std::vector<litmus::Operand>& arguments) {
  Thread empty;
  empty.name = setting.name;
  empty.place = setting.place;
  empty.span = kernel.name.span;
  const FlatCode* code = code_of(kernel, arguments.size(), assembly.reporter);
  if (code == nullptr) return empty;
  if (memory_ == nullptr) memory_ = std::make_unique<SourceMemory>(assembly, module_, records_);
  Thread thread = CompiledThread(*code, setting, arguments, *memory_, assembly.reporter).lower();
  if (!order_loops(thread)) {
    assembly.reporter.error(kernel.name.span, "the loops of this kernel have too many entries",
                            "compile the kernel without optimisation");
  }
  thread.span = kernel.name.span;
  for (ambit::Instruction& instruction : thread.code) {
    if (instruction.span.line == 0) instruction.span = kernel.name.span;
  }
  return thread;
}

const FlatCode* CompiledThreadMaker::code_of(const FunctionNode& kernel, std::size_t parameters, Reporter& reporter) {
  const auto [entry, is_new] = codes_.try_emplace(&kernel);
  if (!is_new) return entry->second ? &*entry->second : nullptr;
  const assembly::Function* found = nullptr;
  for (const assembly::Function& function : module_.functions) {
    if (!function.is_entry || !function.has_body || function.parameters.size() != parameters) continue;
    if (!names_kernel(function.name, kernel.name.text)) continue;
    if (found != nullptr) {
      reporter.error(kernel.name.span, fmt::format("several compiled kernels match '{}'", kernel.name.text));
      return nullptr;
    }
    found = &function;
  }
  if (found == nullptr) {
    const std::string_view name = kernel.name.text;
    reporter.error(kernel.name.span, fmt::format("the compiled code has no kernel '{}'", name),
                   name.find('<') == std::string::npos
                       ? ""
                       : fmt::format("nvcc compiles the instances that the source uses: add an explicit instantiation, "
                                     "template __global__ void {}(...) with the types of its parameters",
                                     name));
    return nullptr;
  }
  entry->second = flatten(module_, *found, places_, reporter);
  return entry->second ? &*entry->second : nullptr;
}

}  // namespace ambit::parser::compiled
