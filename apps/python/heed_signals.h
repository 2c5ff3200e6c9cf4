#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <future>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace ambit_python {

/// Interval at which a waiting thread checks for signals.
inline constexpr std::chrono::milliseconds kGlance{50};

/// Calls `work` on a new thread, without holding the interpreter's lock. `work` must not use Python objects. Ctrl-C
/// sets the stop token of `work`. After `work` has returned, throws the exception (KeyboardInterrupt) that the signal
/// handler raised.
template <typename Work>
auto heeding_signals(const Work& work) {
  using Answer = decltype(work(std::stop_token()));
  std::stop_source stop;
  std::packaged_task<Answer()> task([&] { return work(stop.get_token()); });
  std::future<Answer> answer = task.get_future();
  std::optional<pybind11::error_already_set> raised;
  {
    const pybind11::gil_scoped_release unlocked;
    const std::jthread thread(std::move(task));
    while (answer.wait_for(kGlance) != std::future_status::ready) {
      const pybind11::gil_scoped_acquire locked;
      if (PyErr_CheckSignals() == 0) continue;
      raised.emplace();
      stop.request_stop();
      break;
    }
    // The destructor of `thread` waits until `work` has returned.
  }
  if (raised) throw std::move(*raised);
  return answer.get();
}

}  // namespace ambit_python
