// Transactions. A choice event at the start of a transaction determines whether the transaction commits. The code at
// its end must agree with this choice. Because of the choice event, no guard depends on a later read.

#include <utility>

#include "base/assert.h"
#include "model/events/thread_walker.h"

namespace ambit::events {

std::size_t ThreadWalker::transaction_end(std::size_t begin) const {
  std::size_t end = begin;
  while (!std::holds_alternative<TransactionEnd>(thread().code[end].operation)) ++end;
  return end;
}

void ThreadWalker::execute(const TransactionBegin& begin, std::size_t at, State& state) {
  if (draft_.graph.options.mappings.transaction_fences) emit_fence(at, state, Order::SeqCst, begin.scope);
  const std::size_t last = transaction_end(at);
  OpenTransaction open{.run = static_cast<std::uint32_t>(draft_.graph.transactions.size()),
                       .begin = at,
                       .end = last,
                       .may_abort = std::get<TransactionEnd>(thread().code[last].operation).aborted.has_value()};
  const NodeId commits = open.may_abort ? values().truth(choose()) : ValueGraph::kTrue;
  draft_.graph.transactions.push_back({.thread = thread_,
                                       .scope = begin.scope,
                                       .begins = state.guard,
                                       .commits = commits,
                                       .span = thread().code[at].span});
  open_ = std::move(open);
}

void ThreadWalker::execute(const TransactionEnd& end, std::size_t at, State& state) {
  AMBIT_ASSERT(open_.has_value());
  const TransactionRun& run = draft_.graph.transactions[open_->run];
  const Scope scope = run.scope;
  if (end.aborted) {
    const NodeId stays = values().negation(values().truth(lower(*end.aborted, state)));
    const NodeId agrees = values().equal(run.commits, stays, kInt);
    draft_.graph.requirements.push_back(values().disjunction(values().negation(state.guard), agrees));
    draft_.control_points.push_back({thread_, static_cast<EventId>(draft_.graph.events.size()), agrees});
  }
  open_.reset();
  if (draft_.graph.options.mappings.transaction_fences) emit_fence(at, state, Order::SeqCst, scope);
}

NodeId ThreadWalker::value_in_transaction(Event& read) {
  NodeId value = read.value;
  if (!open_ || !open_->may_abort) return value;
  const NodeId commits = draft_.graph.transactions[open_->run].commits;
  NodeId is_written = ValueGraph::kFalse;
  for (const TransactionalWrite& write : open_->writes) {
    const NodeId same = values().conjunction(write.guard, values().equal(write.cell, read.cell, kLongLong));
    if (same == ValueGraph::kFalse) continue;
    const NodeId seen = values().conjunction(values().negation(commits), same);
    value = values().select(seen, write.value, value, read.type);
    is_written = values().disjunction(is_written, same);
  }
  const NodeId reads = values().disjunction(commits, values().negation(is_written));
  read.guard = values().conjunction(read.guard, reads);
  return value;
}

void ThreadWalker::write_in_transaction(Event& write) {
  if (!open_ || !open_->may_abort) return;
  open_->writes.push_back({write.guard, write.cell, write.value});
  write.guard = values().conjunction(write.guard, draft_.graph.transactions[open_->run].commits);
}

}  // namespace ambit::events
