#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/child_process.h"
#include "core/descriptor.h"

namespace ambit::external {

/// How long Ambit waits for detector programs.
struct Patience {
  std::chrono::milliseconds for_a_run{60'000};     ///< time that Ambit waits for a program about one run
  const std::atomic<bool>* interrupted = nullptr;  ///< the wait ends soon after it is set; null: never
};

/// A running detector program: it reads a stream of runs and writes lines. The destructor closes its input and gives it
/// a moment to end by itself.
class DetectorProcess {
 public:
  using Milliseconds = std::chrono::milliseconds;

  /// Why the process is of no more use.
  enum class End : std::uint8_t {
    None,
    Ended,       ///< it exited, crashed or closed a stream
    Slow,        ///< no answer in time
    TooMuch,     ///< it writes without end
    Interrupted  ///< by the user
  };

  /// Starts a program. `arguments[0]` is its path. If the system has no room for a process, end() is Ended.
  DetectorProcess(const std::vector<std::string>& arguments, const Patience& patience);
  ~DetectorProcess();
  DetectorProcess(const DetectorProcess&) = delete;
  DetectorProcess& operator=(const DetectorProcess&) = delete;

  /// The time for a run begins anew. What the program wrote since the last line that was taken stays.
  void begin_run() { left_ = patience_.for_a_run; }
  /// Writes bytes to the program's input. Reads its output meanwhile, so that neither waits for the other.
  bool send(std::string_view bytes);
  /// The next line of the program's output, without its end. Nothing: see end().
  std::optional<std::string> line();

  End end() const { return end_; }
  /// "ended with status 1: ValueError: x", "was killed by signal 11 (Segmentation fault)", "no answer within 60 s".
  const std::string& why() const { return why_; }
  /// The time that Ambit has waited for the program.
  std::chrono::nanoseconds waited() const { return waited_; }
  /// The most memory that the program has used, in bytes; 0: not known.
  std::uint64_t peak_memory() const;

 private:
  using Clock = std::chrono::steady_clock;

  /// Waits until the program reads or writes, at most a tenth of a second. False: the process is of no more use.
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
  std::string output_;  ///< that is not taken yet, from `taken_` on
  std::size_t taken_ = 0;
  std::size_t searched_ = 0;  ///< no line ends before it
  std::string error_text_;    ///< the end of its standard error
  std::chrono::nanoseconds left_;
  std::chrono::nanoseconds waited_{0};
  End end_ = End::None;
  std::string why_;
};

}  // namespace ambit::external
