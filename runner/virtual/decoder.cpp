#include "runner/virtual/decoder.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <memory>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "runner/virtual/address.h"
#include "runner/virtual/control.h"
#include "runner/virtual/float_format.h"
#include "runner/virtual/special_registers.h"
#include "runner/virtual/undefined_registers.h"

namespace ambit::virtual_gpu {
namespace {

std::uint32_t round_up(std::uint64_t value, std::uint64_t to) {
  return static_cast<std::uint32_t>((value + to - 1) / to * to);
}

/// The functions that a kernel can call; the first is the kernel itself. A call through a pointer can reach all
/// functions whose address is taken.
class CallGraph {
 public:
  CallGraph(const ptx::Module& module, std::uint32_t kernel) : module_(module) { visit(kernel); }

  const std::vector<std::uint32_t>& functions() const { return functions_; }

  /// Returns the bytes of local memory on the deepest chain of calls from `function`.
  std::uint64_t local_bytes(std::uint32_t function, const std::map<std::uint32_t, std::uint32_t>& own,
                            std::set<std::uint32_t>& above) const {
    if (!above.insert(function).second) return 0;
    std::uint64_t deepest = 0;
    for (const std::uint32_t called : calls_.at(function)) {
      deepest = std::max(deepest, local_bytes(called, own, above));
    }
    above.erase(function);
    return deepest + slot_stride(own.at(function));
  }

 private:
  void visit(std::uint32_t number) {
    if (calls_.contains(number)) return;
    functions_.push_back(number);
    auto& calls = calls_[number];
    const ptx::Function& function = module_.functions[number];
    std::set<std::uint32_t> called;
    for (const ptx::Instruction& instruction : function.instructions) {
      if (instruction.opcode != ptx::Opcode::Call) continue;
      const ptx::Operand& callee = instruction.operands[1];
      if (callee.kind == ptx::Operand::Kind::Function) {
        called.insert(callee.index);
      } else {
        const auto& taken = taken_addresses();
        called.insert(taken.begin(), taken.end());
      }
    }
    for (const std::uint32_t other : called) {
      if (module_.functions[other].has_body) calls.push_back(other);
    }
    const std::vector<std::uint32_t> below = calls;
    for (const std::uint32_t other : below) visit(other);
  }

  const std::set<std::uint32_t>& taken_addresses() {
    if (taken_) return *taken_;
    taken_.emplace();
    for (const ptx::Variable& variable : module_.variables) {
      for (const ptx::Relocation& relocation : variable.relocations) {
        if (relocation.is_function) taken_->insert(relocation.symbol);
      }
    }
    for (const ptx::Function& function : module_.functions) {
      for (const ptx::Instruction& instruction : function.instructions) {
        if (instruction.opcode == ptx::Opcode::Call) continue;
        for (const ptx::Operand& operand : instruction.operands) {
          if (operand.kind == ptx::Operand::Kind::Function) taken_->insert(operand.index);
        }
      }
    }
    return *taken_;
  }

  const ptx::Module& module_;
  std::vector<std::uint32_t> functions_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> calls_;
  std::optional<std::set<std::uint32_t>> taken_;
};

/// Returns the size of an array's elements. nvcc declares each array as bytes, with the alignment of its elements. An
/// alignment of more than 8 bytes gives no size, because `__align__` can cause such an alignment.
std::uint32_t element_bytes(const ptx::Variable& variable) {
  const std::uint64_t natural = ptx::bytes_of(variable.type) * variable.vector_width;
  if (natural > 1) return static_cast<std::uint32_t>(natural);
  return variable.alignment <= 8 ? static_cast<std::uint32_t>(variable.alignment) : 0;
}

/// Lays out shared memory. Static variables follow each other. All dynamic variables have the same address, after the
/// static variables.
void lay_out_shared(const ptx::Module& module, const std::vector<std::uint32_t>& functions, KernelCode& code,
                    VariableAddresses& addresses) {
  std::set<std::uint32_t> used;
  for (const std::uint32_t number : functions) {
    for (const ptx::Instruction& instruction : module.functions[number].instructions) {
      for (const ptx::Operand& operand : instruction.operands) {
        const bool is_variable =
            operand.kind == ptx::Operand::Kind::Variable ||
            (operand.kind == ptx::Operand::Kind::Address && operand.base == ptx::Operand::Base::Variable);
        if (is_variable && module.variables[operand.index].space == ptx::Space::Shared) used.insert(operand.index);
      }
    }
  }
  std::uint64_t end = 0;
  std::uint64_t alignment = 16;
  for (const std::uint32_t index : used) {
    const ptx::Variable& variable = module.variables[index];
    alignment = std::max(alignment, variable.alignment);
    if (variable.size() == 0) continue;
    end = round_up(end, variable.alignment);
    addresses.shared[index] = static_cast<std::uint32_t>(end);
    end += variable.size();
  }
  code.static_shared_bytes = static_cast<std::uint32_t>(end);
  code.dynamic_shared_offset = round_up(end, alignment);
  for (const std::uint32_t index : used) {
    const ptx::Variable& variable = module.variables[index];
    if (variable.size() == 0) addresses.shared[index] = code.dynamic_shared_offset;
    code.shared.push_back({variable.name, addresses.shared[index], variable.size(), element_bytes(variable)});
  }
  std::ranges::stable_sort(code.shared, {}, &SharedVariable::offset);
}

}  // namespace

unsigned slot_bytes(ptx::Type type) {
  if (type == ptx::Type::Pred) return 0;
  return std::max(ptx::bytes_of(type), 2U);
}

ptx::Type as_bits(ptx::Type type) {
  using ptx::Type;
  if (!ptx::is_float(type) && ptx::is_signed(type)) return type;
  if (type == Type::U16x2 || type == Type::S16x2) return Type::U32;
  switch (ptx::bits_of(type)) {
    case 8: return Type::U8;
    case 16: return Type::U16;
    case 32: return Type::U32;
    case 64: return Type::U64;
    default: return type;
  }
}

std::vector<std::uint32_t> parameter_offsets(const ptx::Module& module, const ptx::Function& kernel) {
  std::vector<std::uint32_t> offsets;
  std::uint32_t end = 0;
  for (const ptx::Parameter& parameter : kernel.parameters) {
    const ptx::Variable& variable = module.variables[parameter.index];
    end = round_up(end, std::max<std::uint64_t>(variable.alignment, 1));
    offsets.push_back(end);
    end += static_cast<std::uint32_t>(variable.size());
  }
  offsets.push_back(end);
  return offsets;
}

Result<std::unique_ptr<KernelCode>> decode_kernel(const ptx::Module& module, std::uint32_t kernel,
                                                  const std::vector<std::uint64_t>& addresses, std::uint32_t first_site,
                                                  bool is_spread) {
  auto code = std::make_unique<KernelCode>();
  code->is_spread = is_spread;
  const CallGraph graph(module, kernel);
  VariableAddresses variables;
  variables.global = addresses;
  lay_out_shared(module, graph.functions(), *code, variables);
  code->index_of.assign(module.functions.size(), -1);
  std::uint32_t site = first_site;
  for (const std::uint32_t number : graph.functions()) {
    auto function = std::make_unique<FunctionCode>();
    function->name = module.functions[number].name;
    function->number = number;
    function->index = static_cast<std::uint32_t>(code->functions.size());
    function->first_site = site;
    site += static_cast<std::uint32_t>(module.functions[number].instructions.size()) + 1;
    code->index_of[number] = static_cast<std::int32_t>(function->index);
    code->functions.push_back(std::move(function));
  }
  std::map<std::uint32_t, std::uint32_t> local_bytes;
  for (const auto& function : code->functions) {
    FunctionDecoder decoder(module, module.functions[function->number], variables, *code, *function);
    if (auto error = decoder.decode()) return *std::move(error);
    local_bytes[function->number] = function->local_bytes;
  }
  std::set<std::uint32_t> above;
  code->local_bytes = graph.local_bytes(kernel, local_bytes, above);
  return code;
}

FunctionDecoder::FunctionDecoder(const ptx::Module& module, const ptx::Function& function,
                                 const VariableAddresses& addresses, KernelCode& kernel, FunctionCode& code)
    : module_(module), function_(function), addresses_(addresses), kernel_(kernel), code_(code) {}

bool FunctionDecoder::refuse(std::string message, std::string hint) {
  if (error_) return true;
  Diagnostic made;
  made.file = module_.file;
  if (from_ != nullptr) made.span = from_->place;
  made.message = std::move(message);
  made.hint = std::move(hint);
  error_ = std::move(made);
  return true;
}

std::optional<Diagnostic> FunctionDecoder::decode() {
  code_.frame_bytes = kFirstFree;
  lay_out_registers();
  lay_out_parameters();
  code_.instructions.resize(function_.instructions.size() + 1);
  for (std::size_t i = 0; i < function_.instructions.size() && !error_; ++i) {
    Instruction& to = code_.instructions[i];
    to.site = code_.first_site + static_cast<std::uint32_t>(i);
    from_ = &function_.instructions[i];
    decode_instruction(*from_, to);
  }
  Instruction& end = code_.instructions.back();
  end.site = code_.first_site + static_cast<std::uint32_t>(function_.instructions.size());
  end.execute = execute_return;
  if (!error_) find_undefined();
  return error_;
}

/// Finds registers that may be read before they are written. These registers must be cleared, because warps reuse
/// frames and a read must not return a value from the previous use of the frame.
void FunctionDecoder::find_undefined() {
  code_.undefined = all_slots_;
  const std::vector<bool> undefined = undefined_registers(function_);
  for (std::size_t i = 0; i < undefined.size(); ++i) {
    const unsigned bytes = slot_bytes(function_.registers[i]);
    if (undefined[i]) code_.undefined.push_back({registers_[i], bytes == 0 ? 4 : bytes * kLanes});
  }
}

void FunctionDecoder::lay_out_registers() {
  std::uint32_t& end = code_.frame_bytes;
  registers_.resize(function_.registers.size());
  for (const unsigned bytes : {16U, 8U, 4U, 2U, 0U}) {
    for (std::size_t i = 0; i < registers_.size(); ++i) {
      if (slot_bytes(function_.registers[i]) != bytes) continue;
      registers_[i] = end;
      end += bytes == 0 ? 4 : bytes * kLanes;
    }
  }
  end = round_up(end, 64);
}

void FunctionDecoder::lay_out_parameters() {
  if (function_.is_entry) {
    const std::vector<std::uint32_t> offsets = parameter_offsets(module_, function_);
    for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
      kernel_parameters_[function_.parameters[i].index] = offsets[i];
    }
  } else {
    const auto lay_out = [&](const std::vector<ptx::Parameter>& from, std::vector<CallValue>& to) {
      for (const ptx::Parameter& parameter : from) {
        if (parameter.is_register) {
          const unsigned bytes = slot_bytes(function_.registers[parameter.index]);
          to.push_back({true, registers_[parameter.index], bytes});
        } else {
          const auto bytes = static_cast<std::uint32_t>(module_.variables[parameter.index].size());
          to.push_back({false, slot_of(parameter.index), bytes});
        }
      }
    };
    lay_out(function_.parameters, code_.parameters);
    lay_out(function_.returns, code_.results);
  }
  for (const std::uint32_t index : function_.variables) {
    const ptx::Variable& variable = module_.variables[index];
    if (variable.space != ptx::Space::Local) continue;
    code_.local_bytes = round_up(code_.local_bytes, std::max<std::uint64_t>(variable.alignment, 1));
    locals_[index] = code_.local_bytes;
    code_.local_bytes += static_cast<std::uint32_t>(variable.size());
  }
}

std::uint32_t FunctionDecoder::make_slot(std::uint64_t bytes) {
  const std::uint32_t offset = round_up(code_.frame_bytes, 64);
  code_.frame_bytes = offset + slot_stride(bytes) * kLanes;
  all_slots_.push_back({offset, slot_stride(bytes) * kLanes});
  return offset;
}

std::uint32_t FunctionDecoder::slot_of(std::uint32_t variable) {
  const auto known = slots_.find(variable);
  if (known != slots_.end()) return known->second;
  const std::uint32_t made = make_slot(std::max<std::uint64_t>(module_.variables[variable].size(), 1));
  slots_[variable] = made;
  return made;
}

void FunctionDecoder::decode_instruction(const ptx::Instruction& from, Instruction& to) {
  if (from.guard.reg != ptx::kNone) {
    to.guard = registers_[from.guard.reg];
    to.invert = from.guard.negated ? kAllLanes : 0;
  }
  const bool is_known = from.opcode != ptx::Opcode::Unknown && !from.has_other_modifier &&
                        (decode_control(from, to) || decode_memory(from, to) || decode_barrier_object(from, to) ||
                         decode_arithmetic(from, to));
  if (error_ || (is_known && to.execute != nullptr)) return;
  refuse(fmt::format("the virtual GPU does not execute '{}'", ptx::Module::text_of(function_, from.spelling)),
         fmt::format("only kernels that cannot reach '{}' run", function_.name));
}

unsigned FunctionDecoder::register_bytes(const Operand& operand) const {
  if (operand.kind != Operand::Kind::Register) return 0;
  return slot_bytes(function_.registers[operand.index]);
}

std::uint32_t FunctionDecoder::register_at(const Operand& operand, unsigned bytes) {
  if (operand.component >= 0) {
    refuse("the virtual GPU does not execute instructions on parts of registers");
    return kFirstFree;
  }
  const unsigned own = slot_bytes(function_.registers[operand.index]);
  if (own != bytes) {
    refuse(fmt::format("register '{}' has {} bits, the instruction needs {}", function_.register_name(operand.index),
                       own == 0 ? 1 : own * 8, bytes == 0 ? 1 : bytes * 8));
  }
  return registers_[operand.index];
}

std::uint32_t FunctionDecoder::constant(const Constant& wanted) {
  const auto key = std::make_tuple(static_cast<int>(wanted.kind), unsigned{wanted.bytes},
                                   static_cast<int>(wanted.special), wanted.value);
  const auto known = constants_.find(key);
  if (known != constants_.end()) return known->second;
  Constant made = wanted;
  made.offset = round_up(code_.frame_bytes, 64);
  code_.frame_bytes = made.offset + std::max(made.bytes * kLanes, 4U);
  code_.constants.push_back(made);
  constants_[key] = made.offset;
  return made.offset;
}

std::uint32_t FunctionDecoder::bits(std::uint64_t value, unsigned bytes) {
  Constant wanted;
  wanted.bytes = static_cast<std::uint8_t>(bytes);
  wanted.value = bytes < 8 && bytes > 0 ? value & ((std::uint64_t{1} << bytes * 8) - 1) : value;
  return constant(wanted);
}

/// Returns the address of a variable or a function, as a constant.
std::uint32_t FunctionDecoder::address_of(const Operand& operand, unsigned bytes) {
  if (operand.kind == Operand::Kind::Function) return bits(window_base(Window::Function) | operand.index, bytes);
  const ptx::Variable& variable = module_.variables[operand.index];
  switch (variable.space) {
    case ptx::Space::Global:
    case ptx::Space::Const: return bits(addresses_.global[operand.index] + operand.value, bytes);
    case ptx::Space::Shared: return bits(addresses_.shared.at(operand.index) + operand.value, bytes);
    case ptx::Space::Local: {
      if (!locals_.contains(operand.index)) break;
      Constant wanted;
      wanted.kind = Constant::Kind::Local;
      wanted.bytes = static_cast<std::uint8_t>(bytes);
      wanted.value = locals_.at(operand.index) + operand.value;
      return constant(wanted);
    }
    case ptx::Space::Param:
      if (const auto known = kernel_parameters_.find(operand.index); known != kernel_parameters_.end()) {
        return bits(known->second + operand.value, bytes);
      }
      break;
    default: break;
  }
  refuse(fmt::format("the virtual GPU does not take the address of '{}'", variable.name));
  return kFirstFree;
}

std::uint64_t FunctionDecoder::literal(const Operand& operand, Type type) {
  if (operand.kind == Operand::Kind::Integer) {
    if (!ptx::is_float(type)) return operand.value;
    return ptx::bits_of(type) == 16 || ptx::bits_of(type) == 64 || ptx::bits_of(type) == 32 ? operand.value : 0;
  }
  const bool is_double = operand.kind == Operand::Kind::Float64;
  if (type == Type::F64 && !is_double) {
    return std::bit_cast<std::uint64_t>(double{std::bit_cast<float>(static_cast<std::uint32_t>(operand.value))});
  }
  if (is_double && ptx::bits_of(type) == 32) {
    return encode(format_of(Type::F32), std::bit_cast<double>(operand.value), Rounding::Nearest);
  }
  return operand.value;
}

std::uint32_t FunctionDecoder::source(const Operand& operand, Type type) {
  const unsigned bytes = slot_bytes(type);
  switch (operand.kind) {
    case Operand::Kind::Register: return register_at(operand, bytes);
    case Operand::Kind::Integer:
    case Operand::Kind::Float32:
    case Operand::Kind::Float64: return bits(literal(operand, type), bytes);
    case Operand::Kind::Variable:
    case Operand::Kind::Function: return address_of(operand, bytes);
    case Operand::Kind::Special: {
      Constant wanted;
      wanted.kind = Constant::Kind::Special;
      wanted.bytes = static_cast<std::uint8_t>(bytes);
      wanted.special = static_cast<ptx::SpecialRegister>(operand.index);
      if (!is_known(wanted.special) || !is_fixed(wanted.special)) {
        refuse(fmt::format("the virtual GPU does not read '{}' here", ptx::to_string(wanted.special)));
      }
      kernel_.uses_reserved_shared = kernel_.uses_reserved_shared || is_reserved(wanted.special);
      return constant(wanted);
    }
    default: break;
  }
  refuse("the virtual GPU does not support this kind of operand here");
  return kFirstFree;
}

std::uint32_t FunctionDecoder::target(const Operand& operand, Type type) {
  if (operand.kind == Operand::Kind::Discard) return make_slot(16);
  if (operand.kind != Operand::Kind::Register) {
    refuse("expected a register as the result");
    return kFirstFree;
  }
  return register_at(operand, slot_bytes(type));
}

std::uint32_t FunctionDecoder::predicate(const Operand& operand, bool& negates) {
  negates = operand.negated;
  if (operand.kind == Operand::Kind::Integer) return operand.value != 0 ? kAlways : kNever;
  if (operand.kind == Operand::Kind::Register) return register_at(operand, 0);
  refuse("expected a predicate");
  return kNever;
}

}  // namespace ambit::virtual_gpu
