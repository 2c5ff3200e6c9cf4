#pragma once

#include "parser/litmus/asm_lowering.h"
#include "parser/litmus/atomic_lowering.h"
#include "parser/litmus/barrier_lowering.h"
#include "parser/litmus/expression_lowering.h"
#include "parser/litmus/libcu_async_lowering.h"
#include "parser/litmus/libcu_atomic_lowering.h"

namespace ambit::parser::litmus {

struct MathFunction;

/// Lowers calls of the test's functions, of built-in functions, and of members.
class CallLowering {
 public:
  explicit CallLowering(ThreadContext& thread) : thread_(thread) {}

  Operand call(const ExprNode& node, Use use);

 private:
  struct Builtins;

  Operand member_call(const Call& call);
  Operand unknown_function(const ExprNode& callee);
  Operand assertion(const Call& call);
  Operand minimum_maximum(const Call& call);
  Operand make_vector(const Type& type, const Call& call);
  std::optional<Type> made_vector(std::string_view name) const;
  Operand mathematics(const MathFunction& function, const Call& call);
  std::optional<std::size_t> element_count(const Call& call, const Operand& pointer);
  std::optional<Place> element_at(Operand pointer, std::size_t index, SourceSpan span);
  Operand memory_copy(const Call& call);
  Operand memory_set(const Call& call);
  Operand print(const Call& call);
  Operand nanosleep(const Call& call);
  Operand hinted_load(const Call& call);
  Operand hinted_store(const Call& call);

  // Calls of functions that the test defines. The function's body replaces the call (inlining.cpp).
  Operand inlined(const FunctionNode& function, const Call& call, std::optional<Place> self = {},
                  const Closure* closure = nullptr);
  Operand inlined_lambda(const Closure& closure, const Call& call);
  std::optional<Type> result_type(const FunctionNode& function, SourceSpan span);
  bool can_inline(const FunctionNode& function, const Call& call);
  std::optional<std::vector<Variable>> bind_arguments(const FunctionNode& function, const Call& call);
  std::optional<Variable> bind_value(const FunctionNode& function, std::size_t index, const ExprNode& argument);
  Operand default_argument(const ExprNode& node);
  std::optional<Variable> bind_reference(const Declarator& parameter, const ExprNode& argument);

  // Overload resolution and deduction of template arguments (overloads.cpp).
  const FunctionNode* chosen(const std::vector<const FunctionNode*>& overloads, const Call& call);
  const FunctionNode* deduced(const FunctionNode& function, const std::vector<Operand>& arguments);
  Operand value_without_effects(const ExprNode& argument);

  ThreadContext& thread_;
  PlaceLowering places_{thread_};
  ExpressionLowering expressions_{thread_};
  AtomicLowering atomics_{thread_};
  LibcuAtomicLowering libcu_atomics_{thread_};
  BarrierLowering barriers_{thread_};
  LibcuAsyncLowering libcu_async_{thread_};
  AsmLowering assembly_{thread_};
};

}  // namespace ambit::parser::litmus
