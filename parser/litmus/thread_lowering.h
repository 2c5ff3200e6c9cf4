#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/program.h"
#include "parser/litmus/code_builder.h"
#include "parser/litmus/function_table.h"
#include "parser/text/constant_arithmetic.h"
#include "parser/text/memory_table.h"
#include "parser/text/reporter.h"
#include "parser/text/syntax_tree.h"

namespace ambit::parser::litmus {

/// Where a thread runs. In a kernel the built-in variables have values.
struct ThreadSetting {
  using Triple = std::array<std::uint32_t, 3>;
  struct Coordinates {
    Triple thread;
    Triple block;
    Triple block_dim;
    Triple grid_dim;
  };
  std::string name;
  ThreadPlace place;
  std::optional<Coordinates> kernel;
};

/// A value that an expression yields. An erroneous one has been reported: what is built on it stays silent.
struct Operand {
  Expr expr;
  Type type;
  bool erroneous = false;
};

/// What an lvalue denotes: a variable of the thread or memory at an address.
struct Place {
  std::optional<std::size_t> variable;
  Expr address;
  Type type;
  SourceSpan span;
};

/// A work limit for the lowering of one program, so that nested inlining and unrolling end: one unit a statement or
/// expression of one thread.
struct WorkBudget {
  static constexpr std::uint64_t kTotal = 1'000'000;
  std::uint64_t left = kTotal;
};

/// Lowers the code of one thread to core's flat instructions. Variables whose value is known are folded, branches on
/// them too; code that this thread never reaches is checked but not emitted.
class ThreadLowering {
 public:
  ThreadLowering(ThreadSetting setting, FunctionTable& functions, MemoryTable& memory, WorkBudget& budget,
                 std::set<const void*>& checked, Reporter& reporter);

  Thread lower(const ThreadNode& node);
  /// `arguments`: one constant for each parameter.
  Thread lower(const FunctionNode& kernel, const std::vector<Expr>& arguments);

 private:
  struct Variable {
    std::string_view name;
    Type type;
    enum class Kind : std::uint8_t {
      Register,   ///< lives in `reg`
      Alias,      ///< a parameter that is never assigned: the value `alias`
      Reference,  ///< another name of `place`; cuda::atomic_ref variables are references too
      Array,      ///< of `length` variables from `elements` on
    } kind = Kind::Register;
    RegisterId reg = 0;
    std::optional<Value> known;  ///< Register: its value here, where it is known
    Expr alias;
    Place place;
    std::size_t elements = 0;
    std::size_t length = 0;
    bool never_written = false;
    bool erroneous = false;  ///< its declaration has been reported
  };
  using KnownValues = std::vector<std::optional<Value>>;

  struct Loop {
    Label continue_label;
    Label break_label;
    bool is_switch = false;  ///< `continue` goes to the loop around it
  };

  /// A function being inlined, or the thread's own code.
  struct Frame {
    const FunctionNode* function = nullptr;
    const StatementNode* body = nullptr;
    Label end = 0;
    std::size_t scope_base = 0;
    std::size_t loop_base = 0;
    std::optional<RegisterId> result;            ///< where `return` puts the value
    const StatementNode* tail_return = nullptr;  ///< the only return, at the end: its value needs no register
    std::optional<Operand> tail_value;
    std::string prefix;
    std::optional<Place> self = std::nullopt;  ///< a member function's struct
  };
  /// A field of a struct in memory, or a pointer to its first element where it is an array.
  struct FieldPlace {
    Place place;
    bool is_array = false;
  };

  struct CallArguments {
    const ExprNode& node;
    std::string_view name;  ///< of the operation, for messages
    std::span<const ExprNode> arguments;
    bool discarded = false;  ///< the result is not used
  };
  struct OrderAndScope {
    Order order = Order::SeqCst;
    Scope scope = Scope::System;
  };
  enum class Access : std::uint8_t { Load, Store, ReadModifyWrite, Fence };

  // statements (litmus_lower_statement.cpp, litmus_lower_loop.cpp)
  Thread finish(SourceSpan span);
  void statement(const StatementNode& node);
  void statements(const std::vector<StatementNode>& nodes);
  void if_statement(const StatementNode& node);
  void return_statement(const StatementNode& node);
  void transaction(const StatementNode& node);
  void switch_statement(const StatementNode& node);
  std::vector<Label> switch_jumps(const StatementNode& node, Label end);
  void leave_loop(const StatementNode& node);
  void loop(const StatementNode& node);
  void for_statement(const StatementNode& node);
  void loop_body(const StatementNode& node, Label continue_label, Label exit);
  std::optional<int> constant_trip_count(const StatementNode& node);
  void unrolled(const StatementNode& node, int trips);
  NameSet assigned_in_loop(const StatementNode& node);
  /// Runs `check` on code that this thread never reaches: its errors are errors, its effects are none. Once for all
  /// threads, told by `node`.
  template <typename Check>
  void check_only(const void* node, Check check) {
    if (!code_.is_muted() && !checked_.insert(node).second) return;
    const KnownValues known = known_values();
    const std::size_t variables = variables_.size();
    code_.mute();
    check();
    code_.unmute();
    std::erase_if(named_registers_, [&](const auto& named) { return named.second >= code_.registers().size(); });
    variables_.resize(variables);
    restore(known);
  }
  void dead(const StatementNode& node);
  void dead(const ExprNode& node);

  // declarations and variables (litmus_lower_variable.cpp)
  void declare(const Declaration& declaration);
  void declare_one(const Declarator& declarator);
  void declare_reference(const Declarator& declarator);
  void declare_shared(const Declarator& declarator, const Storage& storage);
  void declare_array(const Declarator& declarator, const Type& type);
  std::optional<std::size_t> element_of(const ExprNode& node);
  RegisterId array_register(const std::string& name, ScalarType type);
  std::size_t add_variable(Variable variable, SourceSpan span);
  std::size_t add_register_variable(std::string_view name, const Type& type);
  bool is_register_live(RegisterId reg) const;
  Variable* find_variable(std::string_view name);
  std::vector<std::string_view> visible_names() const;
  void assign_variable(std::size_t index, Operand value, SourceSpan span);
  Operand read_variable(std::size_t index, SourceSpan span);
  KnownValues known_values() const;
  void restore(const KnownValues& values);
  /// Keeps only what both agree on.
  void merge(const KnownValues& other);
  void forget(const NameSet& names);

  // expressions (litmus_lower_expr.cpp)
  Operand value(const ExprNode& node);
  Operand value_of_name(const ExprNode& node);
  Operand value_of_member(const ExprNode& node);
  Operand value_of_unary(const ExprNode& node);
  Operand value_of_binary(const ExprNode& node);
  Operand pointer_binary(const ExprNode& node, Operand left, Operand right);
  Operand short_circuit(const ExprNode& node);
  Operand conditional(const ExprNode& node);
  Operand conditional_with_effects(const ExprNode& node, Expr condition);
  static Type conditional_type(const Operand& first, const Operand& second);
  Operand cast(const ExprNode& node);
  void discard(const ExprNode& node);
  void jump_if(const ExprNode& node, bool sense, Label target);
  bool has_effects(const ExprNode& node);
  Operand convert(Operand operand, const Type& target, SourceSpan span);
  /// The same value, not changed by later assignments.
  Expr stable(Expr expr, SourceSpan span);
  Operand unknown_name(const ExprNode& node);

  // memory (litmus_lower_memory.cpp)
  std::optional<Place> place(const ExprNode& node);
  std::optional<Place> place_of_index(const ExprNode& node);
  std::optional<FieldPlace> field(const ExprNode& node);
  std::optional<FieldPlace> field_of(const Place& object, std::string_view name, SourceSpan span);
  bool is_field_of_self(std::string_view name);
  std::optional<Place> self() const { return frames_.back().self; }
  static Operand pointer_to(const Place& place);
  std::optional<Place> place_of_name(const ExprNode& node);
  std::optional<Place> dereference(Operand pointer, SourceSpan span);
  Operand address_of(const ExprNode& node);
  Operand array_address(MemoryEntry& entry);
  Operand add_to_pointer(Operand pointer, Operand index, bool subtract);
  bool check_bounds(const Expr& address, bool of_struct, SourceSpan span);
  MemoryAccess access(const Place& place) const;
  Operand load(const Place& place, const MemoryAccess& access, SourceSpan span);
  Operand read(const Place& place);
  void write(const Place& place, Operand value, SourceSpan span);
  Operand assign(const ExprNode& node, bool discarded);
  Operand increment(const ExprNode& node, bool discarded);
  Operand atomic_update(const Place& place, Op op, Operand operand, SourceSpan span, bool discarded, bool old_value);
  Operand modify(const Place& place, Op op, Operand operand, SourceSpan span, bool old_value);
  /// Emits the read-modify-write; yields the old value.
  Operand rmw(const Place& place, RmwOp op, OrderAndScope at, Operand operand, std::optional<Operand> compare,
              SourceSpan span, bool discarded, LockRole lock = LockRole::None);

  // calls (litmus_calls.cpp, litmus_inline.cpp, litmus_cuda_atomics.cpp, litmus_libcu_atomics.cpp, litmus_barriers.cpp)
  using Builtin = Operand (ThreadLowering::*)(const CallArguments&);
  static const std::map<std::string_view, Builtin>& builtins();
  Operand call(const ExprNode& node, bool discarded);
  bool can_inline(const FunctionNode& function, const CallArguments& call);
  Operand inline_call(const FunctionNode& function, const CallArguments& call, std::optional<Place> self = {});
  std::vector<Variable> bind_arguments(const FunctionNode& function, const CallArguments& call);
  std::optional<Variable> bind_argument(const Declarator& parameter, const ExprNode& argument, bool assigned);
  std::optional<Operand> cuda_atomic(const CallArguments& call);
  bool expect_count(const CallArguments& call, std::size_t least, std::size_t most, std::string_view form);
  std::optional<Place> memory_argument(const CallArguments& call, std::size_t index, bool pointer_only);
  std::optional<OrderAndScope> order_and_scope(const CallArguments& call, std::size_t first, Access kind);
  std::optional<Order> order_argument(const CallArguments& call, std::size_t index, Access kind);
  std::optional<Scope> scope_argument(const CallArguments& call, std::size_t index);
  Operand atomic_load(const CallArguments& call);
  Operand atomic_store(const CallArguments& call);
  Operand atomic_rmw(const CallArguments& call);
  Operand atomic_compare_exchange(const CallArguments& call);
  Operand fence(const CallArguments& call);
  Operand thread_fence(const CallArguments& call);
  Operand cuda_fence(const CallArguments& call);
  Operand member_call(const ExprNode& node, bool discarded);
  Operand struct_call(const Place& object, const CallArguments& call);
  std::optional<BarrierKind> group_of(const ExprNode& node);
  Operand group_call(BarrierKind group, const CallArguments& call);
  Operand group_value(const CallArguments& call);
  Operand print(const CallArguments& call);
  Operand unknown_function(const ExprNode& callee);
  Operand member_compare_exchange(const Place& object, const CallArguments& call);
  std::optional<Order> member_order(const CallArguments& call, std::size_t index, Access kind);
  Operand lock(const CallArguments& call);
  Operand unlock(const CallArguments& call);
  Operand sync_threads(const CallArguments& call);
  Operand sync_warp(const CallArguments& call);
  Operand named_barrier(const CallArguments& call);
  Operand wide_barrier(const CallArguments& call);
  Operand assertion(const CallArguments& call);
  Operand minimum_maximum(const CallArguments& call);
  Operand nanosleep(const CallArguments& call);
  void emit_barrier(const CallArguments& call, Barrier barrier);
  std::optional<Value> constant_argument(const CallArguments& call, std::size_t index, Value least, Value most,
                                         std::string_view what);

  /// Takes one unit of work; false when there is none left (reported).
  bool spend(SourceSpan span);
  void error(SourceSpan span, std::string message, std::string hint = {});
  /// In code that this thread never reaches, values mean nothing and errors about them neither.
  bool values_matter() const { return !code_.is_muted(); }
  BlockId block() const { return {setting_.place.gpu, setting_.place.block}; }
  static Operand erroneous();
  static Operand nothing();
  static Operand integer(Expr expr);

  ThreadSetting setting_;
  FunctionTable& functions_;
  MemoryTable& memory_;
  WorkBudget& budget_;
  std::set<const void*>& checked_;
  Reporter& reporter_;

  CodeBuilder code_;
  std::vector<Variable> variables_;
  std::vector<std::map<std::string_view, std::size_t>> scopes_;
  std::map<std::string, RegisterId> named_registers_;
  std::vector<Frame> frames_;
  std::vector<Loop> loops_;
  bool in_transaction_ = false;
  bool out_of_budget_ = false;
};

}  // namespace ambit::parser::litmus
