#include "base/deadline_flag.h"

namespace ambit {

DeadlineFlag::DeadlineFlag(const std::atomic<bool>& interrupted, std::optional<std::chrono::milliseconds> limit)
    : interrupted_(interrupted) {
  if (!limit) return;
  context_.set_timeout(*limit);
  context_.set_cancellation(&interrupted);
  watchdog_.watch(context_);
  watchdog_.begin([this] { stopped_.store(true, std::memory_order_relaxed); });
}

std::optional<UnknownReason> DeadlineFlag::reason() const {
  if (interrupted_.load(std::memory_order_relaxed)) return UnknownReason::Interrupted;
  if (stopped_.load(std::memory_order_relaxed)) return UnknownReason::Timeout;
  return std::nullopt;
}

}  // namespace ambit
