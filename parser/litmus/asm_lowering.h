#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "parser/litmus/matrix_lowering.h"
#include "parser/litmus/ptx_lowering.h"
#include "ptx/module.h"

namespace ambit::parser::litmus {

namespace assembly = ambit::ptx;

/// Lowers inline PTX assembly, asm("..." : outputs : inputs). The CUDA reader rewrites an asm statement as a call of
/// kFunction. The arguments of the call are the template, the number of outputs, and the constraint and expression
/// of each operand. ptx/ reads the template, parser/ptx interprets the instructions, and this class maps the
/// operands.
class AsmLowering {
 public:
  static constexpr std::string_view kFunction = "__asm";

  explicit AsmLowering(ThreadContext& thread) : thread_(thread) {}

  Operand assembly(const Call& call);

 private:
  using Source = ambit::ptx::Operand;  ///< an operand in the assembly text
  struct PtxRegister {
    RegisterId id = 0;
    ScalarType type;
    std::optional<Place> output = {};   ///< the place that receives the register's value at the end
    std::optional<Operand> value = {};  ///< the value of a register without `id`: an input or an address
    bool is_input = false;
    bool is_product = false;  ///< whether a wgmma.mma_async writes the register
  };

  struct State {
    SourceSpan span = {};
    ambit::ptx::Module module = {};                        ///< the assembly text as a module with one function
    const ambit::ptx::Instruction* instruction = nullptr;  ///< the instruction that is being lowered
    std::map<std::uint32_t, PtxRegister> registers = {};   ///< maps register numbers to registers; operands come first
    std::vector<Label> labels = {};
    bool multiplies = false;  ///< whether the assembly has a wgmma.mma_async
  };

  std::optional<std::vector<std::string>> bind_operands(const Call& call);
  bool bind_output(const ExprNode& node, bool is_read, std::uint32_t number);
  void write_outputs();
  bool run();
  bool run_guarded();
  bool instruction();
  bool compute();
  bool compute_address(const std::vector<Operand>& values);
  bool multiply();
  bool on_memory();
  // asm_warp.cpp defines the following functions
  bool fragment();
  bool product();
  bool elect();
  // operands
  const ambit::ptx::Function& function() const { return state_.module.functions.front(); }
  std::span<const Source> sources() const { return state_.instruction->top_operands(); }
  std::string_view opcode() const { return state_.module.text_of(state_.instruction->spelling); }
  std::string text(const Source& source) const;
  bool is_predicate(const Source& source) const;
  PtxRegister& known(std::uint32_t number);
  std::optional<Operand> value(const Source& source);
  std::optional<PtxOperand> operand(const Source& source);
  std::optional<PtxOperand> address(const Source& source);
  std::optional<std::span<const Source>> registers_in(const Source& braces);
  bool assign(const Source& target, Operand value);
  bool assign_opaque(std::span<const Source> targets, const std::vector<Operand>& from);
  bool fail(std::string message, std::string hint = {});
  bool fail_unread(std::string_view what);

  ThreadContext& thread_;
  PtxLowering ptx_{thread_};
  PlaceLowering places_{thread_};
  BarrierLowering barriers_{thread_};
  MatrixLowering matrices_{thread_};
  State state_;
};

}  // namespace ambit::parser::litmus
