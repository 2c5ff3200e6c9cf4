#include "detector/transaction_sections.h"

#include <utility>

namespace ambit::detector {

std::span<const NumberedEvent> TransactionSections::on(const TraceEvent& event, std::uint64_t number) {
  shown_.clear();
  if (event.op == TraceOp::TransactionBegin) {
    if (event.thread >= open_.size()) open_.resize(event.thread + 1);
    if (!is_open(event.thread)) ++begun_;
    open_[event.thread].assign(1, {event, number});
  } else if (!is_open(event.thread)) {
    shown_.push_back({event, number});
  } else if (event.op == TraceOp::TransactionCommit) {
    std::swap(shown_, open_[event.thread]);
    open_[event.thread].clear();
    --begun_;
    shown_.front().event.op = TraceOp::LockAcquire;
    TraceEvent release = event;
    release.op = TraceOp::LockRelease;
    release.scope = shown_.front().event.scope;
    shown_.push_back({release, number});
  } else if (event.op == TraceOp::TransactionAbort) {
    open_[event.thread].clear();
    --begun_;
  } else {
    open_[event.thread].push_back({event, number});
  }
  return shown_;
}

}  // namespace ambit::detector
