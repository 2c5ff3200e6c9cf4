#pragma once

#include <optional>

#include "parser/ptx/scanner.h"
#include "parser/ptx/test_tree.h"
#include "parser/text/reporter.h"

namespace ambit::parser::ptx {

/// Reads the syntax of one instruction: opcode with its modifiers, operands. What they mean is decided later.
class InstructionReader {
 public:
  /// `brackets_are_memory`: the .test files' rule: a name without brackets is a register, whatever it is.
  InstructionReader(Scanner& scanner, Reporter& reporter, bool brackets_are_memory)
      : scanner_(scanner), reporter_(reporter), brackets_are_memory_(brackets_are_memory) {}

  /// From the opcode up to the '|', ';' or '}' that ends the instruction. Nothing where there was an error.
  std::optional<InstructionNode> read();
  /// x, [x], [x+4], x[1], &x, r1, 3, -1, 0x10, _
  std::optional<OperandNode> operand();
  /// An integer, perhaps negative.
  std::optional<OperandNode> integer();

 private:
  bool named_operand(OperandNode& node);
  bool bracketed_operand(OperandNode& node);
  std::optional<Value> index();
  void close_span(OperandNode& node) const;

  Scanner& scanner_;
  Reporter& reporter_;
  bool brackets_are_memory_;
};

/// "ld.relaxed.gpu" at its dots, each part with its place.
std::vector<Word> split_at_dots(const Word& word);

}  // namespace ambit::parser::ptx
