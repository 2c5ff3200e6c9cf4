#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/child_process.h"
#include "base/descriptor.h"

namespace ambit::external {

/// Limits on the time that Ambit waits for a detector program.
struct Patience {
  std::chrono::milliseconds for_a_run{60'000};     ///< for all answers about one run
  const std::atomic<bool>* interrupted = nullptr;  ///< Ambit stops waiting soon after this flag is set; may be null
};

/// A running detector program, which reads a stream of runs and writes lines. The destructor closes the program's input
/// and gives the program a short time to exit.
class DetectorProcess {
 public:
  using Milliseconds = std::chrono::milliseconds;

  /// The reason why the process can no longer be used.
  enum class End : std::uint8_t {
    None,
    Ended,       ///< the program exited, crashed or closed a stream
    Slow,        ///< the program gave no answer within the time limit
    TooMuch,     ///< the program wrote too much output
    Interrupted  ///< the user interrupted Ambit
  };

  /// Starts a program. `arguments[0]` is its path. If the system cannot create a process, end() is Ended.
  DetectorProcess(const std::vector<std::string>& arguments, const Patience& patience);
  ~DetectorProcess();
  DetectorProcess(const DetectorProcess&) = delete;
  DetectorProcess& operator=(const DetectorProcess&) = delete;

  /// Restarts the time limit for a run. Keeps the program's output that line() has not yet returned.
  void begin_run() { left_ = patience_.for_a_run; }
  /// Writes bytes to the program's input, and at the same time reads the program's output to avoid a deadlock.
  bool send(std::string_view bytes);
  /// Returns the next line of the program's output, without the newline. Returns nothing after the last line; end() has
  /// the reason.
  std::optional<std::string> line();

  End end() const { return end_; }
  /// Returns the details of end(): "ended with status 1: ValueError: x", "was killed by signal 11 (Segmentation
  /// fault)", "no answer within 60 s".
  const std::string& why() const { return why_; }
  /// Returns the total time that Ambit has waited for the program.
  std::chrono::nanoseconds waited() const { return waited_; }
  /// Returns the most memory that the program has used, in bytes; 0 if unknown.
  std::uint64_t peak_memory() const;

 private:
  using Clock = std::chrono::steady_clock;

  /// Waits until the program reads or writes, at most a tenth of a second. Returns false if the process can no longer
  /// be used.
  bool wait(bool wants_to_write);
  bool take_output();
  void take_errors();
  bool stop(End end, std::string why);
  bool stop_at_end();

  Patience patience_;
  Descriptor in_;
  Descriptor out_;
  Descriptor errors_;
  ChildProcess child_;
  std::string output_;  ///< line() has not yet returned the text from position `taken_` on
  std::size_t taken_ = 0;
  std::size_t searched_ = 0;  ///< the text from `taken_` to this position has no newline
  std::string error_text_;    ///< the last part of the program's standard error
  std::chrono::nanoseconds left_;
  std::chrono::nanoseconds waited_{0};
  End end_ = End::None;
  std::string why_;
};

}  // namespace ambit::external
