#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "ptx/module.h"
#include "runner/virtual/arithmetic.h"
#include "runner/virtual/code.h"

namespace ambit::virtual_gpu {

/// The addresses of a module's variables.
struct VariableAddresses {
  /// Device addresses of .global and .const variables, indexed by number of the variable.
  std::vector<std::uint64_t> global;
  /// Offsets of .shared variables for the kernel that is being translated.
  std::map<std::uint32_t, std::uint32_t> shared;
};

/// Translates a kernel and all functions that it can call. `first_site` is the number of the first instruction.
/// KernelCode explains `is_spread`. Errors: an instruction that the virtual GPU does not execute, with its place in the
/// PTX; a call of an undefined function.
Result<std::unique_ptr<KernelCode>> decode_kernel(const ptx::Module& module, std::uint32_t kernel,
                                                  const std::vector<std::uint64_t>& addresses, std::uint32_t first_site,
                                                  bool is_spread = false);

/// Returns the offsets of parameters in a kernel's parameter buffer, which follow from their alignments. The last entry
/// is the size of the buffer.
std::vector<std::uint32_t> parameter_offsets(const ptx::Module& module, const ptx::Function& kernel);

/// Translates one function. The methods are in decoder.cpp, decode_arithmetic.cpp, decode_memory.cpp and
/// decode_control.cpp.
class FunctionDecoder {
 public:
  FunctionDecoder(const ptx::Module& module, const ptx::Function& function, const VariableAddresses& addresses,
                  KernelCode& kernel, FunctionCode& code);
  /// Fills the code. Returns the first error, if any.
  std::optional<Diagnostic> decode();

 private:
  using Operand = ptx::Operand;
  using Type = ptx::Type;

  void lay_out_registers();
  void lay_out_parameters();
  void decode_instruction(const ptx::Instruction& from, Instruction& to);
  bool decode_arithmetic(const ptx::Instruction& from, Instruction& to);
  bool decode_memory(const ptx::Instruction& from, Instruction& to);
  bool decode_control(const ptx::Instruction& from, Instruction& to);

  // Operands
  const Operand& operand(std::size_t index) const { return from_->operands[index]; }
  std::size_t operand_count() const { return from_->operand_count; }
  /// Returns the frame offset of a value of the given type.
  std::uint32_t source(const Operand& operand, Type type);
  std::uint32_t target(const Operand& operand, Type type);
  /// Returns the frame offset of a predicate. Sets `negates` to whether the predicate is negated.
  std::uint32_t predicate(const Operand& operand, bool& negates);
  std::uint32_t register_at(const Operand& operand, unsigned bytes);
  unsigned register_bytes(const Operand& operand) const;
  std::uint32_t constant(const Constant& wanted);
  std::uint32_t bits(std::uint64_t value, unsigned bytes);
  std::uint32_t address_of(const Operand& operand, unsigned bytes);
  std::uint64_t literal(const Operand& operand, Type type);
  bool has(ptx::Modifier modifier) const { return from_->modifiers.has(modifier); }
  std::uint32_t slot_of(std::uint32_t variable);
  std::uint32_t make_slot(std::uint64_t bytes);
  void find_undefined();

  // Arithmetic
  ArithmeticKey key_of(const ptx::Instruction& from) const;
  bool decode_move(const ptx::Instruction& from, Instruction& to);
  bool decode_predicate_logic(const ptx::Instruction& from, Instruction& to);
  bool decode_comparison(const ptx::Instruction& from, Instruction& to, ArithmeticKey key);
  bool decode_conversion(const ptx::Instruction& from, Instruction& to, ArithmeticKey key);
  bool decode_address_arithmetic(const ptx::Instruction& from, Instruction& to);
  bool decode_plain(const ptx::Instruction& from, Instruction& to, ArithmeticKey key);
  bool choose(Instruction& to, const ArithmeticKey& key, std::int64_t combination);

  // Memory
  void decode_address(const Operand& address, MemoryOperation& operation, Instruction& to);
  void set_elements(const Operand& operand, MemoryOperation& operation, Type type, bool is_target);
  MemoryOperation describe(const ptx::MemoryMeaning& meaning) const;
  bool decode_atomic(const ptx::Instruction& from, Instruction& to, MemoryOperation operation,
                     const ptx::MemoryMeaning& meaning);
  bool decode_barrier_object(const ptx::Instruction& from, Instruction& to);
  bool decode_async_copy(const ptx::Instruction& from, Instruction& to);

  // Control
  const Instruction* label(const Operand& operand) const;
  bool decode_branch(const ptx::Instruction& from, Instruction& to);
  bool decode_call(const ptx::Instruction& from, Instruction& to);
  std::vector<CallValue> call_values(const ptx::Instruction& from, const Operand& list);
  bool decode_barrier(const ptx::Instruction& from, Instruction& to);
  bool decode_exchange(const ptx::Instruction& from, Instruction& to);

  bool refuse(std::string message, std::string hint = {});

  const ptx::Module& module_;
  const ptx::Function& function_;
  const VariableAddresses& addresses_;
  KernelCode& kernel_;
  FunctionCode& code_;
  const ptx::Instruction* from_ = nullptr;        ///< the instruction being translated
  std::vector<std::uint32_t> registers_;          ///< frame offsets, indexed by register number
  std::map<std::uint32_t, std::uint32_t> slots_;  ///< frame offsets; the key is a parameter of a function
  std::vector<FrameRange> all_slots_;  ///< the slots of all parameters, including parameters that the code never names
  std::map<std::uint32_t, std::uint32_t> kernel_parameters_;  ///< offsets in the parameter buffer; key: variable
  std::map<std::uint32_t, std::uint32_t> locals_;             ///< offsets in local memory; the key is the variable
  std::map<std::tuple<int, unsigned, int, std::uint64_t>, std::uint32_t> constants_;
  std::optional<Diagnostic> error_;
};

/// Returns the number of bytes in a frame for one lane of a register of the given type. Returns 0 for a predicate,
/// whose lanes are bits.
unsigned slot_bytes(ptx::Type type);
/// For .bN and floating-point types, returns the unsigned integer type of the same width.
ptx::Type as_bits(ptx::Type type);

}  // namespace ambit::virtual_gpu
