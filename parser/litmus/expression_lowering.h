#pragma once

#include "parser/litmus/atomic_lowering.h"
#include "parser/litmus/matrix_lowering.h"

namespace ambit::parser::litmus {

/// Lowers expressions to values, side effects and conditional jumps.
class ExpressionLowering {
 public:
  explicit ExpressionLowering(ThreadContext& thread) : thread_(thread) {}

  Operand value(const ExprNode& node);
  /// Lowers an expression whose value is not used. Reads of memory are still emitted.
  void discard(const ExprNode& node);
  void jump_if(const ExprNode& condition, Label target) { jump_where(condition, true, target); }
  void jump_unless(const ExprNode& condition, Label target) { jump_where(condition, false, target); }
  /// Makes a struct from the values of `nodes`.
  Operand construct(const Type& type, const std::vector<ExprNode>& nodes, SourceSpan span);
  /// Returns whether lowering `node` would emit instructions. If an operand of && || ?: emits instructions, the
  /// operator must evaluate the operand conditionally.
  bool has_effects(const ExprNode& node);

 private:
  Operand value_of_name(const ExprNode& node);
  Operand value_of_member(const ExprNode& node);
  Operand value_of_unary(const ExprNode& node);
  Operand value_of_binary(const ExprNode& node);
  Operand value_of_call(const ExprNode& node);
  Operand value_of_place(const ExprNode& node);
  Operand floating_binary(Op op, Operand left, Operand right, SourceSpan span);
  Operand size_of_value(const ExprNode& node);
  bool needs_number(const Operand& operand, SourceSpan span);
  Operand field_of_value(const ExprNode& node);
  Operand select_struct(const Expr& condition, const Operand& first, const Operand& second, SourceSpan span);
  std::optional<Operand> address_binary(Op op, const Operand& left, const Operand& right, SourceSpan span);
  Operand pointer_binary(const ExprNode& node, Operand left, Operand right);
  Operand short_circuit(const ExprNode& node);
  Operand conditional(const ExprNode& node);
  Operand conditional_with_effects(const ExprNode& node, Expr condition);
  Operand cast(const ExprNode& node);
  Operand comma(const ExprNode& node);
  Operand lambda(const ExprNode& node);
  bool capture(std::string_view name, const LambdaNode& node, Closure& closure, SourceSpan span);
  void jump_where(const ExprNode& node, bool sense, Label target);

  // Assignments: =, op=, ++ and -- (assignment_lowering.cpp).
  struct Update;  ///< `x op= operand`
  Operand assign(const ExprNode& node, Use use);
  Operand increment(const ExprNode& node, Use use);
  Operand update(Update update);
  Operand update_atomic(Update update);

  ThreadContext& thread_;
  PlaceLowering places_{thread_};
  MatrixLowering matrices_{thread_};
  AtomicLowering atomics_{thread_};
};

}  // namespace ambit::parser::litmus
