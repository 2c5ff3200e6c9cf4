#pragma once

#include "parser/litmus/expression_lowering.h"

namespace ambit::parser::litmus {

/// Lowers statements and declarations.
class StatementLowering {
 public:
  explicit StatementLowering(ThreadContext& thread) : thread_(thread) {}

  void statement(const StatementNode& node);
  /// Lowers the statements of a block.
  void statements(const std::vector<StatementNode>& nodes);

 private:
  bool declares_unknown_type(const StatementNode& node);
  void statement_in_block(const StatementNode& node);
  void if_statement(const StatementNode& node);
  void return_statement(const StatementNode& node);

  // Transactions (transaction_lowering.cpp).
  void transaction(const StatementNode& node);
  Scope transaction_scope(const StatementNode& node);
  void abort_statement(const StatementNode& node);
  /// Reports that a jump statement leaves the transaction. `word` is the keyword of the jump.
  void report_leaving(const StatementNode& node, std::string_view word);

  void switch_statement(const StatementNode& node);
  std::vector<Label> switch_jumps(const StatementNode& node, Label end);

  // Loops (loop_lowering.cpp).
  void leave_loop(const StatementNode& node);
  void loop(const StatementNode& node);
  void for_statement(const StatementNode& node);
  void loop_body(const StatementNode& node, Label continue_label, Label exit);
  std::optional<int> constant_trip_count(const StatementNode& node);
  void unrolled(const StatementNode& node, int trips);
  NameSet assigned_in_loop(const StatementNode& node);

  // Declarations (declaration_lowering.cpp).
  void declare(const Declaration& declaration);
  void declare_shared(const Declarator& declarator, const Storage& storage);
  void declare_reference(const Declarator& declarator);
  std::optional<Place> bind_reference(const Declarator& declarator);
  void declare_variable(const Declarator& declarator);
  void declare_struct(const Declarator& declarator, const Type& type);
  bool is_struct(const ExprNode& node, const Type& type);
  void bind_names(const StatementNode& node);
  void declare_auto(const Declarator& declarator, const Type& type);
  void declare_array(const Declarator& declarator, const Type& type);
  void set_rows(const Variable& array, const std::vector<ExprNode>& values, SourceSpan span);
  std::optional<Value> array_length(const Declarator& declarator);

  ThreadContext& thread_;
  CodeBuilder& code_ = thread_.code;
  ExpressionLowering expressions_{thread_};
  PlaceLowering places_{thread_};
};

}  // namespace ambit::parser::litmus
