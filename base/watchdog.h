#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "base/context.h"

namespace ambit {

/// Interrupts a computation when a limit of a Context is reached. A thread checks the limits every few milliseconds.
/// This thread starts at the first context with a limit, so that contexts without limits cost nothing.
class Watchdog {
 public:
  Watchdog();
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// Checks this context's limits until release().
  void watch(const Context& context);
  void release();
  /// Begins a run. If a limit is reached before finish(), the thread calls `interrupt` once.
  void begin(std::function<void()> interrupt);
  /// Ends the run. `interrupt` is not called after finish() has returned. Returns the limit that stopped the run, if
  /// any.
  std::optional<UnknownReason> finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ambit
