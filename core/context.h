#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace ambit {

class Activity;

/// Why an answer is Unknown. Never a pass.
enum class UnknownReason : std::uint8_t {
  Bound,        ///< a loop could run past --unroll
  Timeout,      ///< --timeout reached
  Memory,       ///< --memory reached
  Interrupted,  ///< Ctrl-C
  Values,       ///< more different values than the engine follows
  Unsupported,  ///< the engine cannot answer this question for this program
  Opaque,       ///< it depends on a value that Ambit does not follow (OpaqueUse)
  Barriers,     ///< threads can meet at barriers in more ways than are followed
  Model,        ///< the model has no rules for something that the program does
  Endless,      ///< a thread can enter a loop without an exit, and no execution that does is complete
};
std::string_view to_string(UnknownReason reason);

/// Thrown by Context::poll. Whoever polls is inside a room whose door catches it; no function lets it out of its room.
struct Stopped {
  UnknownReason reason = UnknownReason::Timeout;
  std::string detail = {};  ///< one sentence for the user; empty: the reason says all
};

/// Counters and times of one check, by name, for --stats.
struct Statistics {
  std::map<std::string, double> values;  ///< "smt.queries", "smt.milliseconds", "explicit.candidates" ...
  void add(const std::string& name, double amount) { values[name] += amount; }
};

/// Limits and sinks of one check, passed in by whoever asks; there is no global state.
class Context {
 public:
  using Clock = std::chrono::steady_clock;

  void set_timeout(std::chrono::milliseconds limit) { deadline_ = Clock::now() + limit; }
  void set_memory_limit(std::uint64_t bytes) { memory_limit_ = bytes; }
  /// `flag` is read often and may be set from a signal handler; it must outlive the context.
  void set_cancellation(const std::atomic<bool>* flag) { cancelled_ = flag; }
  /// Is told what the check does, for a display of progress; it must outlive the context.
  void set_activity(Activity* activity) { activity_ = activity; }
  /// A part of the check begins: "race query 3 of at most 9".
  void begin(std::string words);

  /// Cheap enough for an inner loop: reads the flag each time, the clock after work of about 0.1 milliseconds, and
  /// resident memory every 10 milliseconds. `cost` is the work since the last call, in units of 0.1 microseconds.
  std::optional<UnknownReason> should_stop(std::uint64_t cost = 1);
  /// Throws Stopped where should_stop says so.
  void poll(std::uint64_t cost = 1) {
    if (const auto reason = should_stop(cost)) throw Stopped{*reason};
  }
  /// The same limits, but none of them counts before `grace` is over: for what makes use of work that is done.
  Context with_grace(std::chrono::milliseconds grace) const;
  /// Milliseconds left until the deadline, at least 1; nothing when there is none.
  std::optional<std::uint64_t> milliseconds_left() const;
  std::optional<std::uint64_t> memory_limit() const { return memory_limit_; }
  /// Some deadline, memory limit or cancellation flag is set.
  bool has_limits() const { return deadline_ || memory_limit_ || cancelled_ != nullptr; }
  bool is_cancelled() const { return cancelled_ != nullptr && cancelled_->load(std::memory_order_relaxed); }

  /// When set, every SMT query is written there as an .smt2 file.
  std::string dump_directory;
  Statistics statistics;

 private:
  std::optional<Clock::time_point> deadline_;
  std::optional<std::uint64_t> memory_limit_;
  const std::atomic<bool>* cancelled_ = nullptr;
  Activity* activity_ = nullptr;
  std::uint64_t work_ = 0;              ///< since the last look at the clock, in units of should_stop's `cost`
  Clock::time_point lenient_until_;     ///< the epoch: never lenient
  Clock::time_point next_memory_look_;  ///< the epoch before the first
};

/// Bytes of memory this process holds now (resident set).
std::uint64_t resident_memory();

}  // namespace ambit
