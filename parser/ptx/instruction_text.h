#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parser/ptx/scanner.h"
#include "parser/ptx/test_tree.h"
#include "parser/text/reporter.h"

namespace ambit::parser::ptx {

/// Parses one instruction into an opcode, modifiers and operands. decode() and make_step() interpret the result.
class InstructionReader {
 public:
  /// If `brackets_are_memory` is set, every name without brackets is a register, as in .test files.
  InstructionReader(Scanner& scanner, Reporter& reporter, bool brackets_are_memory)
      : scanner_(scanner), reporter_(reporter), brackets_are_memory_(brackets_are_memory) {}

  /// Reads an instruction, up to the '|', ';' or '}' that ends it. Returns nothing after an error.
  std::optional<InstructionNode> read();
  /// Reads an operand: x, [x], [x+4], x[1], &x, r1, 3, -1, 0x10 or _.
  std::optional<OperandNode> operand();
  /// Reads an integer, which may be negative.
  std::optional<OperandNode> integer();
  /// Reads integers in braces: {0,2}.
  std::optional<std::vector<Value>> numbers();

 private:
  bool read_guard(InstructionNode& node);
  std::optional<OperandNode> vector(InstructionNode& node);
  bool named_operand(OperandNode& node);
  bool bracketed_operand(OperandNode& node);
  std::optional<Value> index();
  void close_span(OperandNode& node) const;

  Scanner& scanner_;
  Reporter& reporter_;
  bool brackets_are_memory_;
};

/// Splits a word such as "ld.relaxed.gpu" at its dots. Each part has its own place.
std::vector<Word> split_at_dots(const Word& word);
/// Returns the opcode with all modifiers, for example "mbarrier.arrive.shared::cta.b64".
std::string whole_name(const std::vector<Word>& opcode);
/// Splits a text at each character `at`, and returns the parts.
std::vector<std::string_view> split(std::string_view text, char at);

}  // namespace ambit::parser::ptx
