// Infers ordering by asynchronous operations and mbarriers (docs/reference/async.md). The rules are the rules of
// model/cat/ptx.cat with the first value of each option.

#include <algorithm>

#include "detector/inference/sync_inference.h"

namespace ambit::detector {

std::uint8_t SyncInference::space_of(std::uint32_t location) const {
  return tables_.locations()[location].space == MemorySpace::Shared ? kSharedSpace : kGlobalSpace;
}

void SyncInference::on_operation_access(const TraceEvent& event) {
  location(event.object);
  Action& action = emit(ActionKind::Access, event.thread, event.object);
  action.scope = event.order == Order::Weak ? Scope::System : event.scope;
  action.is_write = event.is_write();
  action.is_atomic = is_atomic(event);
  action.is_operation = true;
  action.is_async = event.is_async;
  action.spaces = space_of(event.object);
}

void SyncInference::on_issue(const TraceEvent& event) {
  if (!is_whole_) return;
  has_operations_ = true;
  thread(event.thread);
  const MarkId mark = new_mark(event.thread);
  emit(ActionKind::Issue, event.object, mark);
  release(mark, event.thread);
  operations_.push_back({event.object, event.thread, event.group, event.covers_all});
}

void SyncInference::on_commit(const TraceEvent& event) {
  if (event.thread >= commits_.size()) commits_.resize(event.thread + 1);
  const std::uint32_t number = ++commits_[event.thread][static_cast<std::size_t>(event.group)];
  for (Operation& one : operations_) {
    if (one.issuer == event.thread && one.group == event.group && one.committed == 0) one.committed = number;
  }
}

MarkId SyncInference::mark_operation(std::uint32_t operation, bool reads_only) {
  const MarkId mark = new_mark(operation);
  actions_.back().kind = ActionKind::MarkOperation;
  actions_.back().is_write = !reads_only;
  return mark;
}

/// Completes each committed group after which at least `count` further groups were committed.
void SyncInference::on_group_wait(const TraceEvent& event) {
  if (!is_whole_) return;
  if (event.thread >= commits_.size()) commits_.resize(event.thread + 1);
  const std::uint64_t committed = commits_[event.thread][static_cast<std::size_t>(event.group)];
  std::size_t kept = 0;
  for (const Operation one : operations_) {
    const bool is_own = one.issuer == event.thread && one.group == event.group;
    const bool is_covered =
        is_own && (event.covers_all || (one.committed != 0 && one.committed + std::uint64_t{event.count} <= committed));
    if (is_covered) {
      const MarkId mark = mark_operation(one.number, event.reads_only);
      emit(ActionKind::Edge, event.thread, mark);
      release(mark, event.thread);
    }
    if (!is_covered || event.reads_only) operations_[kept++] = one;
  }
  operations_.resize(kept);
}

std::vector<SyncInference::Message>& SyncInference::arrivals_of(std::uint32_t mbarrier, Value phase) {
  const auto known = std::ranges::find_if(
      phases_, [&](const MbarrierPhase& one) { return one.mbarrier == mbarrier && one.phase == phase; });
  if (known != phases_.end()) return known->messages;
  return phases_.emplace_back(MbarrierPhase{mbarrier, phase, {}}).messages;
}

void SyncInference::on_complete(const TraceEvent& event) {
  if (!is_whole_) return;
  emit_mbarrier_access(event, false);
  std::vector<std::uint32_t> covered{event.thread};
  const auto self = std::ranges::find(operations_, event.thread, &Operation::number);
  if (self != operations_.end() && self->covers_all) {
    std::for_each(operations_.begin(), self, [&](const Operation& earlier) {
      if (earlier.issuer == self->issuer && earlier.group == self->group) covered.push_back(earlier.number);
    });
  }
  for (const std::uint32_t operation : covered) {
    const MarkId mark = mark_operation(operation, false);
    arrivals_of(event.object, event.value).push_back({mark, operation, Scope::System, event_, true});
  }
}

void SyncInference::on_proxy_fence(const TraceEvent& event) {
  const auto space = static_cast<FenceSpace>(event.count);
  const bool is_shared = space == FenceSpace::SharedBlock || space == FenceSpace::SharedCluster;
  Action& action = emit(ActionKind::ProxyFence, event.thread, kNoName);
  if (!is_shared) action.spaces |= kGlobalSpace;
  if (space != FenceSpace::Global) action.spaces |= kSharedSpace;
}

/// Operations on an mbarrier take effect one after the other, regardless of their scopes. Only initialisation and
/// invalidation can race. Each operation takes effect after all earlier updates of the mbarrier, even if it is no
/// acquire.
void SyncInference::emit_mbarrier_access(const TraceEvent& event, bool is_init) {
  location(event.object);
  Action& action = emit(ActionKind::Access, event.thread, event.object);
  action.scope = Scope::System;
  action.is_write = is_init || event.op != TraceOp::MbarrierWait;
  action.is_atomic = !is_init;
  action.ends_updates = !is_init;
  action.is_operation = tables_.threads()[event.thread].is_operation();
  action.spaces = space_of(event.object);
}

void SyncInference::on_mbarrier_init(const TraceEvent& event) {
  thread(event.thread);
  if (!is_whole_) return;
  emit_mbarrier_access(event, true);
  for (MbarrierPhase& one : phases_) {
    if (one.mbarrier != event.object) continue;
    for (const Message& message : one.messages) release(message, event.thread);
    one.messages.clear();
  }
}

void SyncInference::on_mbarrier_arrive(const TraceEvent& event) {
  ThreadState& state = thread(event.thread);
  if (!is_whole_) return;
  emit_mbarrier_access(event, false);
  std::vector<Message>& messages = arrivals_of(event.object, event.value);
  if (event.order == Order::Release) {
    move_own_fences(event.thread);
    Message message{new_mark(event.thread), event.thread, event.scope, event_};
    message.fences = retain_set(set_of(event.thread));
    messages.push_back(message);
    return;
  }
  MarkId last = kNoName;
  for (auto level = static_cast<std::size_t>(event.scope); level >= 1; --level) {
    const MarkId mark = state.fence[level];
    if (mark == kNoName || mark == last) continue;
    messages.push_back(message_of_fence(event.thread, level, static_cast<Scope>(level)));
    retain(messages.back());
    last = mark;
  }
}

void SyncInference::on_mbarrier_wait(const TraceEvent& event) {
  thread(event.thread);
  if (!is_whole_) return;
  emit_mbarrier_access(event, false);
  if (event.value < 1) return;
  Brief& own = brief_[event.thread];
  for (const Message& message : arrivals_of(event.object, event.value - 1)) {
    if (message.thread == event.thread) continue;
    const Scope needed = message.is_completion ? Scope::Block : distance(message.thread, event.thread);
    if (needed > narrower(message.scope, event.scope)) {
      own.failed_with = message.thread;
      own.failure = RaceKind::AtomicScopeTooNarrow;
    } else if (event.order == Order::Acquire) {
      receive(event.thread, message);
    } else {
      await_fence(event.thread, message);
    }
  }
}

}  // namespace ambit::detector
