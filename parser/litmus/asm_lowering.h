#pragma once

#include <map>
#include <string>
#include <vector>

#include "parser/litmus/matrix_lowering.h"
#include "parser/litmus/ptx_lowering.h"

namespace ambit::parser::litmus {

/// Lowers inline PTX assembly, asm("..." : outputs : inputs). The CUDA reader rewrites the statement as a call of
/// kFunction. The arguments of the call are the assembly text, the number of outputs, and the constraint and expression
/// of each operand.
class AsmLowering {
 public:
  static constexpr std::string_view kFunction = "__asm";

  explicit AsmLowering(ThreadContext& thread) : thread_(thread) {}

  Operand assembly(const Call& call);

 private:
  struct Statement {
    std::string label;      ///< label before the instruction; a statement may be only a label
    std::string predicate;  ///< p in `@p`: the instruction executes only if p is true
    bool negated = false;
    std::string opcode;
    std::vector<std::string> operands;
  };
  struct PtxRegister {
    RegisterId id = 0;
    ScalarType type;
    std::optional<Place> output = {};   ///< the place that gets the register's value at the end
    std::optional<Operand> value = {};  ///< the value of an input or address that is not in a register
    bool is_input = false;
    bool is_product = false;  ///< whether a wgmma.mma_async writes the register
    bool is_predicate = false;
  };

  struct State {
    SourceSpan span = {};
    std::map<std::string, PtxRegister> registers = {};
    std::map<std::string, Label> labels = {};
    std::map<std::string, bool> bound = {};
    bool multiplies = false;  ///< whether the assembly has a wgmma.mma_async
  };

  bool bind_operands(const Call& call);
  bool bind_output(const ExprNode& node, bool is_read, const std::string& name);
  std::vector<Statement> statements(const std::string& code) const;
  Statement statement(std::string_view text) const;
  void declare(const Statement& statement);
  bool run(const Statement& statement);
  bool instruction(const Statement& statement);
  bool compute(const Statement& statement);
  bool compute_address(const Statement& statement, const std::vector<Operand>& values);
  bool convert(const Statement& statement);
  bool multiply(const Statement& statement);
  std::optional<std::vector<std::string>> registers_in(const std::string& braces);
  // in asm_warp.cpp
  std::optional<bool> warp_instruction(const Statement& statement);
  bool fragment(const Statement& statement);
  bool product(const Statement& statement);
  bool elect(const Statement& statement);
  bool assign_opaque(const std::string& name, const std::vector<Operand>& from);
  std::optional<Operand> special(const std::string& name) const;
  bool on_memory(const Statement& statement);
  std::optional<PtxOperand> operand(std::string text);
  std::optional<PtxOperand> tensor_operand(std::string_view text);
  std::optional<Operand> value(const std::string& text);
  bool assign(const std::string& target, Operand value);
  Label label(const std::string& name);
  bool fail(std::string message, std::string hint = {});

  ThreadContext& thread_;
  PtxLowering ptx_{thread_};
  PlaceLowering places_{thread_};
  BarrierLowering barriers_{thread_};
  MatrixLowering matrices_{thread_};
  State state_;
};

}  // namespace ambit::parser::litmus
