#include "detector/sync_inference.h"

/// What the inference is asked in launches of programs, where warps act and barriers complete as they are told to.
namespace ambit::detector {

void SyncInference::take_relaxed(const TraceEvent& event) {
  LocationState& at = locations_[event.object];
  Brief& own = brief_[event.thread];
  own.ready = Scope::Thread;
  if (event.is_read() && at.writer != kNoName && at.writer != event.thread) {
    const bool is_read = event.op == TraceOp::Read;
    const bool has_read = is_read ? event.has_value : event.has_old_value;
    const bool is_older = has_read && at.has_value && (is_read ? event.value : event.old_value) != at.value;
    if (!is_older) {
      own.failed_with = at.writer;
      own.failure = RaceKind::MissingFence;
    }
  }
  if (event.is_write()) {
    at.is_release = false;
    at.value = event.value;
    at.has_value = event.has_value;
    at.writer = event.thread;
    at.writer_scope = event.scope;
  }
}

std::span<const Action> SyncInference::on_fence_of_warp(TraceEvent event) {
  actions_.clear();
  completions_.clear();
  site_ = event.site;
  const std::uint32_t first = event.thread;
  for (; event.thread < first + 32; ++event.thread) {
    pass_fence(event);
    note_whether_busy(event.thread);
  }
  if (is_whole_ && can_release(event.order)) {
    const MarkId mark = new_mark(first);
    actions_.back().is_of_warp = true;
    for (event.thread = first; event.thread < first + 32; ++event.thread) {
      remember_fence(event, mark, event_ + (event.thread - first));
    }
    release(mark, first);
  }
  event_ += 32;
  return actions_;
}

std::span<const Action> SyncInference::on_completion(const BarrierTracker::Completion& done) {
  actions_.clear();
  completions_.resize(1);
  completions_.front() = done;
  site_ = kNoName;
  on_completions(kNoName);
  return actions_;
}

}  // namespace ambit::detector
