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

/// The reason why an answer is Unknown. Unknown never counts as a pass.
enum class UnknownReason : std::uint8_t {
  Bound,        ///< a loop may need more iterations than --unroll allows
  Timeout,      ///< --timeout reached
  Memory,       ///< --memory reached
  Interrupted,  ///< Ctrl-C
  Values,       ///< more different values than the engine can enumerate
  Unsupported,  ///< the engine cannot answer this question for this program
  Opaque,       ///< the answer depends on a value that Ambit does not track (OpaqueUse)
  Barriers,     ///< threads can meet at barriers in more ways than Ambit can enumerate
  Model,        ///< the model has no rules for something that the program does
  Endless,      ///< a thread can enter a loop without an exit; no complete execution enters the loop
};
std::string_view to_string(UnknownReason reason);

/// Context::poll throws this exception, and the module that polls catches it. No other module sees Stopped.
struct Stopped {
  UnknownReason reason = UnknownReason::Timeout;
  std::string detail = {};  ///< one sentence for the user; empty if the reason is enough
};

/// The named counters and times of one check, which --stats prints.
struct Statistics {
  std::map<std::string, double> values;  ///< "smt.queries", "smt.milliseconds", "explicit.candidates" ...
  void add(const std::string& name, double amount) { values[name] += amount; }
};

/// The limits of one check, and the receivers of its progress, statistics and queries. The caller sets the limits and
/// receivers; there is no global state.
class Context {
 public:
  using Clock = std::chrono::steady_clock;

  void set_timeout(std::chrono::milliseconds limit) { deadline_ = Clock::now() + limit; }
  void set_memory_limit(std::uint64_t bytes) { memory_limit_ = bytes; }
  /// The check reads `flag` often and stops when it is true. A signal handler may set `flag`. The flag must outlive the
  /// context.
  void set_cancellation(const std::atomic<bool>* flag) { cancelled_ = flag; }
  /// Sets the object that receives the current part of the check, for a progress display. The object must outlive the
  /// context.
  void set_activity(Activity* activity) { activity_ = activity; }
  /// Begins a part of the check, such as "race query 3 of at most 9".
  void begin(std::string words);

  /// Returns the reason why the check should stop, or nothing. The function is cheap enough for an inner loop. Each
  /// call reads the cancellation flag. A call reads the clock after about 0.1 milliseconds of work, and the resident
  /// memory every 10 milliseconds. `cost` is the work since the last call, in units of 0.1 microseconds.
  std::optional<UnknownReason> should_stop(std::uint64_t cost = 1);
  /// Throws Stopped if should_stop returns a reason.
  void poll(std::uint64_t cost = 1) {
    if (const auto reason = should_stop(cost)) throw Stopped{*reason};
  }
  /// Returns a copy whose limits apply only after `grace`, for the processing of finished results.
  Context with_grace(std::chrono::milliseconds grace) const;
  /// Returns the milliseconds left until the deadline, at least 1; nothing if there is no deadline.
  std::optional<std::uint64_t> milliseconds_left() const;
  std::optional<std::uint64_t> memory_limit() const { return memory_limit_; }
  /// Returns whether a deadline, memory limit or cancellation flag is set.
  bool has_limits() const { return deadline_ || memory_limit_ || cancelled_ != nullptr; }
  bool is_cancelled() const { return cancelled_ != nullptr && cancelled_->load(std::memory_order_relaxed); }

  /// The directory to which the check writes each SMT query as an .smt2 file; empty to write no files.
  std::string dump_directory;
  Statistics statistics;

 private:
  std::optional<Clock::time_point> deadline_;
  std::optional<std::uint64_t> memory_limit_;
  const std::atomic<bool>* cancelled_ = nullptr;
  Activity* activity_ = nullptr;
  std::uint64_t work_ = 0;              ///< work since the clock was last read, in units of should_stop's `cost`
  Clock::time_point lenient_until_;     ///< end of the grace period; the clock's epoch if there is no grace period
  Clock::time_point next_memory_look_;  ///< time of the next check of the resident memory; initially the clock's epoch
};

/// Returns the number of bytes of resident memory that this process holds now.
std::uint64_t resident_memory();

}  // namespace ambit
