#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "core/context.h"

namespace ambit::solver {

/// Stops a running solver when the limits of a Context are reached. A thread looks at them every few milliseconds; it
/// is started with the first context that has any limit, so that a context without one costs nothing.
class Watchdog {
 public:
  Watchdog();
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// Looks at this context from now on, until release().
  void watch(const Context& context);
  void release();
  /// A run begins: `interrupt` is called, once, from the other thread if a limit is reached before finish().
  void begin(std::function<void()> interrupt);
  /// The run is over; after this returns `interrupt` is not called any more. Says what stopped the run, if anything.
  std::optional<UnknownReason> finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ambit::solver
