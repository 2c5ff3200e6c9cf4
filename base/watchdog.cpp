#include "base/watchdog.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace ambit {
namespace {

constexpr std::chrono::milliseconds kPeriod{10};
/// After this number of periods without a context, the thread sleeps until a new context wakes it. While the thread is
/// awake, a new context need not wake it. Waking the thread takes longer than solving a small problem.
constexpr int kIdlePeriods = 100;

}  // namespace

struct Watchdog::State {
  std::mutex mutex;
  std::condition_variable changed;
  std::thread thread;
  const Context* context = nullptr;
  std::function<void()> interrupt;  ///< set during a run
  std::optional<UnknownReason> stopped;
  bool ends = false;
  bool asleep = false;

  /// Returns the limit that has been reached, if any.
  std::optional<UnknownReason> reached() const {
    if (context->is_cancelled()) return UnknownReason::Interrupted;
    if (const auto left = context->milliseconds_left(); left && *left <= 1) return UnknownReason::Timeout;
    if (const auto limit = context->memory_limit(); limit && resident_memory() > *limit) return UnknownReason::Memory;
    return std::nullopt;
  }

  void look() {
    if (!interrupt || context == nullptr || stopped) return;
    stopped = reached();
    if (stopped) interrupt();
  }

  void run() {
    std::unique_lock lock(mutex);
    int idle = 0;
    while (!ends) {
      asleep = idle >= kIdlePeriods;
      if (asleep) {
        changed.wait(lock, [this] { return ends || context != nullptr; });
      } else {
        changed.wait_for(lock, kPeriod, [this] { return ends; });
      }
      idle = context == nullptr ? idle + 1 : 0;
      look();
    }
  }
};

Watchdog::Watchdog() : state_(std::make_unique<State>()) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->ends = true;
  }
  state_->changed.notify_all();
  if (state_->thread.joinable()) state_->thread.join();
}

void Watchdog::watch(const Context& context) {
  bool wake = false;
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopped.reset();
    if (!context.has_limits()) return;
    state_->context = &context;
    wake = state_->asleep;
  }
  if (!state_->thread.joinable()) state_->thread = std::thread([state = state_.get()] { state->run(); });
  if (wake) state_->changed.notify_all();
}

void Watchdog::release() {
  const std::lock_guard lock(state_->mutex);
  state_->context = nullptr;
}

void Watchdog::begin(std::function<void()> interrupt) {
  const std::lock_guard lock(state_->mutex);
  state_->interrupt = std::move(interrupt);
}

std::optional<UnknownReason> Watchdog::finish() {
  const std::lock_guard lock(state_->mutex);
  state_->interrupt = nullptr;
  return state_->stopped;
}

}  // namespace ambit
