#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/program.h"
#include "ptx/opcode.h"
#include "ptx/ptx_names.h"

namespace ambit::ptx {

/// Properties of a test that determine the form of the instructions.
struct Style {
  /// True if instructions have type suffixes, because the test has a value that is not an int. If `typed` is false,
  /// every value is a signed 32-bit integer, the default of the format.
  bool typed = false;
  /// The size in bytes of the cells that code accesses through registers. An element offset times the size is a byte
  /// offset. The size is 0 if code accesses no cell through a register.
  unsigned element_bytes = 0;
};

/// A value in an instruction: a register or a number.
struct OperandText {
  std::string text;
  ScalarType type = kInt;
  std::optional<Value> constant;
};

/// Writes the cells of one thread's column in a PTX litmus table. Expressions become instructions on new registers, and
/// conditions become branches. Values have 32 or 64 bits. Narrower values are in 32-bit registers, sign- or
/// zero-extended according to their type.
class Code {
 public:
  Code(const Program& program, std::size_t thread, Names& names, const Style& style, Diagnostics& errors);

  // ---- cells ----
  /// Appends an instruction that has an Opcode, with `modifiers` such as ".relaxed.gpu.u32".
  void emit(Opcode opcode, std::string_view modifiers, std::initializer_list<std::string_view> operands = {});
  /// Appends an instruction as text. The first word of the text is an opcode of the ISA or a word of the litmus format.
  void emit(std::string instruction);
  /// Appends an instruction of a PTX litmus file without changes.
  void repeat(std::string instruction) { append(std::move(instruction)); }
  std::string new_label();
  void bind(std::string label) { pending_.push_back(std::move(label)); }
  void jump(const std::string& label) { emit("goto " + label); }
  /// Ends the column and returns its cells.
  std::vector<std::string> take() &&;
  /// Sets the place for later errors.
  void at(SourceSpan span) { span_ = span; }
  void fail(std::string message, std::string hint = {});

  // ---- registers ----
  /// Returns the name of a register, and records that the code writes it.
  const std::string& target(RegisterId reg);
  std::string fresh() { return names_.fresh(thread_); }
  ScalarType type_of(RegisterId reg) const { return registers()[reg].type; }
  /// Returns the registers that are read but never written; they contain 0.
  std::vector<std::string> unwritten() const;
  /// Returns the type suffix of an instruction, such as ".u32"; "" if the test has no type suffixes (Style::typed).
  /// Only memory accesses have types of less than 32 bits.
  std::string suffix(ScalarType type) const;

  // ---- expressions ----
  /// Returns the value of the expression. If instructions must compute the value, they write the value to the register
  /// `into` if the types are equal.
  OperandText value(const Expr& expr, const std::string& into = {});
  /// Converts the value to another type.
  OperandText convert(OperandText operand, ScalarType type, const std::string& into = {});
  /// Emits register := operand.
  void move(RegisterId reg, const OperandText& operand);
  /// Returns the operand of an access, for example "x", "data[1]" or "[r3]".
  std::string address(const Expr& expr);
  /// Returns whether the value is an address of the program's memory.
  bool is_address(const Expr& expr) const;
  static bool is_field_step(const Expr& expr);
  /// Emits a jump to `label` that is taken if the value of the condition equals `when`.
  void branch(const Expr& condition, bool when, const std::string& label);

 private:
  const std::vector<Register>& registers() const { return program_.threads[thread_].registers; }
  void find_addresses();
  OperandText constant(Value value, ScalarType type) const;
  void append(std::string instruction);
  OperandText compute(Opcode opcode, ScalarType type, const OperandText& a, const OperandText& b,
                      const std::string& into);
  OperandText narrow(const OperandText& operand, ScalarType type, const std::string& into);
  OperandText arithmetic(const Expr& expr, const std::string& into);
  OperandText shift(const Expr& expr, const std::string& into);
  OperandText truth(const Expr& expr);
  OperandText choice(const Expr& expr);
  OperandText address_value(const Expr& expr, const std::string& into);
  OperandText moved_address(Value address, const std::string& into);
  void compare(const Expr& expr, bool when, const std::string& label);

  const Program& program_;
  std::size_t thread_;
  Names& names_;
  const Style& style_;
  Diagnostics& errors_;
  SourceSpan span_;
  std::set<RegisterId> addresses_;  ///< registers that hold addresses
  std::set<std::string> read_;
  std::set<std::string> written_;
  std::vector<std::string> cells_;
  std::vector<std::string> pending_;  ///< labels before the next instruction
  std::size_t labels_ = 0;
};

}  // namespace ambit::ptx
