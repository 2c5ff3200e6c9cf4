#include <fmt/format.h>

#include "parser/litmus/statement_lowering.h"
#include "parser/text/keywords.h"

namespace ambit::parser::litmus {

bool Transaction::is_in(const Loop* other) const {
  for (const Loop* around = loop; around != nullptr; around = around->outer) {
    if (around == other) return true;
  }
  return false;
}

Scope StatementLowering::transaction_scope(const StatementNode& node) {
  if (!node.word) return thread_.transaction != nullptr ? thread_.transaction->scope : Scope::Device;
  const std::optional<Scope> scope = read_scope(node.word->text);
  const std::string hint = fmt::format("the scopes are {}", kScopeList);
  if (!scope) {
    thread_.error(node.word->span, fmt::format("'{}' is not a scope", node.word->text),
                  did_you_mean(node.word->text, scope_names(), hint));
    return Scope::Device;
  }
  if (*scope == Scope::Thread) {
    thread_.error(node.word->span, "a transaction of thread scope is not atomic for any other thread",
                  "remove 'atomic' before the block");
  } else if (thread_.transaction != nullptr && thread_.transaction->scope < *scope) {
    thread_.error(node.word->span, "the scope is wider than the scope of the enclosing transaction",
                  "a nested transaction is part of the outer transaction: give the outer transaction the wider scope");
  }
  return *scope;
}

/// Lowers an `atomic` block. A nested transaction becomes a part of the outer transaction.
void StatementLowering::transaction(const StatementNode& node) {
  const Scope scope = transaction_scope(node);
  if (thread_.transaction != nullptr) return statement(node.children.front());
  Transaction here{.scope = scope,
                   .end = code_.new_label(),
                   .aborted = code_.temporary(kInt),
                   .frame = thread_.frame,
                   .loop = thread_.frame->loop};
  code_.emit(Assign{here.aborted, Expr::make_constant(0, kInt)}, node.span);
  code_.emit(TransactionBegin{scope}, node.span);
  {
    const auto inside = set_for_scope(thread_.transaction, &here);
    statement(node.children.front());
  }
  code_.bind(here.end);
  TransactionEnd end;
  if (here.may_abort) {
    end.aborted = Expr::make_register(here.aborted, kInt);
    thread_.variables.forget(thread_.functions.assigned(node));
  }
  code_.emit(std::move(end), node.span);
}

void StatementLowering::abort_statement(const StatementNode& node) {
  if (thread_.transaction == nullptr) {
    thread_.error(node.span, "'abort' outside a transaction", "write it inside atomic { ... }");
    return;
  }
  thread_.transaction->may_abort = true;
  code_.emit(Assign{thread_.transaction->aborted, Expr::make_constant(1, kInt)}, node.span);
  code_.jump(thread_.transaction->end, node.span);
}

void StatementLowering::report_leaving(const StatementNode& node, std::string_view word) {
  thread_.error(node.span, fmt::format("'{}' leaves the transaction", word),
                "let the transaction end at its closing brace, or 'abort' it");
}

}  // namespace ambit::parser::litmus
