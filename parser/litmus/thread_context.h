#pragma once

#include <memory>
#include <span>

#include "parser/litmus/code_builder.h"
#include "parser/litmus/operand.h"
#include "parser/litmus/threads.h"
#include "parser/litmus/variable_table.h"

namespace ambit::parser::litmus {

/// A loop or switch around a statement.
struct Loop {
  Label break_label;
  std::optional<Label> continue_label;  ///< target of `continue`; not set for a switch
  const Loop* outer;
};

/// The context of a function that is being inlined, or of the thread's own code.
struct Frame {
  const StatementNode& body;
  Label end;
  const FunctionNode* function = nullptr;
  Frame* caller = nullptr;
  std::optional<Place> self = {};         ///< the struct whose member function is inlined
  Type result_type = {.is_void = true};   ///< the result type; if is_auto, the tail return's value determines it
  std::optional<RegisterId> result = {};  ///< the register that receives the returned value
  Variable* result_struct = nullptr;      ///< the variable that receives a returned struct
  /// The last statement of the function, if it is the only return statement; its value needs no register. Null for
  /// other functions.
  const StatementNode* tail_return = nullptr;
  std::optional<Operand> tail_value = {};
  const Loop* loop = nullptr;  ///< the innermost loop around the current statement
};

/// An `atomic` block that is being lowered.
struct Transaction {
  Scope scope;
  Label end;
  RegisterId aborted;  ///< contains 1 after an `abort`
  const Frame* frame;  ///< the function that contains the block
  const Loop* loop;    ///< the innermost loop around the block in the function
  bool may_abort = false;

  /// Returns whether the transaction is inside of the loop. A `break` or `continue` of a loop around the transaction
  /// leaves the transaction.
  bool is_in(const Loop* other) const;
};

/// Whether the code uses the value of an expression, or only the expression's effects.
enum class Use : std::uint8_t { Value, Effects };

/// A call expression.
struct Call {
  const ExprNode& node;
  std::string_view name;
  Use use;
  std::span<const ExprNode> arguments;

  /// Makes a call from `node`, whose first child is the callee.
  static Call of(const ExprNode& node, Use use) {
    return {node, node.children.front().name, use, std::span(node.children).subspan(1)};
  }
};

/// The interface for lowering whole syntax nodes. The lowering is recursive: expressions contain calls, a call contains
/// the statements of a function, and the statements contain expressions. If class A of the lowering depends on class B,
/// B calls A only through this interface.
class NodeLowering {
 public:
  virtual Operand value(const ExprNode& node) = 0;
  /// Lowers an expression whose value is not used.
  virtual void discard(const ExprNode& node) = 0;
  virtual Operand call(const ExprNode& node, Use use) = 0;
  virtual void statements(const std::vector<StatementNode>& nodes) = 0;

 protected:
  ~NodeLowering() = default;
};

/// The state of the lowering of one thread. All parts of the lowering share this state.
struct ThreadContext {
  /// Reports an error. The returned object converts to an erroneous operand or to an empty optional.
  std::nullopt_t error(SourceSpan span, std::string message, std::string hint = {});
  /// Takes one unit from `work_left`. If no unit is left, reports an error and returns false.
  bool spend(SourceSpan span);
  /// Reports an error if the number of arguments is wrong. `form` is the syntax of the call, for the hint.
  bool expect_count(const Call& call, std::size_t least, std::size_t most, std::string_view form);

  Operand value(const ExprNode& node) { return nodes.value(node); }
  Operand convert(Operand operand, const Type& target, SourceSpan span);
  /// Returns false in code that this thread never reaches. In unreached code, values are not used, and errors about
  /// values must not be reported.
  bool values_matter() const { return !code.is_muted(); }
  /// Reports `a / 0`. If all executions reach the division, reports an error and returns true; otherwise, the
  /// executions that reach the division have undefined behaviour.
  bool reports_division_by_zero(Op op, const Expr& divisor, SourceSpan span);
  BlockId block() const { return {setting.place.gpu, setting.place.block}; }
  /// Returns " (in thread b0t1)" in a kernel, because the threads of a kernel have the same source; otherwise, an empty
  /// string.
  std::string in_thread() const;

  /// Checks code that this thread never reaches. `check` lowers the code; only its errors have an effect. The code at
  /// `node` is checked once for all threads.
  template <typename Check>
  void check_only(const void* node, Check check) {
    if (values_matter() && !assembly.checked.insert(node).second) return;
    const auto checkpoint = variables.checkpoint();
    const auto muted = code.mute();
    check();
  }
  void check_only(const ExprNode& node) {
    check_only(&node, [&] { nodes.discard(node); });
  }

  Assembly& assembly;
  const ThreadSetting setting;
  NodeLowering& nodes;
  FunctionTable& functions = assembly.functions;
  MemoryTable& memory = assembly.memory;
  CodeBuilder code = {};
  VariableTable variables{code, assembly.reporter};
  Frame* frame = nullptr;
  /// the transaction around the current statement
  Transaction* transaction = nullptr;
  /// the thread's launch_dependents instruction; null if the thread has not executed it
  std::shared_ptr<const MachineInstruction> launch_of_dependents = nullptr;
  std::size_t fragments = 0;  ///< number of ldmatrix instructions in the thread's code so far
  bool is_out_of_work = false;
};

}  // namespace ambit::parser::litmus
