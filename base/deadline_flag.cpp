#include "base/deadline_flag.h"

namespace ambit {
namespace {

constexpr std::chrono::milliseconds kPeriod{20};

}  // namespace

DeadlineFlag::DeadlineFlag(const std::atomic<bool>& interrupted, std::optional<std::chrono::milliseconds> limit)
    : interrupted_(interrupted), limit_(limit) {
  if (limit_) thread_ = std::thread([this] { watch(); });
}

DeadlineFlag::~DeadlineFlag() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::optional<UnknownReason> DeadlineFlag::reason() const {
  if (interrupted_.load(std::memory_order_relaxed)) return UnknownReason::Interrupted;
  if (stopped_.load(std::memory_order_relaxed)) return UnknownReason::Timeout;
  return std::nullopt;
}

void DeadlineFlag::watch() {
  const auto deadline = std::chrono::steady_clock::now() + *limit_;
  std::unique_lock lock(mutex_);
  while (!ends_) {
    if (interrupted_.load(std::memory_order_relaxed) || std::chrono::steady_clock::now() >= deadline) {
      stopped_.store(true, std::memory_order_relaxed);
      return;
    }
    changed_.wait_for(lock, kPeriod, [this] { return ends_; });
  }
}

}  // namespace ambit
