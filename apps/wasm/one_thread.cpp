// Replaces parts of base/ for WebAssembly, where a page has one thread and no processes.
#include "base/parallel_for.h"
#include "base/watchdog.h"

namespace ambit {

void parallel_for(std::size_t count, const std::function<std::function<void(std::size_t)>()>& make_worker,
                  const ParallelOptions& options) {
  if (count == 0) return;
  const std::function<void(std::size_t)> worker = make_worker();
  for (std::size_t item = 0; item < count; ++item) {
    worker(item);
    if (options.finished) options.finished(item);
  }
}

/// Does nothing: without a second thread, the watchdog cannot interrupt a run. Code that runs long polls its Context.
struct Watchdog::State {};

Watchdog::Watchdog() = default;
Watchdog::~Watchdog() = default;
void Watchdog::watch(const Context&) {}
void Watchdog::release() {}
void Watchdog::begin(std::function<void()>) {}
std::optional<UnknownReason> Watchdog::finish() { return std::nullopt; }

}  // namespace ambit
