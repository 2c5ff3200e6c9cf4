#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ptx/reader_state.h"
#include "ptx/variable_reader.h"

namespace ambit::ptx {

/// Reads the body of one function. The scope of a name is the pair of braces in which it is declared. A label may be
/// used before its definition.
class BodyReader {
 public:
  /// If `is_assembly` is set, errors have messages for inline assembly, and unknown instructions keep their operands.
  BodyReader(ReaderState& state, Function& function, bool is_assembly = false);

  /// Declares the name of a parameter. Must be called before read().
  void declare_parameter(std::string_view name, const Parameter& parameter, const SourceSpan& place);
  /// Reads the names in `.reg .b32 %r<12>, %x`, after the prefix `.reg .b32`. Returns the number of the first register
  /// of the last name.
  std::uint32_t read_register(const VariablePrefix& prefix);
  /// Reads a body, including its braces. `function_index` is the index of the function in its module.
  void read(std::uint32_t function_index);

 private:
  // body_reader.cpp: declarations, labels, braces
  void read_statement();
  void read_directive();
  void read_declaration();
  void read_label();
  void read_targets(std::string_view name, const SourceSpan& place, bool is_calls);
  void read_prototype(std::string_view name, const SourceSpan& place);
  std::vector<PrototypeParameter> read_prototype_parameters();
  void open_braces();
  void close_braces();
  void declare(std::string_view name, Symbol symbol, const SourceSpan& place);
  void resolve(const PendingLabel& pending, Symbol symbol);
  std::optional<Symbol> find(std::string_view name) const;
  std::optional<Symbol> find_register(std::string_view name) const;
  [[noreturn]] void fail_undeclared(std::string_view name, const SourceSpan& place, std::string_view message,
                                    std::string hint = {}) const;

  // operand_reader.cpp: instructions
  void read_instruction();
  Guard read_guard();
  void read_operands();
  void read_call_operands();
  void read_list(bool is_optional);
  Operand read_callee();
  Operand read_operand(std::size_t depth);
  Operand read_simple_operand();
  Operand read_word();
  Operand read_name(const Token& token);
  Operand read_address();
  Operand read_group(Operand::Kind kind, char close, std::size_t depth, std::string_view what = {});
  Operand read_number();
  Operand pending_label(const Token& token);
  std::uint32_t flush(const std::vector<Operand>& elements);
  bool fits_table(const OpcodeRow& row) const;
  void check_kinds(const OpcodeRow& row) const;
  void check_target(Opcode opcode, Operand::Kind kind, const SourceSpan& place) const;
  void check_no_label() const;

  ReaderState& state_;
  TokenStream& tokens_;
  Function& function_;
  bool is_assembly_;
  std::uint32_t function_index_ = kNone;
  std::vector<BraceScope> scopes_;

  // The instruction that is being read.
  Instruction instruction_;
  std::vector<Operand> top_;
  /// The elements of vectors and lists. Operand::first is an index in elements_ until the instruction is complete.
  std::vector<Operand> elements_;
  std::vector<PendingLabel> labels_;
  bool has_unknown_ = false;
};

/// Decodes an opcode with types and modifiers, such as "mul.wide.s32". Sets the opcode, types and modifiers of
/// `instruction`. If a part is unknown, the opcode is Opcode::Unknown.
void decode_spelling(std::string_view spelling, Instruction& instruction);

}  // namespace ambit::ptx
